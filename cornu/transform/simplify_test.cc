#include "cornu/transform/simplify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/ops/registry.h"
#include "cornu/transform/simplify_patterns.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;
using Operands = std::span<const ir::Value>;
using Build = std::function<ir::Value(ir::Builder&, Operands)>;

const ir::TensorType kMatrix{DType::kF32, {2, 3}};
const ir::TensorType kIntegers{DType::kI32, {2, 3}};
const ir::TensorType kBooleans{DType::kI1, {2, 3}};

std::string simplified(const std::vector<ir::TensorType>& types, const Build& build) {
  return body_text(*simplify(*make_function(
      types, [&](ir::Builder& b, Operands v) { return std::vector<ir::Value>{build(b, v)}; })));
}

std::string built(const std::vector<ir::TensorType>& types, const Build& build) {
  return body_text(
      *make_function(types, [&](ir::Builder& b, Operands v) { return std::vector<ir::Value>{build(b, v)}; }));
}

/// A graph before and after.
struct Row {
  const char* what;
  std::vector<ir::TensorType> types;
  Build before;
  Build after;
};

ir::Value first(ir::Builder&, Operands v) { return v[0]; }
ir::Value like(ir::Builder& b, ir::Value x, double value) { return ops::full(b, x.type(), value); }

TEST(SimplifyTest, RewritesWhatKeepsEveryBit) {
  const std::vector<Row> rows = {
      {"x + -0", {kMatrix}, [](auto& b, auto v) { return ops::add(b, v[0], like(b, v[0], -0.0)); }, first},
      {"0 + x, integers",
       {kIntegers},
       [](auto& b, auto v) { return ops::add(b, like(b, v[0], 0), v[0]); },
       first},
      {"x - 0", {kMatrix}, [](auto& b, auto v) { return ops::subtract(b, v[0], like(b, v[0], 0)); }, first},
      {"x * 1", {kMatrix}, [](auto& b, auto v) { return ops::multiply(b, v[0], like(b, v[0], 1)); }, first},
      {"1 * x", {kMatrix}, [](auto& b, auto v) { return ops::multiply(b, like(b, v[0], 1), v[0]); }, first},
      {"x * 0, integers",
       {kIntegers},
       [](auto& b, auto v) { return ops::multiply(b, v[0], like(b, v[0], 0)); },
       [](auto& b, auto v) { return like(b, v[0], 0); }},
      {"x / 1", {kMatrix}, [](auto& b, auto v) { return ops::divide(b, v[0], like(b, v[0], 1)); }, first},
      {"x / 4",
       {kMatrix},
       [](auto& b, auto v) { return ops::divide(b, v[0], like(b, v[0], 4)); },
       [](auto& b, auto v) { return ops::multiply(b, v[0], like(b, v[0], 0.25)); }},
      {"true and x",
       {kBooleans},
       [](auto& b, auto v) { return ops::and_(b, like(b, v[0], 1), v[0]); },
       first},
      {"x or false", {kBooleans}, [](auto& b, auto v) { return ops::or_(b, v[0], like(b, v[0], 0)); }, first},
      {"-(-x)", {kMatrix}, [](auto& b, auto v) { return ops::negate(b, ops::negate(b, v[0])); }, first},
      {"not not x", {kBooleans}, [](auto& b, auto v) { return ops::not_(b, ops::not_(b, v[0])); }, first},
      {"select(p, x, x)",
       {kMatrix, kBooleans},
       [](auto& b, auto v) { return ops::select(b, v[1], v[0], v[0]); },
       first},
      {"select(true, x, y)",
       {kMatrix, kMatrix},
       [](auto& b, auto v) { return ops::select(b, ops::scalar(b, DType::kI1, 1), v[0], v[1]); },
       first},
      {"select(false, y, x)",
       {kMatrix, kMatrix},
       [](auto& b, auto v) { return ops::select(b, ops::scalar(b, DType::kI1, 0), v[1], v[0]); },
       first},
      {"convert to the same dtype",
       {kMatrix},
       [](auto& b, auto v) { return ops::convert(b, v[0], DType::kF32); },
       first},
      {"broadcast to the same shape",
       {kMatrix},
       [](auto& b, auto v) { return ops::broadcast_in_dim(b, v[0], {2, 3}, {0, 1}); },
       first},
      {"broadcast of broadcast",
       {{DType::kF32, {3}}},
       [](auto& b, auto v) {
         return ops::broadcast_in_dim(b, ops::broadcast_in_dim(b, v[0], {2, 3}, {1}), {3, 4, 2}, {2, 0});
       },
       [](auto& b, auto v) { return ops::broadcast_in_dim(b, v[0], {3, 4, 2}, {0}); }},
      {"broadcast of a reshape that adds ones",
       {{DType::kF32, {3}}},
       [](auto& b, auto v) { return ops::broadcast_to(b, ops::reshape(b, v[0], {3, 1}), {2, 3, 4}); },
       [](auto& b, auto v) { return ops::broadcast_in_dim(b, v[0], {2, 3, 4}, {1}); }},
      {"reshape to the same shape",
       {kMatrix},
       [](auto& b, auto v) { return ops::reshape(b, v[0], {2, 3}); },
       first},
      {"reshape of reshape",
       {kMatrix},
       [](auto& b, auto v) { return ops::reshape(b, ops::reshape(b, v[0], {6}), {2, 3}); },
       first},
      {"reshape of a scalar's broadcast",
       {{DType::kF32, {}}},
       [](auto& b, auto v) { return ops::reshape(b, ops::broadcast_scalar(b, v[0], {2, 3}), {6}); },
       [](auto& b, auto v) { return ops::broadcast_scalar(b, v[0], {6}); }},
      {"transpose in order",
       {kMatrix},
       [](auto& b, auto v) { return ops::transpose(b, v[0], {0, 1}); },
       first},
      {"transpose of transpose",
       {{DType::kF32, {2, 3, 4}}},
       [](auto& b, auto v) { return ops::transpose(b, ops::transpose(b, v[0], {1, 2, 0}), {1, 2, 0}); },
       [](auto& b, auto v) { return ops::transpose(b, v[0], {2, 0, 1}); }},
      {"slice of everything",
       {kMatrix},
       [](auto& b, auto v) { return ops::slice(b, v[0], {0, 0}, {2, 3}, {1, 1}); },
       first},
      {"pad by nothing",
       {kMatrix},
       [](auto& b, auto v) {
         return ops::pad(b, v[0], ops::scalar(b, DType::kF32, 7), {0, 0}, {0, 0}, {0, 0});
       },
       first},
      {"sum of pads",
       {kMatrix, kMatrix},
       [](auto& b, auto v) {
         const auto padded = [&b](auto x) {
           return ops::pad(b, x, ops::scalar(b, DType::kF32, 0), {0, 0}, {1, 0}, {0, 2});
         };
         return ops::add(b, padded(v[0]), padded(v[1]));
       },
       [](auto& b, auto v) {
         return ops::pad(b, ops::add(b, v[0], v[1]), ops::scalar(b, DType::kF32, 0), {0, 0}, {1, 0}, {0, 2});
       }},
      {"reverse of no dimension",
       {kMatrix},
       [](auto& b, auto v) { return ops::reverse(b, v[0], {}); },
       first},
      {"concatenate of one",
       {kMatrix},
       [](auto& b, auto v) { return ops::concatenate(b, {v[0]}, 1); },
       first},
      {"dot of transposes",
       {{DType::kF32, {4, 2}}, {DType::kF32, {3, 4}}},
       [](auto& b, auto v) {
         const ir::Value left = ops::transpose(b, v[0], {1, 0}), right = ops::transpose(b, v[1], {1, 0});
         return ops::matmul(b, left, right);
       },
       [](auto& b, auto v) { return ops::dot_general(b, v[0], v[1], {{}, {}, {0}, {1}}); }},
      {"transpose of a dot",
       {{DType::kF32, {5, 4, 2}}, {DType::kF32, {5, 3, 4}}},
       [](auto& b, auto v) {
         return ops::transpose(b, ops::dot_general(b, v[0], v[1], {{0}, {0}, {1}, {2}}), {0, 2, 1});
       },
       [](auto& b, auto v) { return ops::dot_general(b, v[1], v[0], {{0}, {0}, {2}, {1}}); }},
      {"arithmetic on constants",
       {},
       [](auto& b, auto) {
         const ir::Value two = ops::scalar(b, DType::kF32, 2), three = ops::scalar(b, DType::kF32, 3);
         return ops::multiply(b, two, ops::add(b, two, three));
       },
       [](auto& b, auto) { return ops::scalar(b, DType::kF32, 10); }},
      {"arithmetic on large splats",
       {},
       [](auto& b, auto) {
         const ir::TensorType large{DType::kF32, {100, 100}};
         const ir::Value two = ops::full(b, large, 2), three = ops::full(b, large, 3);
         return ops::multiply(b, two, three);
       },
       [](auto& b, auto) { return ops::full(b, {DType::kF32, {100, 100}}, 6); }},
      {"a constant of equal elements",
       {},
       [](auto& b, auto) { return ops::constant(b, ir::Literal::of<float>({2, 2}, {3, 3, 3, 3})); },
       [](auto& b, auto) { return ops::full(b, {DType::kF32, {2, 2}}, 3); }},
      {"shape ops on constants",
       {},
       [](auto& b, auto) {
         return ops::reverse(b, ops::constant(b, ir::Literal::of<float>({3}, {1, 2, 3})), {0});
       },
       [](auto& b, auto) { return ops::constant(b, ir::Literal::of<float>({3}, {3, 2, 1})); }},
      {"a slice within a part of a concatenate",
       {kMatrix, kMatrix},
       [](auto& b, auto v) {
         return ops::slice(b, ops::concatenate(b, {v[0], v[1]}, 1), {0, 4}, {2, 6}, {1, 1});
       },
       [](auto& b, auto v) { return ops::slice(b, v[1], {0, 1}, {2, 3}, {1, 1}); }},
      {"a reduction of single elements",
       {{DType::kI1, {4, 1}}},
       [](auto& b, auto v) { return ops::reduce_and(b, v[0], {1}); },
       [](auto& b, auto v) { return ops::reshape(b, v[0], {4}); }},
      {"windows of single elements",
       {kMatrix},
       [](auto& b, auto v) { return ops::reduce_window_max(b, v[0], {.dimensions = {1, 1}}); },
       first},
      {"equal ops",
       {kMatrix},
       [](auto& b, auto v) {
         const ir::Value x = ops::tanh(b, v[0]), y = ops::tanh(b, v[0]);
         return ops::add(b, x, y);
       },
       [](auto& b, auto v) {
         const ir::Value x = ops::tanh(b, v[0]);
         return ops::add(b, x, x);
       }},
      {"dead code",
       {kMatrix},
       [](auto& b, auto v) {
         ops::tanh(b, ops::sine(b, v[0]));
         return v[0];
       },
       first},
      {"composites",
       {kMatrix},
       [](auto& b, auto v) { return ops::relu(b, v[0]); },
       [](auto& b, auto v) { return ops::maximum(b, v[0], like(b, v[0], 0)); }},
  };
  for (const Row& row : rows)
    EXPECT_EQ(simplified(row.types, row.before), built(row.types, row.after)) << row.what;
}

TEST(SimplifyTest, LeavesAloneWhatCouldChangeABit) {
  const std::vector<Row> rows = {
      {"x + 0 is 0 at x = -0",
       {kMatrix},
       [](auto& b, auto v) { return ops::add(b, v[0], like(b, v[0], 0)); },
       {}},
      {"x - -0 is 0 at x = -0",
       {kMatrix},
       [](auto& b, auto v) { return ops::subtract(b, v[0], like(b, v[0], -0.0)); },
       {}},
      {"x * 0 is NaN at infinity",
       {kMatrix},
       [](auto& b, auto v) { return ops::multiply(b, v[0], like(b, v[0], 0)); },
       {}},
      {"x / 3 rounds", {kMatrix}, [](auto& b, auto v) { return ops::divide(b, v[0], like(b, v[0], 3)); }, {}},
      {"the inverse is subnormal",
       {kMatrix},
       [](auto& b, auto v) { return ops::divide(b, v[0], like(b, v[0], 0x1p127)); },
       {}},
      {"integers do not divide exactly",
       {kIntegers},
       [](auto& b, auto v) { return ops::divide(b, v[0], like(b, v[0], 4)); },
       {}},
      {"the free dimensions would swap",
       {{DType::kF32, {4, 2, 3}}, {DType::kF32, {4}}},
       [](auto& b, auto v) {
         return ops::dot_general(b, ops::transpose(b, v[0], {2, 1, 0}), v[1], {{}, {}, {2}, {0}});
       },
       {}},
      {"the dot has another use",
       {{DType::kF32, {3, 4}}, {DType::kF32, {4, 3}}},
       [](auto& b, auto v) {
         const ir::Value dot = ops::matmul(b, v[0], v[1]);
         return ops::add(b, ops::transpose(b, dot, {1, 0}), dot);
       },
       {}},
      {"the free dimensions of the dot stay apart",
       {{DType::kF32, {3, 2, 4}}, {DType::kF32, {4, 5}}},
       [](auto& b, auto v) {
         return ops::transpose(b, ops::dot_general(b, v[0], v[1], {{}, {}, {2}, {0}}), {1, 2, 0});
       },
       {}},
      {"the axes differ",
       {kMatrix},
       [](auto& b, auto v) {
         const ir::Value x = ops::reverse(b, v[0], {0}), y = ops::reverse(b, v[0], {1});
         return ops::add(b, x, y);
       },
       {}},
  };
  for (const Row& row : rows)
    EXPECT_EQ(simplified(row.types, row.before), built(row.types, row.before)) << row.what;
}

TEST(SimplifyTest, EveryPatternNamesAnOp) {
  for (const Pattern& pattern : simplify_patterns()) {
    EXPECT_NE(ops::find_op_def(pattern.op), nullptr) << pattern.op;
    EXPECT_FALSE(pattern.what.empty());
  }
}

TEST(SimplifyTest, SimplifiesInsideLoops) {
  const auto function = make_function({{DType::kF32, {}}}, [](ir::Builder& b, Operands v) {
    return ops::while_(
        b, {v[0]},
        [](ir::Builder& c, Operands w) {
          return ops::compare(c, w[0], ops::scalar(c, DType::kF32, 9), ops::ComparisonDirection::kLt);
        },
        [](ir::Builder& c, Operands w) {
          const ir::Value two = ops::add(c, ops::scalar(c, DType::kF32, 1), ops::scalar(c, DType::kF32, 1));
          return std::vector<ir::Value>{ops::add(c, ops::relu(c, w[0]), two)};
        });
  });
  const auto simple = simplify(*function);
  ir::verify(*simple);
  EXPECT_EQ(body_text(*simple), R"(%8 = "stablehlo.while"(%arg0) ({
^bb0(%0: tensor<f32>):
%1 = "stablehlo.constant"() <{value = dense<9.0e+00> : tensor<f32>}> : () -> tensor<f32>
%2 = "stablehlo.compare"(%0, %1) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
"stablehlo.return"(%2) : (tensor<i1>) -> ()
}, {
^bb0(%3: tensor<f32>):
%4 = "stablehlo.constant"() <{value = dense<2.0e+00> : tensor<f32>}> : () -> tensor<f32>
%5 = "stablehlo.constant"() <{value = dense<0.0e+00> : tensor<f32>}> : () -> tensor<f32>
%6 = stablehlo.maximum %3, %5 : tensor<f32>
%7 = stablehlo.add %6, %4 : tensor<f32>
"stablehlo.return"(%7) : (tensor<f32>) -> ()
}) : (tensor<f32>) -> tensor<f32>
return %8 : tensor<f32>
)");
  const ir::Literal start[] = {ir::Literal::scalar(DType::kF32, -5)};
  EXPECT_EQ(backends::reference::evaluate(*simple, start)[0].at(0), 10);
}

TEST(SimplifyTest, KeepsLocations) {
  const auto function = make_function({kMatrix}, [](ir::Builder& b, Operands v) {
    b.set_location("dense_1");
    const ir::Value x = ops::relu(b, v[0]);
    b.set_location("dense_2");
    return std::vector<ir::Value>{ops::tanh(b, x)};
  });
  const auto simple = simplify(*function);
  for (const auto& op : simple->body.ops())
    EXPECT_EQ(op->location(), op->name() == "tanh" ? "dense_2" : "dense_1") << op->name();
}

TEST(SimplifyTest, KeepsCompositesWhenAsked) {
  const auto function = make_function(
      {kMatrix}, [](ir::Builder& b, Operands v) { return std::vector<ir::Value>{ops::relu(b, v[0])}; });
  const auto simple = simplify(*function, {.inline_composites = false});
  ASSERT_EQ(simple->body.ops().size(), 1u);
  EXPECT_EQ(simple->body.ops()[0]->name(), "cornu.relu");
}

TEST(SimplifyTest, FoldsNoMoreElementsThanAllowed) {
  const auto reversed = [](DType dtype, std::int64_t count) -> Build {
    return [=](ir::Builder& b, Operands) {
      ir::Literal literal(ir::TensorType{dtype, {count}});
      literal.mutable_bytes()[0] = std::byte{1};
      return ops::reverse(b, ops::constant(b, literal), {0});
    };
  };
  for (const auto& [dtype, most] : {std::pair{DType::kF32, 64}, {DType::kI32, 4096}}) {
    EXPECT_EQ(simplified({}, reversed(dtype, most + 1)), built({}, reversed(dtype, most + 1)));
    EXPECT_NE(simplified({}, reversed(dtype, most)), built({}, reversed(dtype, most)));
  }
}

/// Slices of v[0] are added at `positions` of dimension 1 to a tensor of [2, extent, 3] with equal elements.
Build slices_added_at(std::vector<std::int32_t> positions, std::int64_t extent, double value) {
  return [=](ir::Builder& b, Operands v) {
    const ir::Value full = ops::full(b, {v[0].dtype(), {2, extent, 3}}, value);
    const auto count = static_cast<std::int64_t>(positions.size());
    const ir::Value at =
        ops::constant(b, ir::Literal::of<std::int32_t>({count}, std::span<const std::int32_t>(positions)));
    return ops::scatter_add(b, full, at, v[0],
                            {.update_window_dims = {0, 2},
                             .inserted_window_dims = {1},
                             .scatter_dims_to_operand_dims = {1},
                             .index_vector_dim = 1});
  };
}

TEST(SimplifyTest, SlicesAddedAtDistinctConstantPositionsAreGathered) {
  const ir::TensorType slices{DType::kF32, {2, 3, 3}};
  ir::Literal values(slices);
  for (std::size_t i = 0; i < 18; ++i) values.mutable_data<float>()[i] = static_cast<float>(i) - 4;
  values.mutable_data<float>()[4] = -0.0F;
  for (const double start : {0.0, -0.0, 2.5})
    // Position 7 is outside of [0, 5) and skipped.
    for (const std::vector<std::int32_t>& positions : {std::vector<std::int32_t>{4, 0, 2}, {1, 7, 3}}) {
      const Build added = slices_added_at(positions, 5, start);
      const auto function = make_function(
          {slices}, [&](ir::Builder& b, Operands v) { return std::vector<ir::Value>{added(b, v)}; });
      const auto simple = simplify(*function);
      EXPECT_EQ(body_text(*simple).find("scatter"), std::string::npos);
      const std::vector<ir::Literal> inputs = {values};
      const ir::Literal expected = backends::reference::evaluate(*function, inputs)[0];
      const ir::Literal found = backends::reference::evaluate(*simple, inputs)[0];
      EXPECT_TRUE(std::ranges::equal(found.bytes(), expected.bytes()));
    }
}

TEST(SimplifyTest, OtherScattersStay) {
  const ir::TensorType slices{DType::kF32, {2, 3, 3}};
  for (const Build& added : {slices_added_at({1, 0, 1}, 5, 0), slices_added_at({4, 0, 2}, 13, 0)})
    EXPECT_NE(simplified({slices}, added).find("scatter"), std::string::npos);
}

TEST(SimplifyTest, AWindowScatteredToAConstantPositionIsAnUpdatedSlice) {
  const ir::TensorType whole{DType::kF32, {5, 4}}, row{DType::kF32, {3}};
  for (const bool adds : {true, false})
    for (const std::int32_t column : {0, 1, 2, -1}) {  // from 2 and -1 a part of the window is outside
      const auto function = make_function({whole, row}, [&](ir::Builder& b, Operands v) {
        const ir::Value at = ops::constant(b, ir::Literal::of<std::int32_t>({2}, {2, column}));
        return ops::scatter(
            b, {v[0]}, at, {v[1]},
            {.update_window_dims = {0}, .inserted_window_dims = {0}, .scatter_dims_to_operand_dims = {0, 1}},
            [&](ir::Builder& c, std::span<const ir::Value> w) {
              return std::vector<ir::Value>{adds ? ops::add(c, w[0], w[1]) : w[1]};
            });
      });
      const auto simple = simplify(*function);
      ir::verify(*simple);
      const bool is_inside = column == 0 || column == 1;
      EXPECT_EQ(body_text(*simple).find("scatter") == std::string::npos, is_inside) << column;
      std::vector<ir::Literal> inputs;
      for (const ir::TensorType& type : {whole, row}) {
        inputs.emplace_back(type);
        float next = 0.5F;
        for (float& x : inputs.back().mutable_data<float>()) x = next += 1.25F;
      }
      EXPECT_TRUE(backends::reference::evaluate(*simple, inputs)[0] ==
                  backends::reference::evaluate(*function, inputs)[0]);
    }
}

TEST(SimplifyTest, AReductionOfTensorsJoinedForItIsElementByElement) {
  for (const bool is_sum : {true, false}) {
    const auto function =
        make_function({{DType::kF32, {1, 4}}, {DType::kF32, {1, 4}}, {DType::kF32, {1, 4}}},
                      [&](ir::Builder& b, Operands v) {
                        const ir::Value joined = ops::concatenate(b, {v[0], v[1], v[2]}, 0);
                        return std::vector<ir::Value>{is_sum ? ops::reduce_sum(b, joined, {0})
                                                             : ops::reduce_max(b, joined, {0})};
                      });
    const auto simple = simplify(*function);
    ir::verify(*simple);
    // A sum rounds in an order of its own.
    EXPECT_EQ(body_text(*simple).find("stablehlo.reduce") == std::string::npos, !is_sum);
    const std::vector<ir::Literal> inputs = {ir::Literal::of<float>({1, 4}, {1, 2, -3, 4}),
                                             ir::Literal::of<float>({1, 4}, {-1, 7, 3, 0.5F}),
                                             ir::Literal::of<float>({1, 4}, {2, 0.25F, 5, -6})};
    EXPECT_TRUE(backends::reference::evaluate(*simple, inputs)[0] ==
                backends::reference::evaluate(*function, inputs)[0]);
  }
}

TEST(SimplifyTest, AKnownBranchTakesThePlaceOfItsOp) {
  const auto choose = [](bool pred) {
    return [pred](ir::Builder& b, Operands v) {
      return ops::if_(
          b, ops::constant(b, ir::Literal::of<bool>({}, {pred})),
          [&](ir::Builder& c) { return std::vector<ir::Value>{ops::negate(c, v[0])}; },
          [&](ir::Builder& c) { return std::vector<ir::Value>{ops::sine(c, v[0])}; })[0];
    };
  };
  EXPECT_EQ(simplified({kMatrix}, choose(true)),
            built({kMatrix}, [](ir::Builder& b, Operands v) { return ops::negate(b, v[0]); }));
  EXPECT_EQ(simplified({kMatrix}, choose(false)),
            built({kMatrix}, [](ir::Builder& b, Operands v) { return ops::sine(b, v[0]); }));
  const Build last = [](ir::Builder& b, Operands v) {
    const std::vector<ops::Branch> branches = {
        [&](ir::Builder&) { return std::vector<ir::Value>{v[0]}; },
        [&](ir::Builder& c) { return std::vector<ir::Value>{ops::sine(c, v[0])}; }};
    return ops::case_(b, ops::scalar(b, DType::kI32, 7), branches)[0];
  };
  EXPECT_EQ(simplified({kMatrix}, last),
            built({kMatrix}, [](ir::Builder& b, Operands v) { return ops::sine(b, v[0]); }));
}

TEST(SimplifyTest, LoopsCarryOnlyWhatChangesAndIsNeeded) {
  using Carried = std::vector<ir::Value>;
  const auto less = [](ir::Builder& c, ir::Value i, ir::Value bound) {
    return ops::compare(c, i, bound, ops::ComparisonDirection::kLt);
  };
  const auto next = [](ir::Builder& c, ir::Value i) {
    return ops::add(c, i, ops::scalar(c, DType::kI32, 1));
  };
  // The bound never changes, the sine is read by itself only.
  const Build wide = [&](ir::Builder& b, Operands v) {
    return ops::while_(
        b, {v[0], v[1], v[2], v[2]}, [&](ir::Builder& c, Operands w) { return less(c, w[0], w[1]); },
        [&](ir::Builder& c, Operands w) -> Carried {
          return {next(c, w[0]), w[1], ops::negate(c, w[2]), ops::sine(c, w[3])};
        })[2];
  };
  const Build narrow = [&](ir::Builder& b, Operands v) {
    return ops::while_(
        b, {v[0], v[2]}, [&](ir::Builder& c, Operands w) { return less(c, w[0], v[1]); },
        [&](ir::Builder& c, Operands w) -> Carried { return {next(c, w[0]), ops::negate(c, w[1])}; })[1];
  };
  const std::vector<ir::TensorType> types = {{DType::kI32, {}}, {DType::kI32, {}}, kMatrix};
  EXPECT_EQ(simplified(types, wide), built(types, narrow));
}

TEST(SimplifyTest, LoopsComputeWhatNeverChangesOnce) {
  const ir::TensorType counter{DType::kI32, {}}, large{DType::kF32, {32, 32}}, small{DType::kF32, {32}};
  const auto loop = [](ir::Builder& b, Operands v, const std::function<ir::Value(ir::Builder&)>& term) {
    return ops::while_(
        b, {v[0], v[1]},
        [&](ir::Builder& c, Operands w) {
          return ops::compare(c, w[0], ops::scalar(c, DType::kI32, 5), ops::ComparisonDirection::kLt);
        },
        [&](ir::Builder& c, Operands w) -> std::vector<ir::Value> {
          return {ops::add(c, w[0], ops::scalar(c, DType::kI32, 1)), ops::add(c, w[1], term(c))};
        })[1];
  };
  // The sine and its cosine are taken once; a row's broadcast is cheaper to compute than to read.
  const auto before = [](ir::Builder& c, Operands v) {
    return ops::cosine(c, ops::transpose(c, ops::sine(c, v[2]), {1, 0}));
  };
  const Build whole = [&](ir::Builder& b, Operands v) {
    return loop(b, v, [&](ir::Builder& c) { return before(c, v); });
  };
  const Build hoisted = [&](ir::Builder& b, Operands v) {
    const ir::Value once = before(b, v);
    return loop(b, v, [&](ir::Builder&) { return once; });
  };
  EXPECT_EQ(simplified({counter, large, large}, whole), built({counter, large, large}, hoisted));
  const Build row = [&](ir::Builder& b, Operands v) {
    return loop(b, v,
                [&](ir::Builder& c) { return ops::sine(c, ops::broadcast_in_dim(c, v[2], {32, 32}, {1})); });
  };
  EXPECT_EQ(simplified({counter, large, small}, row), built({counter, large, small}, row));
}

TEST(SimplifyTest, AChainOfTwentyThousandOpsNeedsNoDeepStack) {
  const auto function = make_function({kMatrix}, [](ir::Builder& b, Operands v) {
    ir::Value x = v[0];
    for (int i = 0; i < 10000; ++i) x = ops::sine(b, ops::reshape(b, x, {x.dims()[1], x.dims()[0]}));
    return std::vector<ir::Value>{x};
  });
  EXPECT_EQ(simplify(*function)->body.ops().size(), 20000u);
}

TEST(SimplifyTest, ASimplifiedGraphStaysAsItIs) {
  const auto function = make_function({{DType::kF32, {4, 3}}}, [](ir::Builder& b, Operands v) {
    return std::vector<ir::Value>{ops::log_softmax(b, v[0]), ops::log_cosh(b, v[0])};
  });
  const auto once = simplify(*function);
  EXPECT_EQ(body_text(*simplify(*once)), body_text(*once));
}

}  // namespace
}  // namespace cornu::inline v0::transform
