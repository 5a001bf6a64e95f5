#include "cornu/ops/convolution_bias_activation/convolution_bias_activation.h"

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convolution/attributes.h"
#include "cornu/ops/convolution/convolution_gradient.h"
#include "cornu/ops/dtype_set.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/relu/relu.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace convolution_bias_activation_folder {
namespace {

ConvolutionActivation activation_of(const ir::Attributes& attributes) {
  const std::string& name = attributes.get<std::string>("activation");
  if (name != "linear" && name != "relu")
    invalid_argument("activation must be linear or relu; got \"{}\"", name);
  return name == "relu" ? ConvolutionActivation::kRelu : ConvolutionActivation::kLinear;
}

ConvolutionGradients wanted_of(const ir::Attributes& attributes) {
  return {.lhs = attributes.get<bool>("wants_lhs"),
          .rhs = attributes.get<bool>("wants_rhs"),
          .bias = attributes.get<bool>("wants_bias")};
}

ir::Attributes make_attributes(ir::Value lhs, const ConvolutionDimensions& d, const ConvolutionOptions& o,
                               ConvolutionActivation activation) {
  ir::Attributes attributes = convolution_attributes(lhs, d, o);
  attributes.set("activation", std::string(activation == ConvolutionActivation::kRelu ? "relu" : "linear"));
  return attributes;
}

ir::TensorType convolved_type(const ir::InferContext& context) {
  check_float(context.type(0));
  return convolution_type(context.type(0), context.type(1), convolution_dimensions(context.attributes),
                          convolution_options(context.attributes));
}

ir::TensorType bias_type(const ir::TensorType& result, const ir::Attributes& attributes) {
  return {
      result.dtype,
      {result.dims[static_cast<std::size_t>(convolution_dimensions(attributes).output_feature_dimension)]}};
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 3);
  const ir::TensorType result = convolved_type(context), expected = bias_type(result, context.attributes);
  if (context.type(2) != expected)
    invalid_argument("the bias must be {}, one element a feature of the result; got {}", expected.str(),
                     context.type(2).str());
  activation_of(context.attributes);
  return {result};
}

std::vector<ir::TensorType> infer_gradient(const ir::InferContext& context) {
  check_operands(context, 3, 4);
  const ir::TensorType result = convolved_type(context);
  const bool needs_result = activation_of(context.attributes) == ConvolutionActivation::kRelu;
  if (context.operands.size() < (needs_result ? 4U : 3U) || context.operands.size() > 4)
    invalid_argument("takes lhs, rhs, dy and, behind a relu, y; got {} operands", context.operands.size());
  for (std::size_t i = 2; i < context.operands.size(); ++i)
    if (context.type(i) != result)
      invalid_argument("{} must be {}; got {}", i == 2 ? "dy" : "y", result.str(), context.type(i).str());
  const ConvolutionGradients wanted = wanted_of(context.attributes);
  std::vector<ir::TensorType> types;
  if (wanted.lhs) types.push_back(context.type(0));
  if (wanted.rhs) types.push_back(context.type(1));
  if (wanted.bias) types.push_back(bias_type(result, context.attributes));
  if (types.empty()) invalid_argument("at least one gradient must be wanted");
  return types;
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const ConvolutionDimensions d = convolution_dimensions(attributes);
  const ir::Value product =
      convolution(builder, operands[0], operands[1], d, convolution_options(attributes));
  const ir::Value sum = add(
      builder, product, broadcast_in_dim(builder, operands[2], product.dims(), {d.output_feature_dimension}));
  return {activation_of(attributes) == ConvolutionActivation::kRelu ? relu(builder, sum) : sum};
}

std::vector<ir::Value> decompose_gradient(ir::Builder& builder, std::span<const ir::Value> operands,
                                          const ir::Attributes& attributes) {
  const ir::Value lhs = operands[0], rhs = operands[1];
  const ConvolutionDimensions d = convolution_dimensions(attributes);
  const ConvolutionOptions o = convolution_options(attributes);
  const ConvolutionGradients wanted = wanted_of(attributes);
  ir::Value dz = operands[2];
  if (activation_of(attributes) == ConvolutionActivation::kRelu) {
    const ir::Value zeros = full(builder, dz.type(), 0);
    dz = select(builder, compare(builder, operands[3], zeros, ComparisonDirection::kGt), dz, zeros);
  }
  // Where nothing is multiplied there is no window to transpose.
  const bool is_empty =
      lhs.type().num_elements() == 0 || rhs.type().num_elements() == 0 || dz.type().num_elements() == 0;
  std::vector<ir::Value> gradients;
  if (wanted.lhs)
    gradients.push_back(is_empty ? full(builder, lhs.type(), 0)
                                 : convolution_lhs_gradient(builder, lhs, rhs, dz, d, o));
  if (wanted.rhs)
    gradients.push_back(is_empty ? full(builder, rhs.type(), 0)
                                 : convolution_rhs_gradient(builder, lhs, rhs, dz, d, o));
  if (wanted.bias)
    gradients.push_back(
        reduce_sum(builder, dz, remaining_dimensions(dz.rank(), {d.output_feature_dimension})));
  return gradients;
}

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Op& op = context.op;
  const ConvolutionGradients wanted = {.lhs = context.wants(op.operand(0)),
                                       .rhs = context.wants(op.operand(1)),
                                       .bias = context.wants(op.operand(2))};
  const std::vector<ir::Value> made = convolution_bias_activation_gradient(
      context.builder, op.operand(0), op.operand(1), context.result_gradients[0], op.result(),
      convolution_dimensions(op.attributes()), convolution_options(op.attributes()),
      convolution_activation(op), wanted);
  std::vector<ir::Value> gradients(3);
  std::size_t next = 0;
  if (wanted.lhs) gradients[0] = made[next++];
  if (wanted.rhs) gradients[1] = made[next++];
  if (wanted.bias) gradients[2] = made[next++];
  return gradients;
}

const ir::OpDef kConvolutionBiasActivation = {.name = "cornu.convolution_bias_activation",
                                              .infer = infer,
                                              .gradient = gradient,
                                              .decompose = decompose};
const ir::OpDef kConvolutionBiasActivationGradient = {.name = "cornu.convolution_bias_activation_gradient",
                                                      .infer = infer_gradient,
                                                      .decompose = decompose_gradient};

}  // namespace

std::span<const ir::OpDef* const> op_defs() {
  return ir::list_defs<kConvolutionBiasActivation, kConvolutionBiasActivationGradient>();
}

}  // namespace convolution_bias_activation_folder

ir::Value convolution_bias_activation(ir::Builder& builder, ir::Value lhs, ir::Value rhs, ir::Value bias,
                                      const ConvolutionDimensions& dimensions,
                                      const ConvolutionOptions& options, ConvolutionActivation activation) {
  return builder
      .create(convolution_bias_activation_folder::kConvolutionBiasActivation, {lhs, rhs, bias},
              convolution_bias_activation_folder::make_attributes(lhs, dimensions, options, activation))
      .result();
}

std::vector<ir::Value> convolution_bias_activation_gradient(ir::Builder& builder, ir::Value lhs,
                                                            ir::Value rhs, ir::Value dy, ir::Value y,
                                                            const ConvolutionDimensions& dimensions,
                                                            const ConvolutionOptions& options,
                                                            ConvolutionActivation activation,
                                                            const ConvolutionGradients& wanted) {
  ir::Attributes attributes =
      convolution_bias_activation_folder::make_attributes(lhs, dimensions, options, activation);
  attributes.set("wants_lhs", wanted.lhs);
  attributes.set("wants_rhs", wanted.rhs);
  attributes.set("wants_bias", wanted.bias);
  std::vector<ir::Value> operands = {lhs, rhs, dy};
  if (activation == ConvolutionActivation::kRelu) operands.push_back(y);
  const ir::Op& op = builder.create(convolution_bias_activation_folder::kConvolutionBiasActivationGradient,
                                    operands, std::move(attributes));
  return {op.results().begin(), op.results().end()};
}

ConvolutionActivation convolution_activation(const ir::Op& op) {
  return convolution_bias_activation_folder::activation_of(op.attributes());
}
ConvolutionGradients wanted_convolution_gradients(const ir::Op& op) {
  return convolution_bias_activation_folder::wanted_of(op.attributes());
}

}  // namespace cornu::inline v0::ops
