#include "cornu/ops/batch_norm/batch_norm.h"

#include <string_view>

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ir/text/op_attributes.h"
#include "cornu/ops/batch_norm_training/batch_norm_training.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/special_math.h"

namespace cornu::inline v0::ops {
namespace batch_norm_folder {
namespace {

using Labels = std::span<const std::string_view>;

/// Checks what the three ops share; operand i + 1 is a vector of the features with label i.
ir::TensorType check_features(const ir::InferContext& context, Labels labels) {
  const ir::TensorType& x = context.type(0);
  const auto feature_index = context.attributes.get<std::int64_t>("feature_index");
  if (feature_index < 0 || feature_index >= x.rank())
    invalid_argument("(C1) feature_index must be in [0, {}); got {}", x.rank(), feature_index);
  for (const ir::Value& operand : context.operands)
    if (operand.dtype() != x.dtype || !ir::is_float(x.dtype))
      invalid_argument("(C2) the operands must have one float dtype; got {} and {}", x.str(),
                       operand.type().str());
  const ir::TensorType vector{x.dtype, {x.dims[static_cast<std::size_t>(feature_index)]}};
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (context.type(i + 1) != vector)
      invalid_argument("({}) operand {} must be {}, a number for each feature; got {}", labels[i], i + 1,
                       vector.str(), context.type(i + 1).str());
  return vector;
}

std::vector<ir::TensorType> infer_inference(const ir::InferContext& context) {
  check_operands(context, 5);
  constexpr std::string_view kLabels[] = {"C3", "C4", "C5", "C6"};
  check_features(context, kLabels);
  return {context.type(0)};
}

std::vector<ir::TensorType> infer_training(const ir::InferContext& context) {
  check_operands(context, 3);
  constexpr std::string_view kLabels[] = {"C3", "C4"};
  const ir::TensorType vector = check_features(context, kLabels);
  return {context.type(0), vector, vector};
}

std::vector<ir::TensorType> infer_grad(const ir::InferContext& context) {
  check_operands(context, 5);
  constexpr std::string_view kLabels[] = {"C5", "C4", "C4"};
  const ir::TensorType vector = check_features(context, kLabels);
  if (context.type(4) != context.type(0))
    invalid_argument("(C3) grad_output must be {}; got {}", context.type(0).str(), context.type(4).str());
  return {context.type(0), vector, vector};
}

BatchNormTrainingOptions options_of(const ir::Attributes& attributes) {
  return {.axis = attributes.get<std::int64_t>("feature_index"),
          .epsilon = attributes.get<double>("epsilon")};
}

std::vector<ir::Value> decompose_inference(ir::Builder& b, std::span<const ir::Value> operands,
                                           const ir::Attributes& attributes) {
  const BatchNormTrainingOptions options = options_of(attributes);
  const auto spread = [&](ir::Value vector) {
    return broadcast_in_dim(b, vector, operands[0].dims(), {options.axis});
  };
  std::vector<ir::Value> wide;
  for (const ir::Value operand : operands) wide.push_back(to_working_precision(b, operand));
  const ir::Value deviation = sqrt(b, add(b, wide[4], full(b, wide[4].type(), options.epsilon)));
  const ir::Value centred = subtract(b, wide[0], spread(wide[3]));
  const ir::Value y = add(b, multiply(b, centred, spread(divide(b, wide[1], deviation))), spread(wide[2]));
  return {from_working_precision(b, y, operands[0].dtype())};
}

/// The statistics of f16 and bf16 are f32 in Cornu's normalization.
ir::Value in_dtype(ir::Builder& b, ir::Value value, ir::DType dtype) {
  return value.dtype() == dtype ? value : convert(b, value, dtype);
}

std::vector<ir::Value> decompose_training(ir::Builder& b, std::span<const ir::Value> operands,
                                          const ir::Attributes& attributes) {
  const BatchNormTraining made =
      batch_norm_training(b, operands[0], operands[1], operands[2], ir::Value(), options_of(attributes));
  const ir::DType dtype = operands[0].dtype();
  return {made.y, in_dtype(b, made.mean, dtype), in_dtype(b, made.variance, dtype)};
}

std::vector<ir::Value> decompose_grad(ir::Builder& b, std::span<const ir::Value> operands,
                                      const ir::Attributes& attributes) {
  const BatchNormGradient made = batch_norm_gradient(
      b, operands[0], operands[1], to_working_precision(b, operands[2]), to_working_precision(b, operands[3]),
      operands[4], ir::Value(), options_of(attributes));
  return {made.x, made.gamma, made.beta};
}

std::string print_attributes(const ir::Op& op) {
  return fmt::format("epsilon = {:.8e} : f32, feature_index = {} : i64",
                     op.attributes().get<double>("epsilon"),
                     op.attributes().get<std::int64_t>("feature_index"));
}

ir::Attributes attributes_of(double epsilon, std::int64_t feature_index) {
  // The specification's epsilon is f32.
  return {{"epsilon", static_cast<double>(static_cast<float>(epsilon))}, {"feature_index", feature_index}};
}

ir::Attributes read_attributes(ir::OpAttributes& text) {
  const ir::text::Syntax& epsilon = text.get({"epsilon"});
  if (!epsilon.is(ir::text::SyntaxKind::kFloat)) text.fail(epsilon.begin, "epsilon must be a float");
  return attributes_of(epsilon.number, text.integer({"feature_index"}));
}

const ir::OpDef kInference = {.name = "batch_norm_inference",
                              .infer = infer_inference,
                              .decompose = decompose_inference,
                              .print_attributes = print_attributes,
                              .read_attributes = read_attributes};
const ir::OpDef kTraining = {.name = "batch_norm_training",
                             .infer = infer_training,
                             .decompose = decompose_training,
                             .print_attributes = print_attributes,
                             .read_attributes = read_attributes};
const ir::OpDef kGrad = {.name = "batch_norm_grad",
                         .infer = infer_grad,
                         .decompose = decompose_grad,
                         .print_attributes = print_attributes,
                         .read_attributes = read_attributes};

std::vector<ir::Value> build(ir::Builder& builder, const ir::OpDef& op, std::vector<ir::Value> operands,
                             double epsilon, std::int64_t feature_index) {
  const ir::Op& made = builder.create(op, std::move(operands), attributes_of(epsilon, feature_index));
  return {made.results().begin(), made.results().end()};
}

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kInference, kTraining, kGrad>(); }

}  // namespace batch_norm_folder

ir::Value batch_norm_inference(ir::Builder& builder, ir::Value operand, ir::Value scale, ir::Value offset,
                               ir::Value mean, ir::Value variance, double epsilon,
                               std::int64_t feature_index) {
  return batch_norm_folder::build(builder, batch_norm_folder::kInference,
                                  {operand, scale, offset, mean, variance}, epsilon, feature_index)[0];
}

std::vector<ir::Value> batch_norm_training_along(ir::Builder& builder, ir::Value operand, ir::Value scale,
                                                 ir::Value offset, double epsilon,
                                                 std::int64_t feature_index) {
  return batch_norm_folder::build(builder, batch_norm_folder::kTraining, {operand, scale, offset}, epsilon,
                                  feature_index);
}

std::vector<ir::Value> batch_norm_grad(ir::Builder& builder, ir::Value operand, ir::Value scale,
                                       ir::Value mean, ir::Value variance, ir::Value grad_output,
                                       double epsilon, std::int64_t feature_index) {
  return batch_norm_folder::build(builder, batch_norm_folder::kGrad,
                                  {operand, scale, mean, variance, grad_output}, epsilon, feature_index);
}

}  // namespace cornu::inline v0::ops
