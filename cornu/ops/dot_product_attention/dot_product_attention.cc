#include "cornu/ops/dot_product_attention/dot_product_attention.h"

#include "cornu/base/check.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/transpose/transpose.h"

namespace cornu::inline v0::ops {
namespace dot_product_attention_folder {
namespace {

constexpr const char* kMaskedScore = "masked_score";

ir::DType wide_dtype(ir::DType dtype) { return ir::bit_width(dtype) < 32 ? ir::DType::kF32 : dtype; }

/// The score of keys that a query does not see; by default that of jax.nn.dot_product_attention.
double masked_score(const ir::Attributes& attributes, ir::DType wide) {
  if (attributes.find(kMaskedScore) != nullptr) return attributes.get<double>(kMaskedScore);
  return wide == ir::DType::kF64 ? -0.7 * 1.7976931348623157e308 : -0.7 * 3.4028234663852886e38;
}

// Shape rules.

void check_type(const char* what, const ir::TensorType& type, const ir::TensorType& wanted) {
  if (type != wanted) invalid_argument("{} must be {}; got {}", what, wanted.str(), type.str());
}

void check_rank_4(const char* what, const ir::TensorType& type) {
  if (type.rank() != 4)
    invalid_argument("{} must have a batch, steps, heads and features; got {}", what, type.str());
}

void check_inputs(const ir::InferContext& context) {
  const ir::TensorType &query = context.type(0), &key = context.type(1), &value = context.type(2);
  check_float(query);
  check_rank_4("query", query);
  check_rank_4("key", key);
  check_rank_4("value", value);
  if (key.dims[1] < 1) invalid_argument("there must be at least one key; got {}", key.str());
  check_type("key", key, {query.dtype, {query.dims[0], key.dims[1], query.dims[2], query.dims[3]}});
  check_type("value", value, {query.dtype, {query.dims[0], key.dims[1], query.dims[2], value.dims[3]}});
}

void check_mask(const ir::TensorType& mask, const ir::Dims& scores) {
  bool fits = mask.dtype == ir::DType::kI1 && mask.rank() == 4 && mask.dims[3] == scores[3];
  for (std::size_t i = 0; fits && i < 3; ++i) fits = mask.dims[i] == 1 || mask.dims[i] == scores[i];
  if (!fits)
    invalid_argument("mask must be i1 [{} or 1, {} or 1, {} or 1, {}]; got {}", scores[0], scores[1],
                     scores[2], scores[3], mask.str());
}

/// [batch, heads, T, S]
ir::Dims scores_dims(const ir::TensorType& query, const ir::TensorType& key) {
  return {query.dims[0], query.dims[2], query.dims[1], key.dims[1]};
}

void check_options(const ir::Attributes& attributes) {
  attributes.get<double>("scale");
  attributes.get<bool>("is_causal");
  if (attributes.find(kMaskedScore) != nullptr) attributes.get<double>(kMaskedScore);
}

std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 3, 4);
  check_inputs(context);
  check_options(context.attributes);
  const ir::TensorType &query = context.type(0), &key = context.type(1), &value = context.type(2);
  const ir::Dims scores = scores_dims(query, key);
  if (context.operands.size() > 3) check_mask(context.type(3), scores);
  const ir::TensorType statistics{wide_dtype(query.dtype), {scores[0], scores[1], scores[2]}};
  return {
      {query.dtype, {query.dims[0], query.dims[1], query.dims[2], value.dims[3]}}, statistics, statistics};
}

std::vector<ir::TensorType> infer_gradient(const ir::InferContext& context) {
  check_operands(context, 7, 8);
  check_inputs(context);
  check_options(context.attributes);
  const ir::TensorType &query = context.type(0), &key = context.type(1), &value = context.type(2);
  const ir::Dims scores = scores_dims(query, key);
  const ir::TensorType output{query.dtype, {query.dims[0], query.dims[1], query.dims[2], value.dims[3]}};
  const ir::TensorType statistics{wide_dtype(query.dtype), {scores[0], scores[1], scores[2]}};
  check_type("the output", context.type(3), output);
  check_type("the largest scores", context.type(4), statistics);
  check_type("the sums", context.type(5), statistics);
  check_type("the output's gradient", context.type(6), output);
  if (context.operands.size() > 7) check_mask(context.type(7), scores);
  return {query, key, value};
}

// Definitions.

/// Everything of shape [batch, heads, T, S] or with a row of it.
struct Weights {
  ir::Value query, key;  // in the wide type
  ir::Value seen = {};   // i1; empty: everything
  ir::Value largest = {}, sum = {};
  ir::Value weights = {};
};

ir::Value spread(ir::Builder& builder, ir::Value of_rows, const ir::Dims& scores) {
  return broadcast_in_dim(builder, of_rows, scores, {0, 1, 2});
}

ir::Value seen_by(ir::Builder& builder, ir::Value mask, bool is_causal, const ir::Dims& scores) {
  ir::Value seen = mask ? broadcast_to(builder, mask, scores) : ir::Value();
  if (!is_causal) return seen;
  const ir::Value is_earlier = compare(builder, iota(builder, {ir::DType::kI32, scores}, 2),
                                       iota(builder, {ir::DType::kI32, scores}, 3), ComparisonDirection::kGe);
  return seen ? and_(builder, seen, is_earlier) : is_earlier;
}

Weights weights_of(ir::Builder& builder, std::span<const ir::Value> operands, ir::Value mask,
                   const ir::Attributes& attributes) {
  const ir::DType wide = wide_dtype(operands[0].type().dtype);
  const auto widened = [&](ir::Value x) { return x.type().dtype == wide ? x : convert(builder, x, wide); };
  Weights w{.query = widened(operands[0]), .key = widened(operands[1])};
  const ir::Dims scores = scores_dims(w.query.type(), w.key.type());
  const ir::TensorType type{wide, scores};
  ir::Value products = dot_general(
      builder, w.query, w.key,
      {.lhs_batching = {0, 2}, .rhs_batching = {0, 2}, .lhs_contracting = {3}, .rhs_contracting = {3}});
  products = multiply(builder, products, full(builder, type, attributes.get<double>("scale")));
  w.seen = seen_by(builder, mask, attributes.get<bool>("is_causal"), scores);
  if (w.seen)
    products = select(builder, w.seen, products, full(builder, type, masked_score(attributes, wide)));
  w.largest = reduce_max(builder, products, {3});
  const ir::Value e = exponential(builder, subtract(builder, products, spread(builder, w.largest, scores)));
  w.sum = reduce_sum(builder, e, {3});
  w.weights = divide(builder, e, spread(builder, w.sum, scores));
  return w;
}

ir::Value narrowed(ir::Builder& builder, ir::Value x, ir::DType dtype) {
  return x.type().dtype == dtype ? x : convert(builder, x, dtype);
}

std::vector<ir::Value> decompose(ir::Builder& builder, std::span<const ir::Value> operands,
                                 const ir::Attributes& attributes) {
  const ir::Value value = operands[2];
  const Weights w =
      weights_of(builder, operands, operands.size() > 3 ? operands[3] : ir::Value(), attributes);
  const ir::Value mixed = dot_general(
      builder, narrowed(builder, w.weights, value.type().dtype), value,
      {.lhs_batching = {0, 1}, .rhs_batching = {0, 2}, .lhs_contracting = {3}, .rhs_contracting = {1}});
  return {transpose(builder, mixed, {0, 2, 1, 3}), w.largest, w.sum};
}

std::vector<ir::Value> decompose_gradient(ir::Builder& builder, std::span<const ir::Value> operands,
                                          const ir::Attributes& attributes) {
  const ir::Value value = operands[2], d_output = operands[6];
  const ir::DType dtype = value.type().dtype;
  const Weights w =
      weights_of(builder, operands, operands.size() > 7 ? operands[7] : ir::Value(), attributes);
  const ir::DType wide = w.weights.type().dtype;
  const ir::Dims& scores = w.weights.dims();
  const auto in_steps = [&](ir::Value x) {  // [batch, heads, steps, features]
    return narrowed(builder, transpose(builder, x, {0, 2, 1, 3}), dtype);
  };
  const DotDimensions over_queries{
      .lhs_batching = {0, 1}, .rhs_batching = {0, 2}, .lhs_contracting = {2}, .rhs_contracting = {1}};
  const DotDimensions over_keys{
      .lhs_batching = {0, 1}, .rhs_batching = {0, 2}, .lhs_contracting = {3}, .rhs_contracting = {1}};
  const ir::Value d_value = dot_general(builder, narrowed(builder, w.weights, dtype), d_output, over_queries);
  ir::Value d_weights = dot_general(
      builder, d_output, value,
      {.lhs_batching = {0, 2}, .rhs_batching = {0, 2}, .lhs_contracting = {3}, .rhs_contracting = {3}});
  d_weights = narrowed(builder, d_weights, wide);
  const ir::Value mean = reduce_sum(builder, multiply(builder, d_weights, w.weights), {3});
  ir::Value d_scores =
      multiply(builder, w.weights, subtract(builder, d_weights, spread(builder, mean, scores)));
  if (w.seen) d_scores = select(builder, w.seen, d_scores, full(builder, {wide, scores}, 0));
  d_scores = multiply(builder, d_scores, full(builder, {wide, scores}, attributes.get<double>("scale")));
  return {in_steps(dot_general(builder, d_scores, w.key, over_keys)),
          in_steps(dot_general(builder, d_scores, w.query, over_queries)), in_steps(d_value)};
}

const ir::OpDef kGradient = {
    .name = "cornu.dot_product_attention_gradient", .infer = infer_gradient, .decompose = decompose_gradient};

std::vector<ir::Value> gradient(const ir::GradientContext& context) {
  const ir::Op& op = context.op;
  if (context.result_gradients[1] || context.result_gradients[2])
    fail(ErrorCode::kUnimplemented, "only the output of dot_product_attention can be differentiated");
  const bool has_mask = op.operands().size() > 3;
  const DotProductAttentionGradientResult d =
      dot_product_attention_gradient(context.builder,
                                     {.query = op.operand(0),
                                      .key = op.operand(1),
                                      .value = op.operand(2),
                                      .result = {op.result(0), op.result(1), op.result(2)},
                                      .d_output = context.result_gradients[0],
                                      .mask = has_mask ? op.operand(3) : ir::Value()},
                                     dot_product_attention_options(op));
  std::vector<ir::Value> gradients = {d.d_query, d.d_key, d.d_value};
  if (has_mask) gradients.emplace_back();
  return gradients;
}

const ir::OpDef kAttention = {
    .name = "cornu.dot_product_attention", .infer = infer, .gradient = gradient, .decompose = decompose};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kAttention, kGradient>(); }

}  // namespace dot_product_attention_folder

namespace {

ir::Attributes attributes_of(const DotProductAttentionOptions& options) {
  ir::Attributes attributes{{"scale", options.scale}, {"is_causal", options.is_causal}};
  if (options.masked_score.has_value())
    attributes.set(dot_product_attention_folder::kMaskedScore, *options.masked_score);
  return attributes;
}

}  // namespace

DotProductAttentionOptions dot_product_attention_options(const ir::Op& op) {
  const ir::Attributes& attributes = op.attributes();
  DotProductAttentionOptions options{.scale = attributes.get<double>("scale"),
                                     .is_causal = attributes.get<bool>("is_causal")};
  if (attributes.find(dot_product_attention_folder::kMaskedScore) != nullptr)
    options.masked_score = attributes.get<double>(dot_product_attention_folder::kMaskedScore);
  return options;
}

double masked_attention_score(const ir::Op& op) {
  const ir::DType dtype = op.operand(0).type().dtype;
  return dot_product_attention_folder::masked_score(op.attributes(),
                                                    dot_product_attention_folder::wide_dtype(dtype));
}

DotProductAttentionResult dot_product_attention(ir::Builder& builder, ir::Value query, ir::Value key,
                                                ir::Value value, ir::Value mask,
                                                const DotProductAttentionOptions& options) {
  std::vector<ir::Value> operands = {query, key, value};
  if (mask) operands.push_back(mask);
  const ir::Op& op =
      builder.create(dot_product_attention_folder::kAttention, std::move(operands), attributes_of(options));
  return {op.result(0), op.result(1), op.result(2)};
}

DotProductAttentionGradientResult dot_product_attention_gradient(
    ir::Builder& builder, const DotProductAttentionGradientOperands& operands,
    const DotProductAttentionOptions& options) {
  const auto& [query, key, value, result, d_output, mask] = operands;
  std::vector<ir::Value> values = {query, key, value, result.output, result.largest, result.sum, d_output};
  if (mask) values.push_back(mask);
  const ir::Op& op =
      builder.create(dot_product_attention_folder::kGradient, std::move(values), attributes_of(options));
  return {op.result(0), op.result(1), op.result(2)};
}

}  // namespace cornu::inline v0::ops
