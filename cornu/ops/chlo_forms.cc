#include "cornu/ops/chlo_forms.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/chlo_binary/chlo_binary.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/forms.h"
#include "cornu/ops/ragged_dot.h"
#include "cornu/ops/registry.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/scan_form.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace chlo_forms {
namespace {

using ir::Value;
using Context = ir::ExpandContext;
using Values = std::vector<Value>;

/// The shape of all operands: extents are aligned at the last dimension, and 1 is repeated.
ir::Dims common_dims(std::span<const Value> operands) {
  ir::Dims dims;
  for (const Value& operand : operands) {
    const ir::Dims& own = operand.dims();
    if (own.size() > dims.size()) dims.insert(dims.begin(), own.size() - dims.size(), 1);
    for (std::size_t i = 0; i < own.size(); ++i) {
      std::int64_t& extent = dims[dims.size() - own.size() + i];
      if (extent != own[i] && extent != 1 && own[i] != 1)
        invalid_argument("the shapes of the operands do not fit; got {} and {}", operands[0].type().str(),
                         operand.type().str());
      if (extent == 1) extent = own[i];
    }
  }
  return dims;
}

Value broadcast(ir::Builder& b, Value x, const ir::Dims& dims) {
  if (x.dims() == dims) return x;
  // Extents of 1 that are repeated are left out.
  ir::Dims kept, places;
  for (std::size_t i = 0; i < x.dims().size(); ++i) {
    const std::size_t place = dims.size() - x.dims().size() + i;
    if (x.dims()[i] != dims[place]) continue;
    kept.push_back(x.dims()[i]);
    places.push_back(static_cast<std::int64_t>(place));
  }
  return broadcast_in_dim(b, kept == x.dims() ? x : reshape(b, x, kept), dims, places);
}

/// The operand of less dimensions with extents of 1 where broadcast_dimensions names none of its own.
Value placed(ir::Builder& b, Value x, const ir::Dims& dimensions, std::int64_t rank) {
  if (dimensions.size() != x.dims().size())
    invalid_argument("broadcast_dimensions must have {} elements; got {}", x.rank(), dimensions);
  ir::Dims dims(static_cast<std::size_t>(rank), 1);
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    if (dimensions[i] < 0 || dimensions[i] >= rank || (i > 0 && dimensions[i] <= dimensions[i - 1]))
      invalid_argument("broadcast_dimensions must ascend in [0, {}); got {}", rank, dimensions);
    dims[static_cast<std::size_t>(dimensions[i])] = x.dims()[i];
  }
  return reshape(b, x, dims);
}

/// Both operands in one shape.
Values broadcast_pair(const Context& context) {
  check_operand_count(context, 2);
  Values operands(context.operands.begin(), context.operands.end());
  const ir::Attribute* const given = context.attributes.find("broadcast_dimensions");
  if (given != nullptr && operands[0].rank() != operands[1].rank()) {
    Value& less = operands[0].rank() < operands[1].rank() ? operands[0] : operands[1];
    less = placed(context.builder, less, std::get<ir::Dims>(*given),
                  std::max(operands[0].rank(), operands[1].rank()));
  }
  const ir::Dims dims = common_dims(operands);
  for (Value& operand : operands) operand = broadcast(context.builder, operand, dims);
  return operands;
}

ir::Attributes read_broadcast(ir::OpAttributes& text) {
  if (text.find({"broadcast_dimensions"}) == nullptr) return {};
  return {{"broadcast_dimensions", text.integers({"broadcast_dimensions"})}};
}

template <Value (*kFunction)(ir::Builder&, Value, Value)>
Values expand_binary(const Context& context) {
  const Values operands = broadcast_pair(context);
  return {kFunction(context.builder, operands[0], operands[1])};
}

ir::Attributes read_compare(ir::OpAttributes& text) {
  ir::Attributes attributes = read_broadcast(text);
  attributes.set("comparison_direction", text.word({"comparison_direction"}));
  if (text.find({"compare_type"}) != nullptr) attributes.set("compare_type", text.word({"compare_type"}));
  return attributes;
}

Values expand_compare(const Context& context) {
  const Values operands = broadcast_pair(context);
  const auto& name = context.attributes.get<std::string>("comparison_direction");
  constexpr std::string_view kNames[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  if (std::find(std::begin(kNames), std::end(kNames), name) == std::end(kNames))
    invalid_argument("comparison_direction is unknown; got \"{}\"", name);
  const ComparisonDirection direction = comparison_direction_from_name(name);
  const ir::Attribute* const type = context.attributes.find("compare_type");
  if (type != nullptr && std::get<std::string>(*type) == "TOTALORDER")
    return {compare_total_order(context.builder, operands[0], operands[1], direction)};
  return {compare(context.builder, operands[0], operands[1], direction)};
}

Values expand_select(const Context& context) {
  check_operand_count(context, 3);
  const ir::Dims dims = common_dims(context.operands);
  Values operands;
  for (const Value& operand : context.operands) operands.push_back(broadcast(context.builder, operand, dims));
  return {select(context.builder, operands[0], operands[1], operands[2])};
}

ir::Attributes read_constant(ir::OpAttributes& text) {
  return find_op_def("constant")->read_attributes(text);
}

Values expand_constant(const Context& context) {
  check_operand_count(context, 0);
  return {constant(context.builder, context.attributes.get<ir::Literal>("value"))};
}

/// A number, of the dtype of the operand.
ir::Attributes read_constant_like(ir::OpAttributes& text) {
  const ir::text::Syntax& value = text.get({"value"});
  if (value.is(ir::text::SyntaxKind::kFloat)) return {{"value", value.number}};
  if (value.is(ir::text::SyntaxKind::kInteger) || value.is(ir::text::SyntaxKind::kBool))
    return {{"value", value.integer}};
  text.fail(value.begin, "value must be a number");
}

Values expand_constant_like(const Context& context) {
  check_operand_count(context, 1);
  ir::Builder& b = context.builder;
  const ir::TensorType& type = context.operands[0].type();
  const ir::Attribute& value = *context.attributes.find("value");
  if (const auto* const number = std::get_if<double>(&value)) return {full(b, type, *number)};
  const Value whole = constant(b, ir::Literal::of<std::int64_t>({}, {std::get<std::int64_t>(value)}));
  return {broadcast_scalar(b, convert(b, whole, type.dtype), type.dims)};
}

Values expand_conj(const Context& context) {
  check_operand_count(context, 1);
  return {conjugate(context.builder, context.operands[0])};
}

ir::Attributes read_ragged_dot(ir::OpAttributes& text) {
  text.ignore({"precision_config"});
  ir::OpAttributes numbers = text.inside({"ragged_dot_dimension_numbers"});
  ir::Attributes attributes;
  for (const std::string_view name :
       {"lhs_batching_dimensions", "rhs_batching_dimensions", "lhs_contracting_dimensions",
        "rhs_contracting_dimensions", "lhs_ragged_dimensions", "rhs_group_dimensions"})
    attributes.set(std::string(name), numbers.integers({name}, {}));
  return attributes;
}

Values expand_ragged_dot(const Context& context) {
  check_operand_count(context, 3);
  const auto dims = [&](std::string_view name) -> const ir::Dims& {
    return context.attributes.get<ir::Dims>(name);
  };
  if (dims("lhs_ragged_dimensions").size() != 1)
    invalid_argument("there must be one ragged dimension; got {}", dims("lhs_ragged_dimensions"));
  Value lhs = context.operands[0], rhs = context.operands[1];
  if (!context.result_types.empty()) {  // the products are summed in the dtype of the result
    lhs = convert(context.builder, lhs, context.result_types[0].dtype);
    rhs = convert(context.builder, rhs, context.result_types[0].dtype);
  }
  return {ragged_dot(context.builder, lhs, rhs, context.operands[2],
                     {.dot = {.lhs_batching = dims("lhs_batching_dimensions"),
                              .rhs_batching = dims("rhs_batching_dimensions"),
                              .lhs_contracting = dims("lhs_contracting_dimensions"),
                              .rhs_contracting = dims("rhs_contracting_dimensions")},
                      .lhs_ragged = dims("lhs_ragged_dimensions")[0],
                      .rhs_group = dims("rhs_group_dimensions")})};
}

const ir::OpDef kForms[] = {
    form("chlo.broadcast_add", expand_binary<add>, read_broadcast),
    form("chlo.broadcast_and", expand_binary<and_>, read_broadcast),
    form("chlo.broadcast_atan2", expand_binary<atan2>, read_broadcast),
    form("chlo.broadcast_complex", expand_binary<complex>, read_broadcast),
    form("chlo.broadcast_divide", expand_binary<divide>, read_broadcast),
    form("chlo.broadcast_maximum", expand_binary<maximum>, read_broadcast),
    form("chlo.broadcast_minimum", expand_binary<minimum>, read_broadcast),
    form("chlo.broadcast_multiply", expand_binary<multiply>, read_broadcast),
    form("chlo.broadcast_next_after", expand_binary<next_after>, read_broadcast),
    form("chlo.broadcast_or", expand_binary<or_>, read_broadcast),
    form("chlo.broadcast_polygamma", expand_binary<polygamma>, read_broadcast),
    form("chlo.broadcast_power", expand_binary<power>, read_broadcast),
    form("chlo.broadcast_remainder", expand_binary<remainder>, read_broadcast),
    form("chlo.broadcast_shift_left", expand_binary<shift_left>, read_broadcast),
    form("chlo.broadcast_shift_right_arithmetic", expand_binary<shift_right_arithmetic>, read_broadcast),
    form("chlo.broadcast_shift_right_logical", expand_binary<shift_right_logical>, read_broadcast),
    form("chlo.broadcast_subtract", expand_binary<subtract>, read_broadcast),
    form("chlo.broadcast_xor", expand_binary<xor_>, read_broadcast),
    form("chlo.broadcast_zeta", expand_binary<zeta>, read_broadcast),
    form("chlo.broadcast_compare", expand_compare, read_compare),
    form("chlo.broadcast_select", expand_select, read_nothing),
    form("chlo.constant", expand_constant, read_constant),
    form("chlo.constant_like", expand_constant_like, read_constant_like),
    form("chlo.conj", expand_conj, read_nothing),
    form("chlo.ragged_dot", expand_ragged_dot, read_ragged_dot),
    {.name = "chlo.scan",
     .infer = infer_form,
     .has_regions = true,
     .read_attributes = read_scan_attributes,
     .read_short_form = read_scan_short_form,
     .expand = expand_scan}};

}  // namespace
}  // namespace chlo_forms

const ir::OpDef* find_chlo_form(std::string_view full_name) {
  return find_form(chlo_forms::kForms, full_name);
}

}  // namespace cornu::inline v0::ops
