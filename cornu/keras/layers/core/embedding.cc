#include "cornu/keras/layers/core/embedding.h"

#include <algorithm>
#include <memory>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"
#include "cornu/keras/base/fault.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/core/lora_support.h"
#include "cornu/keras/layers/core/sharding_support.h"
#include "cornu/keras/layers/core/table_plan_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// The options kept by the layer, without the table, which is a variable from then on.
template <typename Options>
Options without_weights(Options options) {
  options.weights = Tensor();
  return options;
}

class EmbeddingLayer : public WithLora<Layer> {
 public:
  explicit EmbeddingLayer(const EmbeddingOptions& options)
      : EmbeddingLayer(layer_settings("Embedding", without_weights(options)), options) {
    take_weights();
  }

  /// For constructors of the last class: builds the layer if there is an initial table.
  void take_weights() {
    if (!options_.weights.defined()) return;
    if (options_.weights.shape() != table_shape())
      option_error(fmt::format("weights must have the shape {}; got {}", ir::shape_str(table_shape()),
                               type_str(options_.weights.type())));
    build_once_for({});
    embeddings_.assign(options_.weights.dtype() == dtype() ? options_.weights
                                                           : ops::cast(options_.weights, dtype()));
    options_.weights = Tensor();
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    Dims shape = input_shape;
    shape.push_back(options_.output_dim);
    return shape;
  }
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    check_inputs(inputs.size());
    if (inputs.size() != 1) return Layer::compute_output_types(inputs);  // throws
    return {{compute_dtype(), compute_output_shape(inputs[0].dims)}};
  }

  std::vector<Tensor> compute_mask(std::span<const Tensor> inputs, std::span<const Tensor>) const override {
    return {ops::not_equal(inputs[0], 0)};
  }

 protected:
  void build_for(std::span<const Dims> inputs) override {
    check_inputs(inputs.size());
    std::int64_t ids_per_row = 1;
    for (std::size_t d = 1; !inputs.empty() && d < inputs[0].size(); ++d)
      ids_per_row *= std::max<std::int64_t>(inputs[0][d], 1);
    plan_ = std::make_unique<TablePlan>(std::vector<TableToPlace>{{.path = path() + "/embeddings",
                                                                   .type = {variable_dtype(), table_shape()},
                                                                   .sharding = options_.sharding,
                                                                   .ids_per_row = ids_per_row}});
    embeddings_ =
        add_weight({.name = "embeddings",
                    .shape = table_shape(),
                    .initializer = initializer_of_parts(options_.embeddings_initializer, plan_->sharding(0)),
                    .regularizer = options_.embeddings_regularizer,
                    .constraint = options_.embeddings_constraint,
                    .is_table = true});
    plan_->place(0, embeddings_);
    set_lora_weight(embeddings_, options_.embeddings_regularizer);
  }

  Tensor call(const Tensor& input, const CallContext&) override { return rows_of(input); }

  Tensor rows_of(const Tensor& input) const {
    const Tensor ids = ir::is_integer(input.dtype()) ? input : ops::cast(input, DType::kI32);
    if (looks_for_faults(FaultKind::kIdOutOfRange))
      check_ids(ids, {.num_ids = options_.input_dim, .layer = name()});
    if (lora() != nullptr && is_sharded(options_.sharding)) option_error(kExcludesLora);
    const Tensor rows = table_rows(embeddings_, ids, [&] { return lora_weight(); });
    return rows.dtype() == compute_dtype() ? rows : ops::cast(rows, compute_dtype());
  }

  EmbeddingLayer(LayerSettings settings, EmbeddingOptions options)
      : WithLora(std::move(settings)), options_(std::move(options)) {
    if (options_.input_dim <= 0)
      option_error("input_dim", "must be positive", fmt::format("{}", options_.input_dim));
    if (options_.output_dim <= 0)
      option_error("output_dim", "must be positive", fmt::format("{}", options_.output_dim));
    check_initializer("embeddings_initializer", options_.embeddings_initializer);
    check_regularizer("embeddings_regularizer", options_.embeddings_regularizer);
    check_constraint("embeddings_constraint", options_.embeddings_constraint);
    check_sharding();
    set_lora_options(options_.lora_rank, options_.lora_alpha,
                     options_.embeddings_constraint.get() != nullptr);
    set_autocast(false);
    set_type_rule(TypeRule::kOverridden);
    set_supports_masking(options_.mask_zero);
    if (options_.input_length.has_value())
      log_warning("[embedding] input_length has no effect; in layer \"{}\"", printable(name()));
  }

 private:
  static constexpr const char* kExcludesLora = "LoRA needs a whole table: sharding must be \"replicated\"";

  static void check_inputs(std::size_t count) {
    if (count > 1)
      invalid_argument(
          "[embedding] the ids are the only input; got {} inputs. Packed ids and their rows are inputs of "
          "DistributedEmbedding, whose FeatureConfig has .packed = true",
          count);
  }

  void check_sharding() const {
    if (const std::string problem = sharding_problem(options_.sharding); !problem.empty())
      option_error(problem);
    if (!is_sharded(options_.sharding)) return;
    if (options_.lora_rank.has_value()) option_error(kExcludesLora);
    if (options_.embeddings_regularizer.get() != nullptr || options_.embeddings_constraint.get() != nullptr)
      option_error(
          "embeddings_regularizer and embeddings_constraint need a whole table: sharding must be "
          "\"replicated\"");
  }

  Dims table_shape() const { return {options_.input_dim, options_.output_dim}; }

  EmbeddingOptions options_;
  Variable embeddings_;
  std::unique_ptr<TablePlan> plan_;
};

class ReversibleEmbeddingLayer : public EmbeddingLayer {
 public:
  explicit ReversibleEmbeddingLayer(ReversibleEmbeddingOptions options)
      : EmbeddingLayer(layer_settings("ReversibleEmbedding", without_weights(options)),
                       saving::shared_fields<EmbeddingOptions>(options)),
        options_(without_weights(std::move(options))) {
    if (options_.logit_soft_cap.has_value() && !(*options_.logit_soft_cap > 0))
      option_error("logit_soft_cap", "must be positive", fmt::format("{}", *options_.logit_soft_cap));
    if (options_.reverse_dtype.has_value() && !ir::is_float(*options_.reverse_dtype))
      option_error("reverse_dtype", "must be a floating-point dtype",
                   ir::numpy_name(*options_.reverse_dtype));
    take_weights();
  }

  std::vector<TensorType> compute_call_types(std::span<const TensorType> inputs,
                                             const CallArguments& arguments) const override {
    if (!arguments.reverse || inputs.size() != 1) return compute_output_types(inputs);
    Dims shape = inputs[0].dims;
    check_features(shape);
    shape.back() = options_.input_dim;
    return {{reverse_dtype(), shape}};
  }

  std::vector<Tensor> compute_mask(std::span<const Tensor> inputs,
                                   std::span<const Tensor> outputs) const override {
    const bool is_reverse = inputs[0].rank() == outputs[0].rank();  // lookups add an axis
    return is_reverse ? std::vector<Tensor>(1) : EmbeddingLayer::compute_mask(inputs, outputs);
  }

 protected:
  void build_for(std::span<const Dims> input_shapes) override {
    EmbeddingLayer::build_for(input_shapes);
    if (options_.tie_weights) return;
    reverse_embeddings_ = add_weight({.name = "reverse_embeddings",
                                      .shape = {options_.output_dim, options_.input_dim},
                                      .initializer = options_.embeddings_initializer});
  }

  Tensor call(const Tensor& input, const CallContext& context) override {
    if (!context.reverse) return rows_of(input);
    check_features(input.shape());
    const Tensor kernel = options_.tie_weights ? ops::transpose(lora_weight()) : reverse_embeddings_.value();
    const Tensor logits = ops::matmul(ops::cast(input, reverse_dtype()), ops::cast(kernel, reverse_dtype()));
    if (!options_.logit_soft_cap.has_value()) return logits;
    return ops::tanh(logits / *options_.logit_soft_cap) * *options_.logit_soft_cap;
  }

 private:
  DType reverse_dtype() const { return options_.reverse_dtype.value_or(compute_dtype()); }
  void check_features(const Dims& shape) const {
    if (shape.empty() || (shape.back() != options_.output_dim && shape.back() != kUnknown))
      option_error(
          fmt::format("a reverse call needs inputs of output_dim = {} features; got an input of shape {}",
                      options_.output_dim, shape_with_none_str(shape)));
  }

  ReversibleEmbeddingOptions options_;
  Variable reverse_embeddings_;
};

}  // namespace

Embedding::Embedding(EmbeddingOptions options) : LoraHandle(std::make_shared<EmbeddingLayer>(options)) {}
ReversibleEmbedding::ReversibleEmbedding(ReversibleEmbeddingOptions options)
    : LoraHandle(std::make_shared<ReversibleEmbeddingLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
