#include "cornu/ir/parse.h"

#include <gtest/gtest.h>

#include <string>

#include "cornu/ir/ops_test_support.h"
#include "cornu/ir/print.h"
#include "cornu/ir/same_graph_test_support.h"
#include "cornu/ir/text/syntax.h"
#include "cornu/ir/verify.h"

namespace cornu::inline v0::ir {
namespace {

const OpDef kConstant = {.name = "constant", .infer = [](const InferContext& c) {
                           return std::vector{c.attributes.get<Literal>("value").type()};
                         }};

const OpDef* find_test_op(std::string_view name) {
  for (const OpDef* const op : {&test_ops::kAdd, &test_ops::kSplit, &test_ops::kRegion, &kConstant})
    if (name == fmt::format("stablehlo.{}", op->name)) return op;
  for (const OpDef* const op : {&test_ops::kTwice, &test_ops::kFourTimes})
    if (name == op->name) return op;
  return nullptr;
}

ParsedModule parse(std::string_view text, const ParseOptions& options = {}) {
  ParsedModule parsed = parse_stablehlo(text, &find_test_op, options);
  verify(parsed.module);
  return parsed;
}

std::string error_of(std::string_view text, const ParseOptions& options = {}) {
  try {
    parse(text, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// The text of a function around ops, which begin in line 2, column 3.
std::string around(std::string_view ops) {
  return "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  " + std::string(ops) +
         "\n  return %a : tensor<2xf32>\n}";
}

Literal constant_of(const std::string& dense, const ParseOptions& options = {}) {
  const ParsedModule parsed = parse("func.func @main() {\n %0 = \"stablehlo.constant\"() {value = " + dense +
                                        "} : () -> " + dense.substr(dense.rfind("tensor")) + "\n return\n}",
                                    options);
  return parsed.entry().body.ops()[0]->attributes().get<Literal>("value");
}

TEST(ParseTest, WhatIsPrintedReadsBackAsTheSameGraph) {
  Function f;
  f.name = "main";
  const Value x = f.body.add_argument({DType::kF32, {}});
  Builder b(f.body);
  const Op& split = b.create(test_ops::kSplit, {x},
                             {{"a_bool", true},
                              {"b_integer", std::int64_t{-3}},
                              {"c_double", -0.5},
                              {"d_string", std::string("say \"hi\"\\\n")},
                              {"e_list", std::vector<std::int64_t>{1, -2}},
                              {"f_empty", std::vector<std::int64_t>{}},
                              {"g_literal", Literal::of<std::int32_t>({1}, {7})},
                              {"h_type", DType::kBF16}});
  auto region = std::make_unique<Block>();
  const Value y = region->add_argument({DType::kF32, {}});
  Builder inner(*region);
  region->set_results({inner.create(test_ops::kAdd, {split.result(1), y}).result()});
  std::vector<std::unique_ptr<Block>> regions;
  regions.push_back(std::move(region));
  const Value r = b.create(test_ops::kRegion, {x}, {}, std::move(regions)).result();
  f.body.set_results({b.create(test_ops::kFourTimes, {r}).result(), split.result(0)});
  const std::string text = to_stablehlo(f);
  const ParsedModule parsed = parse(text);
  EXPECT_EQ(GraphComparison::difference(f.body, parsed.entry().body), "");
  EXPECT_EQ(to_stablehlo(parsed.entry()), text);
  EXPECT_EQ(parsed.module.functions.size(), 1U) << "decompositions are no functions of the module";
}

TEST(ParseTest, LiteralsAreRepeatedListedAndBytes) {
  EXPECT_EQ(constant_of("dense<[1.0, -2.5e-1]> : tensor<2xf32>"), Literal::of<float>({2}, {1, -0.25f}));
  EXPECT_EQ(constant_of("dense<[[1, 2], [-3, 4]]> : tensor<2x2xi8>"),
            (Literal::of<std::int8_t>({2, 2}, {1, 2, -3, 4})));
  EXPECT_EQ(constant_of("dense<7> : tensor<3xui16>"), (Literal::of<std::uint16_t>({3}, {7, 7, 7})));
  EXPECT_EQ(constant_of("dense<0x7F800000> : tensor<f32>"), Literal::scalar(DType::kF32, HUGE_VAL));
  EXPECT_EQ(constant_of("dense<\"0x0000803F00000040\"> : tensor<2xf32>"), Literal::of<float>({2}, {1, 2}));
  EXPECT_EQ(constant_of("dense<\"0x0000803F\"> : tensor<2xf32>"), Literal::of<float>({2}, {1, 1}));
  EXPECT_EQ(constant_of("dense<\"0x05\"> : tensor<3xi1>"), Literal::of<bool>({3}, {true, false, true}));
  EXPECT_EQ(constant_of("dense<[true, false]> : tensor<2xi1>"), Literal::of<bool>({2}, {true, false}));
  EXPECT_EQ(constant_of("dense<> : tensor<0x3xf32>"), Literal(TensorType{DType::kF32, {0, 3}}));
  EXPECT_EQ(constant_of("dense<\"0x00000000\"> : tensor<0x3xf32>"), Literal(TensorType{DType::kF32, {0, 3}}));
  EXPECT_EQ(constant_of("dense<18446744073709551615> : tensor<ui64>"),
            Literal::of<std::uint64_t>({}, {~std::uint64_t{0}}));
}

TEST(ParseTest, LiteralsThatDoNotFitTheirTypeAreRefused) {
  for (const char* dense :
       {"dense<[1.0, 2.0]> : tensor<3xf32>", "dense<[[1.0], [2.0]]> : tensor<2xf32>",
        "dense<300> : tensor<i8>", "dense<-1> : tensor<ui8>", "dense<1.5> : tensor<i32>",
        "dense<0x7F80> : tensor<f32>", "dense<true> : tensor<i32>", "dense<\"0x00\"> : tensor<2xf32>",
        "dense<\"0xZZ\"> : tensor<ui8>", "dense<> : tensor<1xf32>",
        "dense<9223372036854775808> : tensor<i64>", "dense<1e999> : tensor<f64>",
        "dense<[1.0, 2.0]> : tensor<9223372036854775807xi8>"})
    EXPECT_THROW(constant_of(dense), Error) << dense;
  EXPECT_THROW(constant_of("dense<1> : tensor<1024xi32>", {.max_splat_bytes = 4095}), Error);
  EXPECT_NO_THROW(constant_of("dense<1> : tensor<1024xi32>", {.max_splat_bytes = 4096}));
}

TEST(ParseTest, CallsAreInlinedAndUnknownCompositesAreWhatTheyDecomposeTo) {
  const ParsedModule parsed = parse(R"(
    module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
      func.func public @main(%arg0: tensor<f32> {mhlo.sharding = "{replicated}", tf.aliasing_output = 0 : i32}) -> (tensor<f32> {jax.result_info = ""}) {
        %0 = call @helper(%arg0) : (tensor<f32>) -> tensor<f32>
        %1 = func.call @helper(%0) : (tensor<f32>) -> tensor<f32> loc("here")
        %2 = stablehlo.composite "my.op" %1 {decomposition = @helper} : (tensor<f32>) -> tensor<f32>
        return %2 : tensor<f32>
      }
      func.func private @helper(%x: tensor<f32>) -> tensor<f32> {
        %0 = stablehlo.add %x, %x : tensor<f32>
        func.return %0 : tensor<f32>
      }
    })");
  EXPECT_EQ(parsed.entry().body.ops().size(), 3U);
  EXPECT_EQ(parsed.module.functions.size(), 1U);
  EXPECT_EQ(parsed.attributes.get<std::int64_t>("mhlo.num_partitions"), 1);
  EXPECT_EQ(parsed.argument_attributes[0].get<std::string>("mhlo.sharding"), "{replicated}");
  EXPECT_EQ(parsed.donations(), std::vector<std::int64_t>{0});
}

TEST(ParseTest, LocationsThatAreNamesAreTheOps) {
  const ParsedModule parsed = parse(R"m(
    func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.add %arg0, %arg0 : tensor<f32> loc("dense \221\22")
      %1 = stablehlo.add %0, %0 : tensor<f32> loc("f.py":3:4)
      %2 = stablehlo.add %1, %1 : tensor<f32> loc("jit(f)"("f.py":3:4))
      %3 = stablehlo.add %2, %2 : tensor<f32> loc(#loc1)
      %4 = stablehlo.add %3, %3 : tensor<f32>
      return %4 : tensor<f32>
    }
    #loc1 = loc("f.py":1:1))m");
  const auto ops = parsed.entry().body.ops();
  ASSERT_EQ(ops.size(), 5U);
  EXPECT_EQ(ops[0]->location(), "dense \"1\"");
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(ops[i]->location(), "") << i;
}

TEST(ParseTest, ErrorsSayWhereTheyAreAndWhatWasExpected) {
  EXPECT_EQ(error_of(around("%0 = stablehlo.add %a, %b : tensor<2xf32>")),
            "program:2:26: %b is not defined here");
  EXPECT_EQ(error_of(around("%0 = stablehlo.fft %a : tensor<2xf32>"), {.name = "p.mlir"}),
            "p.mlir:2:8: Cornu has no operation \"stablehlo.fft\"");
  EXPECT_EQ(error_of(around("%0 = stablehlo.add %a, %a : tensor<3xf32>")),
            "program:2:29: [stablehlo.add] an operand is tensor<2xf32>, which is not among these types");
  EXPECT_EQ(
      error_of(around("%0 = \"stablehlo.add\"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64>")),
      "program:2:8: [stablehlo.add] the results are (tensor<2xf32>), not what stands here");
  EXPECT_EQ(error_of(around("%0:2 = stablehlo.add %a, %a : tensor<2xf32>")),
            "program:2:3: [stablehlo.add] has 1 results");
  EXPECT_EQ(error_of(around("%a = stablehlo.add %a, %a : tensor<2xf32>")),
            "program:2:3: %a is defined twice");
  EXPECT_EQ(error_of("module {"), "program:1:9: expected \"}\", got the end of the text");
  EXPECT_EQ(error_of("hello"), "program:1:1: expected \"module\" or \"func.func\", got \"hello\"");
  EXPECT_EQ(error_of("func.func @f(%a: tensor<2y3xf32>) { return }"),
            "program:1:26: expected \"x\" after an extent");
  EXPECT_EQ(error_of("func.func @f(%a: tensor<?xf32>) { return }"),
            "program:1:25: an extent that is known at run time only (\"?\") is not supported: give it a "
            "number, in JAX by tracing with whole shapes");
  EXPECT_EQ(error_of("func.func @f(%a: tensor<2xcomplex<f16>>) { return }"),
            "program:1:27: expected an element type such as f32 or i64, got \"complex<f16>\"");
  EXPECT_EQ(error_of(""), "program:1:1: there is no function in this text");
}

TEST(ParseTest, ValuesOfARegionAreNotSeenOutsideIt) {
  EXPECT_EQ(error_of(around(
                "%0 = \"stablehlo.region\"(%a) ({\n  ^bb0(%b: tensor<2xf32>):\n  \"stablehlo.return\"(%b) : "
                "(tensor<2xf32>) -> ()\n}) : (tensor<2xf32>) -> tensor<2xf32>\n"
                "%1 = stablehlo.add %0, %b : tensor<2xf32>")),
            "program:6:24: %b is not defined here");
}

TEST(ParseTest, SizesBeyond63BitsAreRefused) {
  EXPECT_EQ(error_of("func.func @f(%a: tensor<9223372036854775808xf32>) { return }"),
            "program:1:25: this extent is beyond 63 bits");
  EXPECT_NE(error_of("func.func @f(%a: tensor<4294967296x4294967296xf32>) { return }").find("program:1:24: "),
            std::string::npos);
  EXPECT_NE(
      error_of(around("%0:9223372036854775807 = stablehlo.add %a, %a : tensor<2xf32>")).find("has 1 results"),
      std::string::npos);
}

TEST(ParseTest, ATensorHasAtMost64Dimensions) {
  const auto with_rank = [](int rank) {
    std::string type = "tensor<", open, close;
    for (int i = 0; i < rank; ++i) {
      type += "1x";
      open += '[';
      close += ']';
    }
    return "dense<" + open + "1.0" + close + "> : " + type + "f32>";
  };
  EXPECT_EQ(constant_of(with_rank(64)).type().rank(), 64);
  EXPECT_EQ(
      error_of("func.func @f(%a: " + with_rank(65).substr(with_rank(65).find("tensor")) + ") { return }"),
      "program:1:153: a tensor has at most 64 dimensions");
  EXPECT_THROW(constant_of(with_rank(200'000)), Error);
}

TEST(ParseTest, NumbersBeyond63BitsAreElementsOfTypesWithoutASignOnly) {
  const auto error_of_attribute = [](const std::string& value) {
    return error_of(around("%0 = \"stablehlo.split\"(%a) {x = " + value + "} : (tensor<2xf32>) -> (f32)"));
  };
  for (const char* value : {"18446744073709551615", "9223372036854775808", "[1, 18446744073709551615]",
                            "array<i64: 18446744073709551615>", "9223372036854775808 : ui64"}) {
    const std::string error = error_of_attribute(value);
    EXPECT_TRUE(error.starts_with("program:2:") && error.find("is beyond the largest number") != error.npos)
        << error;
  }
  for (const char* value : {"9223372036854775807", "-9223372036854775808", "0xFFFFFFFFFFFFFFFF"})
    EXPECT_EQ(error_of_attribute(value).find("is beyond"), std::string::npos) << value;
  EXPECT_EQ(constant_of("dense<[9223372036854775808, 1]> : tensor<2xui64>"),
            Literal::of<std::uint64_t>({2}, {std::uint64_t{1} << 63, 1}));
}

TEST(ParseTest, WhatATerminalWouldObeyIsShownAsBytes) {
  const std::string escape = "\x1b[2J";
  for (const std::string& text :
       {around("%0 = \"" + escape + "\"(%a) : (tensor<2xf32>) -> tensor<2xf32>"),
        around("%0 = \"" + escape + "\"() : (tensor<2xf32>) -> tensor<2xf32>"),
        around("call @\"" + escape + "\"(%a) : (tensor<2xf32>) -> tensor<2xf32>"),
        "func.func @\"" + escape + "\"() { return } func.func @\"" + escape + "\"() { return }"}) {
    const std::string error = error_of(text);
    EXPECT_EQ(error.find('\x1b'), std::string::npos) << error;
    EXPECT_NE(error.find("\\x1b[2J"), std::string::npos) << error;
  }
  const std::string longest =
      error_of(around("%0 = \"" + std::string(1 << 20, 'a') + "\"() : () -> tensor<2xf32>"));
  EXPECT_LT(longest.size(), 2200U);
  EXPECT_TRUE(longest.starts_with("program:2:")) << longest;
}

TEST(ParseTest, AProgramWithoutAnEntryIsNamed) {
  const ParsedModule parsed =
      parse("func.func @f() { return } func.func @g() { return }", {.name = "two.mlir"});
  try {
    parsed.entry();
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "two.mlir: a program must have one function, or one that is called \"main\"; this one has 2");
  }
}

TEST(ParseTest, CyclesAndDepthsAreRefused) {
  EXPECT_EQ(
      error_of("func.func @main() { call @f() : () -> () return } func.func private @f() { call @main() : "
               "() -> () return }"),
      "program:1:76: the function \"main\" calls itself");
  std::string nested;
  for (int i = 0; i < 20000; ++i) nested += "[";
  EXPECT_NE(error_of(around("%0 = stablehlo.add %a, %a {x = " + nested + "} : tensor<2xf32>"))
                .find("nested too deeply"),
            std::string::npos);
  std::string regions;
  for (int i = 0; i < 20000; ++i) regions += "%" + std::to_string(i) + " = \"stablehlo.region\"(%a) ({\n";
  EXPECT_NE(error_of("func.func @main(%a: tensor<f32>) {" + regions + "}").find("has no end"),
            std::string::npos);
  regions += std::string(20001, '}');
  EXPECT_NE(error_of("func.func @main(%a: tensor<f32>) {" + regions).find("nested too deeply"),
            std::string::npos);
}

TEST(ParseTest, AShortTextCannotAskForMoreThanTheLimits) {
  // Each function calls the one before it twice: 2^40 additions.
  std::string text =
      "func.func private @f0(%a: tensor<f32>) -> tensor<f32> {\n %0 = stablehlo.add %a, %a : tensor<f32>\n"
      "return %0 : tensor<f32>\n}\n";
  for (int i = 1; i <= 40; ++i)
    text += fmt::format(
        "func.func {}@f{}(%a: tensor<f32>) -> tensor<f32> {{\n"
        "%0 = call @f{}(%a) : (tensor<f32>) -> tensor<f32>\n"
        "%1 = call @f{}(%0) : (tensor<f32>) -> tensor<f32>\nreturn %1 : tensor<f32>\n}}\n",
        i == 40 ? "" : "private ", i, i - 1, i - 1);
  EXPECT_NE(error_of(text, {.max_ops = 1000}).find("too many operations"), std::string::npos);
  EXPECT_NE(error_of(text, {.max_inlined_bytes = 10000}).find("called too often"), std::string::npos);
}

/// Adds up what a text becomes.
struct Charges {
  std::int64_t num_ops = 0;
  std::size_t num_bytes = 0;

  ParseOptions options() {
    return {.charge = [this](std::int64_t ops, std::size_t bytes) {
      num_ops += ops;
      num_bytes += bytes;
    }};
  }
};

Charges charges_of(std::string_view text) {
  Charges charges;
  parse(text, charges.options());
  return charges;
}

TEST(ParseTest, WhatATextBecomesIsReported) {
  std::string many;
  for (int i = 0; i < 100; ++i) many += fmt::format("%{} = stablehlo.add %a, %a : tensor<2xf32>\n", i);
  EXPECT_EQ(charges_of(around(many)).num_ops, 100);
  const std::string few = around("%0 = stablehlo.add %a, %a : tensor<2xf32>\n");
  const std::size_t base = charges_of(few).num_bytes;
  const auto grows = [&](const std::string& attribute) {
    return charges_of(around("%0 = stablehlo.add %a, %a {x = " + attribute + "} : tensor<2xf32>")).num_bytes -
           base;
  };
  const auto repeated = [](std::string_view item, int count) {
    std::string list = "[";
    for (int i = 0; i < count; ++i) list += (i > 0 ? "," : "") + std::string(item);
    return list + "]";
  };
  // Two bytes of text become a node, three a number.
  EXPECT_GE(grows(repeated("a", 1000)), 1000 * sizeof(text::Syntax));
  const std::size_t numbers = grows(repeated("1", 1000));
  EXPECT_GE(numbers, 8000U);
  EXPECT_LT(numbers, 16'000U);
  EXPECT_GE(grows("dense<1.0> : tensor<100x100xf32>"), 40'000U);
  EXPECT_GE(grows("dense<\"0x" + std::string(8000, '0') + "\"> : tensor<1000xf32>"), 8000U);
  EXPECT_GE(grows("dense<" + repeated("1", 1000) + "> : tensor<1000xf64>"), 8000U);
  const std::string node = "%0 = stablehlo.add %a, %a {x = " + repeated("a", 1000) + "} : tensor<2xf32>\n";
  std::string twice = node + node;
  twice[node.size() + 1] = '1';
  EXPECT_LT(charges_of(around(twice)).num_bytes, 2 * charges_of(around(node)).num_bytes)
      << "nodes go with their op";
  std::string arguments, operands = "%a0";
  for (int i = 0; i < 1000; ++i) arguments += fmt::format("{}%a{}: tensor<f32>", i > 0 ? ", " : "", i);
  for (int i = 1; i < 1000; ++i) operands += ", %a0";
  const std::size_t signature = charges_of("func.func @main(" + arguments + ") { return }").num_bytes;
  EXPECT_GE(signature, 1000 * sizeof(detail::ValueNode));
  std::string types = "tensor<f32>";
  for (int i = 1; i < 1000; ++i) types += ", tensor<f32>";
  EXPECT_GE(charges_of("func.func @main(" + arguments + ") {\n%0:2 = \"stablehlo.split\"(" + operands +
                       ") : (" + types + ") -> (tensor<f32>, tensor<f32>)\nreturn\n}")
                .num_bytes,
            signature + 900 * sizeof(TensorType));
}

/// Returns `count` items: "x,x,..." or, numbered, "x0,x1,...".
std::string list_of(std::string_view item, int count, bool is_numbered = false) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    list += (i > 0 ? "," : "") + std::string(item);
    if (is_numbered) list += std::to_string(i);
  }
  return list;
}

TEST(ParseTest, WhatAnOpKeepsIsReportedForEachOp) {
  constexpr int kMany = 1000;
  // Returns the bytes that the second of two equal ops adds. Memory that each op frees counts once for both.
  const auto second = [](const std::string& op) {
    return charges_of(around(op + "\n" + op)).num_bytes - charges_of(around(op)).num_bytes;
  };
  EXPECT_GE(second("stablehlo.add %a, %a {" + list_of("f", kMany, true) + "} : tensor<2xf32>"),
            (kMany - 8) * sizeof(std::pair<std::string, Attribute>))
      << "attributes";
  EXPECT_LE(second("stablehlo.add %a, %a {x = [" + list_of("f", kMany) + "]} : tensor<2xf32>"), 256U)
      << "a list becomes one text";
  EXPECT_GE(second("\"stablehlo.region\"() (" + list_of("{return}", kMany) + ") : () -> ()"),
            kMany * (sizeof(Block) + 64))
      << "regions";
  const std::string returned = "\"stablehlo.region\"() ({return " + list_of("%a", kMany) + "}) : () -> ";
  EXPECT_GE(second(returned + "(" + list_of("tensor<2xf32>", kMany) + ")"),
            kMany * (2 * sizeof(Value) + sizeof(detail::ValueNode)))
      << "results";
}

TEST(ParseTest, AResultNameStandsForAResultOrMore) {
  EXPECT_NE(error_of(around("%0:0 = stablehlo.add %a, %a : tensor<2xf32>"))
                .find("2:6: %0 must name at least one result"),
            std::string::npos);
  EXPECT_NE(error_of(around("%0:-1 = stablehlo.add %a, %a : tensor<2xf32>")), "no error");
}

TEST(ParseTest, WhoCountsCanRefuseATextBeforeMemoryIsTaken) {
  const auto refused = [](const std::string& text) {
    std::int64_t ops_left = 50;
    std::size_t bytes_left = 1 << 20;
    return error_of(text, {.charge = [&](std::int64_t ops, std::size_t bytes) {
                      if (ops > ops_left || bytes > bytes_left) invalid_argument("there is no room");
                      ops_left -= ops;
                      bytes_left -= bytes;
                    }});
  };
  // Each text ends in nonsense, which is not reached.
  std::string many;
  for (int i = 0; i < 100; ++i) many += fmt::format("%{} = stablehlo.add %a, %a : tensor<2xf32>\n", i);
  EXPECT_EQ(refused(around(many + "nonsense")), "there is no room");
  EXPECT_EQ(refused(around("%0 = stablehlo.constant dense<0> : tensor<4194304xi8>\nnonsense")),
            "there is no room");
  std::string list = "a";
  for (int i = 0; i < 10'000; ++i) list += ",a";
  EXPECT_EQ(refused(around("%0 = stablehlo.add %a, %a {x = [" + list + "]} : tensor<2xf32>\nnonsense")),
            "there is no room");
  constexpr int kMany = 10'000;
  for (const std::string& op :
       {"%0 = \"stablehlo.region\"() (" + list_of("{return}", kMany) + ") nonsense",
        "\"stablehlo.region\"() ({return " + list_of("%a", 5 * kMany) + " nonsense})",
        "\"stablehlo.region\"() ({return %a : " + list_of("tensor<2xf32>", kMany) + " nonsense})",
        "\"stablehlo.add\"(%a, %a) : (" + list_of("tensor<2xf32>", kMany) + " nonsense",
        "\"stablehlo.add\"(%a) : (tensor<2xf32>) -> (" + list_of("tensor<2xf32>", kMany) + " nonsense",
        list_of("%x", kMany, true) + " nonsense"})
    EXPECT_EQ(refused(around(op)), "there is no room") << op.substr(0, 60);
  EXPECT_EQ(refused("func.func @main() -> (" + list_of("tensor<2xf32>", kMany) + ") { nonsense }"),
            "there is no room");
  EXPECT_NE(refused(around("nonsense")), "there is no room");
}

TEST(ParseTest, CutOffAtAnyByteItIsAnErrorOrNothing) {
  Function f;
  f.name = "main";
  const Value x = f.body.add_argument({DType::kF32, {2}});
  Builder b(f.body);
  f.body.set_results({b.create(test_ops::kTwice, {x}, {{"axis", std::int64_t{1}}}).result()});
  const std::string text = to_stablehlo(f);
  for (std::size_t size = 0; size + 2 < text.size(); ++size)
    EXPECT_NE(error_of(text.substr(0, size)), "no error") << text.substr(0, size);
}

}  // namespace
}  // namespace cornu::inline v0::ir
