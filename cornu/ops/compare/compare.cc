#include "cornu/ops/compare/compare.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ir/small_types.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ir/type.h"
#include "cornu/ops/complex_reference.h"
#include "cornu/ops/dtype_set.h"
#include "cornu/ops/operands.h"

namespace cornu::inline v0::ops {
namespace compare_folder {
namespace {

constexpr std::array<std::string_view, 6> kDirections = {"EQ", "NE", "GE", "GT", "LE", "LT"};

constexpr std::string_view kTotalOrder = "TOTALORDER";

std::string_view compare_type_of(ir::DType dtype) {
  if (ir::is_float(dtype) || ir::is_small_float(dtype) || ir::is_complex(dtype)) return "FLOAT";
  return ir::is_signed_integer(dtype) || ir::is_signed_small_integer(dtype) ? "SIGNED" : "UNSIGNED";
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType &lhs = context.type(0), &rhs = context.type(1);
  if (lhs.dtype != rhs.dtype)
    invalid_argument("(C1) lhs and rhs must have one dtype; got {} and {}", lhs.str(), rhs.str());
  if (lhs.dims != rhs.dims)
    invalid_argument("(C2) lhs and rhs must have one shape; got {} and {}", lhs.str(), rhs.str());
  const auto& direction = context.attributes.get<std::string>("comparison_direction");
  if (std::find(kDirections.begin(), kDirections.end(), direction) == kDirections.end())
    invalid_argument("(I3) comparison_direction must be one of {}; got \"{}\"", fmt::join(kDirections, ", "),
                     direction);
  const auto& compare_type = context.attributes.get<std::string>("compare_type");
  const bool is_float = ir::is_float(lhs.dtype) || ir::is_small_float(lhs.dtype);
  if (compare_type != compare_type_of(lhs.dtype) && !(is_float && compare_type == kTotalOrder))
    invalid_argument("(C3) compare_type of {} must be {}{}; got \"{}\"", lhs.str(),
                     compare_type_of(lhs.dtype), is_float ? " or TOTALORDER" : "", compare_type);
  return {{ir::DType::kI1, lhs.dims}};
}

/// Complex numbers are ordered by their real, then by their imaginary parts.
bool holds(complex_reference::Complex x, complex_reference::Complex y, ComparisonDirection direction) {
  using complex_reference::is_less;
  switch (direction) {
    case ComparisonDirection::kEq: return x == y;
    case ComparisonDirection::kNe: return x != y;
    case ComparisonDirection::kGe: return is_less(y, x) || x == y;
    case ComparisonDirection::kGt: return is_less(y, x);
    case ComparisonDirection::kLe: return is_less(x, y) || x == y;
    case ComparisonDirection::kLt: return is_less(x, y);
  }
  return false;
}

template <typename T>
bool holds(T x, T y, ComparisonDirection direction) {
  switch (direction) {
    case ComparisonDirection::kEq: return x == y;
    case ComparisonDirection::kNe: return x != y;
    case ComparisonDirection::kGe: return x >= y;
    case ComparisonDirection::kGt: return x > y;
    case ComparisonDirection::kLe: return x <= y;
    case ComparisonDirection::kLt: return x < y;
  }
  return false;
}

/// The elements as integers that are ordered as the floats are in total order.
std::vector<std::int64_t> ordered_bits(const ir::Literal& floats) {
  const auto size = static_cast<std::int64_t>(ir::size_bytes(floats.type().dtype));
  const std::int64_t magnitude = std::numeric_limits<std::int64_t>::max() >> (64 - 8 * size);
  std::vector<std::int64_t> ordered(static_cast<std::size_t>(floats.type().num_elements()));
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    std::int64_t bits = 0;
    std::memcpy(&bits, floats.bytes().data() + i * static_cast<std::size_t>(size),
                static_cast<std::size_t>(size));  // x86-64 is little-endian
    // -0 is the integer -1.
    ordered[i] = (bits & ~magnitude) != 0 ? -1 - (bits & magnitude) : bits;
  }
  return ordered;
}

std::vector<ir::Literal> reference(const ir::ReferenceContext& context) {
  ir::Literal result(context.op.result().type());
  const std::span<bool> out = result.mutable_data<bool>();
  const auto direction =
      comparison_direction_from_name(context.op.attributes().get<std::string>("comparison_direction"));
  if (compares_total_order(context.op)) {
    const std::vector<std::int64_t> lhs = ordered_bits(context.operands[0]),
                                    rhs = ordered_bits(context.operands[1]);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = holds(lhs[i], rhs[i], direction);
    return {result};
  }
  const auto run = [&]<typename T>() {
    using Compared = std::conditional_t<std::is_arithmetic_v<T>, T, complex_reference::Complex>;
    const std::span<const T> lhs = context.operands[0].data<T>(), rhs = context.operands[1].data<T>();
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = holds(Compared(lhs[i]), Compared(rhs[i]), direction);
  };
  if (ir::visit_complex_dtype(context.operands[0].type().dtype, run)) return {result};
  visit_reference_dtype(context.op, context.operands[0].type().dtype, run);
  return {result};
}

std::string print_attributes(const ir::Op& op) {
  return fmt::format(
      "comparison_direction = #stablehlo<comparison_direction {}>, compare_type = #stablehlo<comparison_type "
      "{}>",
      op.attributes().get<std::string>("comparison_direction"),
      op.attributes().get<std::string>("compare_type"));
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  // The short form: LT, %0, %1, FLOAT.
  const auto word = [&](ir::OpAttributes::Names names, std::size_t loose) {
    return loose < text.loose().size() && text.loose()[loose].is(ir::text::SyntaxKind::kWord)
               ? text.loose()[loose].text
               : text.word(names);
  };
  const bool has_type = text.loose().size() > 1 || text.find({"compare_type"}) != nullptr;
  std::string type = has_type ? word({"compare_type"}, 1) : "NOTYPE";
  if (type == "NOTYPE") type = compare_type_of(text.operand_type(0).dtype);
  return {{"comparison_direction", word({"comparison_direction"}, 0)}, {"compare_type", std::move(type)}};
}

const ir::OpDef kCompare = {.name = "compare",
                            .infer = &infer,
                            .gradient = [](const ir::GradientContext&) { return std::vector<ir::Value>(2); },
                            .reference = &reference,
                            .reference_by_f32 = true,
                            .elementwise = true,
                            .print_attributes = &print_attributes,
                            .read_attributes = read_attributes};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kCompare>(); }

}  // namespace compare_folder

std::string_view comparison_direction_name(ComparisonDirection direction) {
  return compare_folder::kDirections[static_cast<std::size_t>(direction)];
}

ComparisonDirection comparison_direction_from_name(std::string_view name) {
  for (std::size_t i = 0; i < compare_folder::kDirections.size(); ++i)
    if (compare_folder::kDirections[i] == name) return static_cast<ComparisonDirection>(i);
  check_failed(__FILE__, __LINE__, "known comparison_direction", name);
}

bool compares_total_order(const ir::Op& compare) {
  return compare.attributes().get<std::string>("compare_type") == compare_folder::kTotalOrder;
}

ir::Value compare_total_order(ir::Builder& b, ir::Value lhs, ir::Value rhs, ComparisonDirection direction) {
  ir::Attributes attributes{{"comparison_direction", std::string(comparison_direction_name(direction))},
                            {"compare_type", std::string(compare_folder::kTotalOrder)}};
  return b.create(compare_folder::kCompare, {lhs, rhs}, std::move(attributes)).result();
}

ir::Value compare(ir::Builder& b, ir::Value lhs, ir::Value rhs, ComparisonDirection direction) {
  ir::Attributes attributes{{"comparison_direction", std::string(comparison_direction_name(direction))},
                            {"compare_type", std::string(compare_folder::compare_type_of(lhs.dtype()))}};
  return b.create(compare_folder::kCompare, {lhs, rhs}, std::move(attributes)).result();
}

}  // namespace cornu::inline v0::ops
