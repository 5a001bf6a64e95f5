#include "cli/check_ops.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "cli/parallel_programs.h"
#include "cornu/base/check.h"
#include "cornu/ir/clone.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::cli {
namespace {

std::vector<ir::TensorType> infer_check(const ir::InferContext& context) {
  const ir::Attribute* const value = context.attributes.find("value");
  const std::size_t num_operands = value == nullptr ? 2 : 1;
  if (context.operands.size() != num_operands)
    invalid_argument("a check takes {} operands; got {}", num_operands, context.operands.size());
  const ir::TensorType& expected = value == nullptr ? context.type(1) : std::get<ir::Literal>(*value).type();
  if (context.type(0) != expected)
    invalid_argument("a check compares values of one type; got {} and {}", context.type(0).str(),
                     expected.str());
  return {};
}

/// The constant of the ops whose names end in "_const", and the tolerances.
ir::Attributes read_check(ir::OpAttributes& text) {
  ir::Attributes attributes;
  if (text.loose().size() == 1 && text.loose()[0].is(ir::text::SyntaxKind::kLiteral))
    attributes.set("value", *text.loose()[0].literal);
  else if (text.find({"value"}) != nullptr)
    attributes.set("value", text.literal({"value"}));
  const ir::text::Syntax* const tolerance = text.find({"tolerance"});
  if (tolerance != nullptr) {
    if (!tolerance->is(ir::text::SyntaxKind::kFloat))
      text.fail(tolerance->begin, "tolerance must be a float");
    attributes.set("tolerance", tolerance->number);
  }
  for (const char* const name : {"min_ulp_difference", "max_ulp_difference"})
    if (text.find({name}) != nullptr) attributes.set(name, text.integer({name}));
  return attributes;
}

/// Calls of functions that are no checks.
const ir::OpDef& registered_call() { return *ops::find_full_name("stablehlo.custom_call"); }

/// A custom call of the test data, whose tolerances are others than those of the ops.
ir::Attributes read_custom_call(ir::OpAttributes& text) {
  const bool is_short = !text.loose().empty() && text.loose()[0].is(ir::text::SyntaxKind::kSymbol);
  const ir::text::Syntax& target = is_short ? text.loose()[0] : text.get({"call_target_name"});
  if (!target.text.starts_with("check.")) return registered_call().read_attributes(text);
  text.ignore({"has_side_effect", "api_version", "backend_config", "called_computations", "operand_layouts",
               "result_layouts", "output_operand_aliases"});
  if (target.text == "check.expect_eq" || target.text == "check.eq") return {{"target", target.text}};
  if (target.text == "check.expect_almost_eq") return {{"target", target.text}, {"tolerance", 1e-3}};
  if (target.text == "check.expect_close")
    return {{"target", target.text}, {"max_ulp_difference", std::int64_t{3}}};
  return registered_call().read_attributes(text);
}

std::vector<ir::TensorType> infer_custom_call(const ir::InferContext& context) {
  return context.attributes.find("target") != nullptr ? infer_check(context)
                                                      : registered_call().infer(context);
}

std::vector<ir::Value> expand_custom_call(const ir::ExpandContext& context) {
  return context.attributes.find("target") != nullptr ? std::vector<ir::Value>()
                                                      : registered_call().expand(context);
}

std::vector<ir::Literal> custom_call_reference(const ir::ReferenceContext& context) {
  return registered_call().reference(context);
}

constexpr ir::OpDef kEqual{.name = "expect_eq", .infer = infer_check, .read_attributes = read_check};
constexpr ir::OpDef kEqualConst{
    .name = "expect_eq_const", .infer = infer_check, .read_attributes = read_check};
constexpr ir::OpDef kAlmostEqual{
    .name = "expect_almost_eq", .infer = infer_check, .read_attributes = read_check};
constexpr ir::OpDef kAlmostEqualConst{
    .name = "expect_almost_eq_const", .infer = infer_check, .read_attributes = read_check};
constexpr ir::OpDef kClose{.name = "expect_close", .infer = infer_check, .read_attributes = read_check};
constexpr ir::OpDef kCustomCall{.name = "custom_call",
                                .infer = infer_custom_call,
                                .reference = custom_call_reference,
                                .read_attributes = read_custom_call,
                                .expand = expand_custom_call};

/// Values that probes wrote are those of the program: they are only computed.
constexpr ir::OpDef kSerializedEqual{.name = "expect_serialized_eq",
                                     .infer =
                                         [](const ir::InferContext& context) {
                                           if (context.operands.size() != 1)
                                             invalid_argument("a check of a probe takes one operand; got {}",
                                                              context.operands.size());
                                           return std::vector<ir::TensorType>();
                                         },
                                     .read_attributes =
                                         [](ir::OpAttributes& text) {
                                           text.ignore({"probe_id", "iter"});
                                           return ir::Attributes();
                                         }};

/// interpreter.probe returns its operand, interpreter.print returns nothing.
constexpr ir::OpDef kProbe{.name = "probe",
                           .infer = [](const ir::InferContext&) { return std::vector<ir::TensorType>(); },
                           .read_attributes =
                               [](ir::OpAttributes& text) {
                                 text.ignore({"probe_id"});
                                 return ir::Attributes();
                               },
                           .expand =
                               [](const ir::ExpandContext& context) {
                                 return std::vector(context.operands.begin(), context.operands.end());
                               }};
constexpr ir::OpDef kPrint{.name = "print",
                           .infer = [](const ir::InferContext&) { return std::vector<ir::TensorType>(); }};

constexpr const ir::OpDef* kCheckOps[] = {&kEqual, &kEqualConst,     &kAlmostEqual, &kAlmostEqualConst,
                                          &kClose, &kSerializedEqual};

bool is_check(const ir::Op& op) {
  return (&op.def() == &kCustomCall && op.attributes().find("target") != nullptr) ||
         std::find(std::begin(kCheckOps), std::end(kCheckOps), &op.def()) != std::end(kCheckOps);
}

void refuse_checks_in_regions(const ir::Op& op) {
  for (const auto& region : op.regions())
    for (const auto& inner : region->ops()) {
      if (is_check(*inner))
        fail(ErrorCode::kUnimplemented, "[{}] a check inside of a region is not supported", inner->name());
      refuse_checks_in_regions(*inner);
    }
}

CheckRule rule_of(const ir::Op& op, std::string_view name) {
  CheckRule rule;
  if (name.find("almost_eq") != std::string_view::npos) rule.kind = CheckKind::kAlmostEqual;
  if (name.find("close") != std::string_view::npos) rule.kind = CheckKind::kClose;
  if (op.attributes().find("tolerance") != nullptr) rule.tolerance = op.attributes().get<double>("tolerance");
  const auto ulps = [&](std::string_view key, std::int64_t& value) {
    if (op.attributes().find(key) != nullptr) value = op.attributes().get<std::int64_t>(key);
  };
  ulps("min_ulp_difference", rule.min_ulps);
  ulps("max_ulp_difference", rule.max_ulps);
  return rule;
}

std::int64_t bits_of(const ir::Literal& literal, std::int64_t i) {
  const std::size_t size = ir::size_bytes(literal.type().dtype);
  std::int64_t bits = 0;
  std::memcpy(&bits, literal.bytes().data() + static_cast<std::size_t>(i) * size, size);
  return bits;
}

/// Distance of two finite floats on the line of their bit patterns; of opposite signs the sum of both.
std::uint64_t ulps_between(const ir::Literal& a, const ir::Literal& b, std::int64_t i) {
  const std::uint64_t sign = std::uint64_t{1} << (ir::bit_width(a.type().dtype) - 1);
  const auto x = static_cast<std::uint64_t>(bits_of(a, i)), y = static_cast<std::uint64_t>(bits_of(b, i));
  const std::uint64_t x_size = x & (sign - 1), y_size = y & (sign - 1);
  if ((x & sign) != (y & sign)) return x_size + y_size;
  return x_size > y_size ? x_size - y_size : y_size - x_size;
}

bool agrees(const ir::Literal& actual, const ir::Literal& expected, std::int64_t i, const CheckRule& rule) {
  if (!ir::is_float(actual.type().dtype) && !ir::is_small_float(actual.type().dtype))
    return bits_of(actual, i) == bits_of(expected, i);
  const double a = actual.at(i), e = expected.at(i);
  if (rule.kind == CheckKind::kEqual) return a == e;
  if (std::isnan(a) || std::isnan(e)) return std::isnan(a) && std::isnan(e);
  if (std::isinf(a) || std::isinf(e)) return a == e;
  if (rule.kind == CheckKind::kAlmostEqual) return a == e || std::fabs(a - e) <= rule.tolerance;
  const std::uint64_t ulps = ulps_between(actual, expected, i);
  return std::cmp_greater_equal(ulps, rule.min_ulps) && std::cmp_less_equal(ulps, rule.max_ulps);
}

std::string element_str(const ir::Literal& literal, std::int64_t i) {
  return ir::is_float(literal.type().dtype) ? fmt::format("{}", literal.at(i))
                                            : fmt::format("{}", bits_of(literal, i));
}

}  // namespace

const ir::OpDef* find_op_or_check(std::string_view full_name) {
  constexpr std::string_view kDialect = "check.";
  if (full_name.starts_with(kDialect))
    for (const ir::OpDef* const op : kCheckOps)
      if (op->name == full_name.substr(kDialect.size())) return op;
  if (full_name == "interpreter.run_parallel") return &run_parallel_op();
  if (full_name == "interpreter.probe") return &kProbe;
  if (full_name == "interpreter.print") return &kPrint;
  return full_name == "stablehlo.custom_call" ? &kCustomCall : ops::find_full_name(full_name);
}

CheckedFunction without_checks(const ir::Function& function) {
  CheckedFunction checked{std::make_unique<ir::Function>(), {}};
  std::vector<ir::Value> compared;
  for (const auto& op : function.body.ops()) {
    refuse_checks_in_regions(*op);
    if (!is_check(*op)) continue;
    const ir::Attribute* const target = op->attributes().find("target");
    Check check;
    check.name = target == nullptr ? fmt::format("check.{}", op->name()) : std::get<std::string>(*target);
    check.rule = rule_of(*op, check.name);
    check.actual = compared.size();
    compared.push_back(op->operand(0));
    if (op->operands().size() > 1) {
      check.expected = compared.size();
      compared.push_back(op->operand(1));
    } else if (&op->def() == &kSerializedEqual) {
      check.expected = check.actual;
      check.rule = {.kind = CheckKind::kClose, .max_ulps = 0};
    } else {
      check.constant = op->attributes().get<ir::Literal>("value");
    }
    checked.checks.push_back(std::move(check));
  }
  // A function without checks passes if it runs.
  if (checked.checks.empty()) compared.assign(function.body.results().begin(), function.body.results().end());
  ir::ValueMap map;
  checked.function->name = function.name;
  for (const ir::Value& argument : function.body.arguments())
    map[argument] = checked.function->body.add_argument(argument.type());
  ir::Builder builder(checked.function->body);
  checked.function->body.set_results(ir::clone_needed_ops(builder, function.body, compared, map));
  return checked;
}

std::string difference(const ir::Literal& actual, const ir::Literal& expected, const CheckRule& rule) {
  if (actual.type() != expected.type())
    return fmt::format("the types are {} and {}", actual.type().str(), expected.type().str());
  if (ir::is_complex(actual.type().dtype)) {
    const std::string real = difference(ir::real_part(actual), ir::real_part(expected), rule);
    return real.empty() ? difference(ir::imag_part(actual), ir::imag_part(expected), rule) : real;
  }
  for (std::int64_t i = 0; i < actual.type().num_elements(); ++i)
    if (!agrees(actual, expected, i, rule))
      return fmt::format("element {} is {}, expected {}", i, element_str(actual, i),
                         element_str(expected, i));
  return "";
}

}  // namespace cornu::inline v0::cli
