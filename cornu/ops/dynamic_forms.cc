#include "cornu/ops/dynamic_forms.h"

#include <optional>

#include "cornu/base/check.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convolution/attributes.h"
#include "cornu/ops/convolution/convolution.h"
#include "cornu/ops/custom_call/host_call.h"
#include "cornu/ops/forms.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/pad/pad.h"
#include "cornu/ops/registry.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/run_reference.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::ops {
namespace dynamic_forms {
namespace {

using ir::Value;
using Context = ir::ExpandContext;
using Values = std::vector<Value>;

const ir::TensorType& result_type(const Context& context) {
  if (context.result_types.empty()) invalid_argument("the result's type must be given");
  return context.result_types[0];
}

/// The elements of a shape that follows from constants; nothing for other values. Shapes are computed by few ops,
/// whose number is limited by `num_ops`.
std::optional<ir::Literal> known(Value value, int& num_ops) {
  constexpr std::int64_t kMostElements = 256;
  const ir::Op* const op = value.op();
  if (op == nullptr || value.type().num_elements() > kMostElements || --num_ops < 0) return std::nullopt;
  if (is_constant(value)) return op->attributes().get<ir::Literal>("value");
  if (op->def().reference == nullptr || !op->regions().empty() || op->results().size() != 1 ||
      op->operands().empty() || is_host_call(*op))
    return std::nullopt;
  std::vector<ir::Literal> operands;
  for (const Value& operand : op->operands()) {
    std::optional<ir::Literal> of_operand = known(operand, num_ops);
    if (!of_operand) return std::nullopt;
    operands.push_back(std::move(*of_operand));
  }
  return run_reference({*op, operands, {}})[0];
}

/// The elements of an operand, of shape [count], or [count / 2, 2] for padding.
ir::Dims known_integers(const Context& context, std::size_t operand, std::int64_t count, const char* what) {
  const Value value = context.operands[operand];
  if (!ir::is_integer(value.dtype()) || value.type().num_elements() != count)
    invalid_argument("{} must be {} integers; got {}", what, count, value.type().str());
  int num_ops = 1000;
  const std::optional<ir::Literal> literal = known(value, num_ops);
  if (!literal)
    fail(ErrorCode::kUnimplemented,
         "{} is known at run time only, which Cornu does not support: refine the shapes before "
         "(jax.export with static shapes does so)",
         what);
  ir::Dims integers;
  for (std::int64_t i = 0; i < count; ++i) integers.push_back(integer_at(*literal, i));
  return integers;
}

Values expand_reshape(const Context& context) {
  check_operand_count(context, 2);
  return {reshape(context.builder, context.operands[0], result_type(context).dims)};
}

ir::Attributes read_broadcast(ir::OpAttributes& text) {
  text.ignore({"known_expanding_dimensions", "known_nonexpanding_dimensions"});
  return {{"broadcast_dimensions", text.integers({"broadcast_dimensions", "dims"})}};
}

Values expand_broadcast(const Context& context) {
  check_operand_count(context, 2);
  return {broadcast_in_dim(context.builder, context.operands[0], result_type(context).dims,
                           context.attributes.get<ir::Dims>("broadcast_dimensions"))};
}

ir::Attributes read_iota(ir::OpAttributes& text) {
  return {{"iota_dimension", text.integer({"iota_dimension", "dim"})}};
}

Values expand_iota(const Context& context) {
  check_operand_count(context, 1);
  return {
      iota(context.builder, result_type(context), context.attributes.get<std::int64_t>("iota_dimension"))};
}

ir::Attributes read_dimension(ir::OpAttributes& text) {
  return {{"dimension", text.integer({"dimension", "dim"})}};
}

Values expand_dimension_size(const Context& context) {
  check_operand_count(context, 1);
  const auto dimension = context.attributes.get<std::int64_t>("dimension");
  const Value x = context.operands[0];
  if (dimension < 0 || dimension >= x.rank())
    invalid_argument("(C1) dimension must be in [0, {}); got {}", x.rank(), dimension);
  const std::int64_t extent = x.dims()[static_cast<std::size_t>(dimension)];
  if (!std::in_range<std::int32_t>(extent)) invalid_argument("an extent must be below 2^31; got {}", extent);
  return {constant(context.builder, ir::Literal::of<std::int32_t>({}, {static_cast<std::int32_t>(extent)}))};
}

Values expand_pad(const Context& context) {
  check_operand_count(context, 5);
  const Value x = context.operands[0];
  const ir::Dims low = known_integers(context, 2, x.rank(), "edge_padding_low");
  const ir::Dims high = known_integers(context, 3, x.rank(), "edge_padding_high");
  const ir::Dims interior = known_integers(context, 4, x.rank(), "interior_padding");
  return {pad(context.builder, x, context.operands[1], low, high, interior)};
}

Values expand_slice(const Context& context) {
  check_operand_count(context, 4);
  const Value x = context.operands[0];
  const ir::Dims begin = known_integers(context, 1, x.rank(), "start_indices");
  const ir::Dims end = known_integers(context, 2, x.rank(), "limit_indices");
  const ir::Dims strides = known_integers(context, 3, x.rank(), "strides");
  return {slice(context.builder, x, begin, end, strides)};
}

ir::Attributes read_gather(ir::OpAttributes& text) { return read_gather_dimensions(text); }

Values expand_gather(const Context& context) {
  check_operand_count(context, 3);
  const Value x = context.operands[0];
  return {gather(context.builder, x, context.operands[1], gather_dimensions(context.attributes),
                 known_integers(context, 2, x.rank(), "slice_sizes"),
                 context.attributes.get<bool>("indices_are_sorted"))};
}

ir::Attributes read_convolution(ir::OpAttributes& text) {
  return find_op_def("convolution")->read_attributes(text);
}

Values expand_convolution(const Context& context) {
  check_operand_count(context, 3);
  ConvolutionOptions options = convolution_options(context.attributes);
  const auto spatial = static_cast<std::int64_t>(options.window_strides.size());
  const ir::Dims padding = known_integers(context, 2, 2 * spatial, "padding");
  options.padding_low.clear();
  options.padding_high.clear();
  for (std::size_t i = 0; i < padding.size(); i += 2) {
    options.padding_low.push_back(padding[i]);
    options.padding_high.push_back(padding[i + 1]);
  }
  return {convolution(context.builder, context.operands[0], context.operands[1],
                      convolution_dimensions(context.attributes), options)};
}

const ir::OpDef kForms[] = {form("stablehlo.dynamic_reshape", expand_reshape, read_nothing),
                            form("stablehlo.dynamic_broadcast_in_dim", expand_broadcast, read_broadcast),
                            form("stablehlo.dynamic_iota", expand_iota, read_iota),
                            form("stablehlo.get_dimension_size", expand_dimension_size, read_dimension),
                            form("stablehlo.dynamic_pad", expand_pad, read_nothing),
                            form("stablehlo.real_dynamic_slice", expand_slice, read_nothing),
                            form("stablehlo.dynamic_gather", expand_gather, read_gather),
                            form("stablehlo.dynamic_conv", expand_convolution, read_convolution)};

}  // namespace
}  // namespace dynamic_forms

const ir::OpDef* find_dynamic_form(std::string_view full_name) {
  return find_form(dynamic_forms::kForms, full_name);
}

}  // namespace cornu::inline v0::ops
