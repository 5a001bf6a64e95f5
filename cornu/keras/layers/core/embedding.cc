#include "cornu/keras/layers/core/embedding.h"

#include <algorithm>
#include <memory>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"
#include "cornu/keras/base/fault.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/core/quantization_support.h"
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

/// A table quantized by rows: int8 with a scale for each row, int4 also with one for each group of columns.
QuantizedValues table_values(const Tensor& table, const QuantizationConfig* config, QuantizationMode mode,
                             std::int64_t block_size) {
  const EagerScope outside_of_traces;
  const cornu::detail::HostScope on_host;
  if (mode == QuantizationMode::kInt8) {
    QuantizedValues values = int8_values(table, config, -1);
    values.scale = ops::squeeze(values.scale, {.axis = -1});
    return values;
  }
  if (block_size == 0) {
    const std::shared_ptr<Quantizer> own = config == nullptr ? nullptr : config->weight_quantizer();
    const quantizers::QuantizedTensor rows =
        own != nullptr ? (*own)(table, std::nullopt)
                       : quantizers::abs_max_quantize(table, {.axis = -1, .value_range = {-8, 7}});
    return {quantizers::pack_int4(rows.values, {.axis = -1}).packed, ops::squeeze(rows.scale, {.axis = -1}),
            Tensor()};
  }
  const quantizers::GroupedQuantizedTensor groups = quantizers::abs_max_quantize_grouped_with_zero_point(
      ops::transpose(table), {.block_size = block_size, .to_numpy = true});
  return {quantizers::pack_int4(ops::transpose(groups.values), {.axis = -1}).packed,
          ops::transpose(groups.scale), ops::transpose(groups.zero_point)};
}

QuantizedForm table_form(std::int64_t rows, std::int64_t columns, QuantizationMode mode,
                         std::int64_t block_size) {
  if (mode == QuantizationMode::kInt8) return {.values = {rows, columns}, .scale = {rows}};
  QuantizedForm form{.values = {rows, (columns + 1) / 2}, .scale = {rows}};
  if (block_size == 0) return form;
  form.scale = {rows, (columns + block_size - 1) / block_size};
  form.block_size = block_size;
  form.num_rows = columns;
  return form;
}

class EmbeddingLayer : public WithQuantization<Layer> {
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

  void quantize(const std::shared_ptr<QuantizationConfig>& config) override {
    check_may_quantize(*config);
    if (config->mode() == QuantizationMode::kFloat8)
      fail(ErrorCode::kUnimplemented, {.layer = name()},
           "[quantize] a table has no form of float8, as in Keras");
    if (is_sharded(options_.sharding)) option_error(kQuantizesWhole);
    const std::int64_t size = config->block_size().value_or(0);
    const QuantizedValues values =
        table_values(weight_on_host(embeddings_), config.get(), config->mode(), size);
    remove_weight(embeddings_);
    embeddings_ = Variable();
    become_quantized(config);
    add_quantized_table(values);
    set_quantized_lora_weight(quantized_.values, table_shape());
  }

  bool is_merged(const Variable& variable) const override {
    return is_quantized() ? quantized_.contains(variable) : WithLora::is_merged(variable);
  }
  std::vector<std::pair<Variable, Tensor>> merged_values() const override {
    if (!is_quantized()) return WithLora::merged_values();
    const EagerScope outside_of_traces;
    const cornu::detail::HostScope on_host;
    const Tensor table = float_rows(QuantizedTensors(quantized_, packed_columns()), variable_dtype());
    const Tensor sum = lora_sum(table, Tensor(lora()->a), Tensor(lora()->b), lora()->factor);
    return merged_with(quantized_, table_values(sum, nullptr, quantization_mode(), block_size()));
  }

 protected:
  void build_for(std::span<const Dims> inputs) override {
    check_inputs(inputs.size());
    if (is_quantized()) {
      if (is_sharded(options_.sharding)) option_error(kQuantizesWhole);
      add_quantized_table({});
      set_quantized_lora_weight(quantized_.values, table_shape());
      set_lora_weight(quantized_.values, options_.embeddings_regularizer);
      return;
    }
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
    if (is_quantized()) return quantized_rows(ids);
    if (lora() != nullptr && is_sharded(options_.sharding)) option_error(kExcludesLora);
    const Tensor rows = table_rows(embeddings_, ids, [&] { return lora_weight(); });
    return rows.dtype() == compute_dtype() ? rows : ops::cast(rows, compute_dtype());
  }

  EmbeddingLayer(LayerSettings settings, EmbeddingOptions options)
      : WithQuantization(std::move(settings)), options_(std::move(options)) {
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
    set_quantization_option(options_.quantization_config);
    set_autocast(false);
    set_type_rule(TypeRule::kOverridden);
    set_supports_masking(options_.mask_zero);
    if (options_.input_length.has_value())
      log_warning("[embedding] input_length has no effect; in layer \"{}\"", printable(name()));
  }

  std::vector<Variable> weights_in_file_order() const override {
    return is_quantized() ? quantized_.in_file_order(Variable()) : std::vector<Variable>();
  }

  const EmbeddingOptions& table_options() const { return options_; }
  const QuantizedWeights& quantized_table() const { return quantized_; }
  /// Columns of a packed table; 0 if a byte has one element.
  std::int64_t packed_columns() const { return is_int4() ? options_.output_dim : 0; }

 private:
  static constexpr const char* kQuantizesWhole =
      "quantization needs a whole table: sharding must be \"replicated\"";
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
    if (options_.sharding == "table_wise")
      option_error(
          "sharding = \"table_wise\" distributes the tables of a DistributedEmbedding, and an Embedding has "
          "one: use \"row_wise\" or \"column_wise\"");
    if (options_.lora_rank.has_value()) option_error(kExcludesLora);
    if (options_.embeddings_regularizer.get() != nullptr || options_.embeddings_constraint.get() != nullptr)
      option_error(
          "embeddings_regularizer and embeddings_constraint need a whole table: sharding must be "
          "\"replicated\"");
  }

  Dims table_shape() const { return {options_.input_dim, options_.output_dim}; }

  void add_quantized_table(const QuantizedValues& values) {
    quantized_ = add_quantized_weights(
        "embeddings", table_form(options_.input_dim, options_.output_dim, quantization_mode(), block_size()),
        values);
  }

  /// Rows of a table as floats.
  static Tensor float_rows(const QuantizedTensors& rows, DType dtype) {
    const Tensor integers = ops::cast(rows.integers(), dtype);
    if (!rows.zero_point.defined()) return integers / ops::cast(ops::expand_dims(rows.scale, -1), dtype);
    return quantizers::dequantize_by_groups(integers, rows.scale, rows.zero_point, rows.group_of, -1);
  }

  Tensor quantized_rows(const Tensor& ids) const {
    QuantizedTensors rows(quantized_, packed_columns());
    rows.values = ops::take(rows.values, ids, {.axis = 0});
    rows.scale = ops::take(rows.scale, ids, {.axis = 0});
    if (rows.zero_point.defined()) rows.zero_point = ops::take(rows.zero_point, ids, {.axis = 0});
    const Tensor floats = ops::cast(float_rows(rows, compute_dtype()), compute_dtype());
    return with_lora_product(floats, [&](const Tensor& a) { return ops::take(a, ids, {.axis = 0}); });
  }

  EmbeddingOptions options_;
  Variable embeddings_;  // undefined in quantized layers
  QuantizedWeights quantized_;
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

  void quantize(const std::shared_ptr<QuantizationConfig>& config) override {
    const Tensor kernel =
        options_.tie_weights || !built() || is_quantized() ? Tensor() : weight_on_host(reverse_embeddings_);
    EmbeddingLayer::quantize(config);
    if (options_.tie_weights) return;
    QuantizedValues values = is_int4() ? int4_values_by_rows(kernel, config.get(), block_size())
                                       : int8_values(kernel, config.get(), 0);
    if (!is_int4()) values.scale = ops::squeeze(values.scale, {.axis = 0});
    remove_weight(reverse_embeddings_);
    reverse_embeddings_ = Variable();
    add_quantized_kernel(values);
  }

 protected:
  void build_for(std::span<const Dims> input_shapes) override {
    EmbeddingLayer::build_for(input_shapes);
    if (options_.tie_weights) return;
    if (is_quantized()) return add_quantized_kernel({});
    reverse_embeddings_ = add_weight({.name = "reverse_embeddings",
                                      .shape = {options_.output_dim, options_.input_dim},
                                      .initializer = options_.embeddings_initializer});
  }

  Tensor call(const Tensor& input, const CallContext& context) override {
    if (!context.reverse) return rows_of(input);
    check_features(input.shape());
    if (is_quantized()) return capped(quantized_logits(input));
    const Tensor kernel = options_.tie_weights ? ops::transpose(lora_weight()) : reverse_embeddings_.value();
    const Tensor logits = ops::matmul(ops::cast(input, reverse_dtype()), ops::cast(kernel, reverse_dtype()));
    return capped(logits);
  }

  std::vector<Variable> weights_in_file_order() const override {
    std::vector<Variable> all = EmbeddingLayer::weights_in_file_order();
    if (all.empty() || options_.tie_weights) return all;
    const std::vector<Variable> reverse = reverse_.in_file_order(Variable());
    all.insert(all.end(), reverse.begin(), reverse.end());
    return all;
  }

 private:
  Tensor capped(const Tensor& logits) const {
    if (!options_.logit_soft_cap.has_value()) return logits;
    return ops::tanh(logits / *options_.logit_soft_cap) * *options_.logit_soft_cap;
  }

  /// The kernel of reverse calls, [output_dim, input_dim]; of int4 packed along its rows.
  void add_quantized_kernel(const QuantizedValues& values) {
    const std::int64_t rows = options_.output_dim, columns = options_.input_dim, size = block_size();
    reverse_.values = add_fixed("reverse_embeddings", {is_int4() ? (rows + 1) / 2 : rows, columns},
                                DType::kI8, values.values, "zeros");
    const Dims scale = size > 0 ? Dims{(rows + size - 1) / size, columns} : Dims{columns};
    reverse_.scale = add_fixed("reverse_embeddings_scale", scale, std::nullopt, values.scale, "ones");
    if (size == 0) return;
    Tensor zero_point = values.zero_point;  // floats, as in Keras
    if (zero_point.defined()) zero_point = ops::cast(zero_point, variable_dtype());
    reverse_.zero_point = add_fixed("reverse_embeddings_zero", scale, std::nullopt, zero_point, "zeros");
  }

  Tensor quantized_logits(const Tensor& input) const {
    const DType dtype = compute_dtype();
    const bool is_tied = options_.tie_weights;
    const QuantizedTensors table(quantized_table(), packed_columns()),
        own(is_tied ? quantized_table() : reverse_, 0);
    Tensor kernel = is_tied ? ops::transpose(own.values) : own.values;
    if (is_int4()) kernel = quantizers::unpack_int4(kernel, options_.output_dim, {.axis = 0});
    const bool has_groups = own.zero_point.defined();
    Tensor x = ops::cast(input, dtype), scale;
    if (const std::shared_ptr<Quantizer> quantizer = activation_quantizer(true)) {
      const quantizers::QuantizedTensor rows = (*quantizer)(x, std::nullopt);
      x = rows.values;
      scale = rows.scale;
    }
    if (has_groups) {
      const Tensor by_row = is_tied ? ops::transpose(own.scale) : own.scale,
                   zero = is_tied ? ops::transpose(own.zero_point) : own.zero_point;
      kernel = quantizers::dequantize_by_groups(kernel, by_row, zero, table.group_of, 0);
      const Tensor logits = ops::matmul(ops::cast(x, dtype), ops::cast(kernel, dtype));
      return scale.defined() ? logits / scale : logits;
    }
    const Tensor logits =
        ops::cast(scale.defined() ? ops::matmul(x, kernel) : ops::matmul(x, ops::cast(kernel, dtype)), dtype);
    return logits / (scale.defined() ? scale * own.scale : own.scale);
  }

  DType reverse_dtype() const { return options_.reverse_dtype.value_or(compute_dtype()); }
  void check_features(const Dims& shape) const {
    if (shape.empty() || (shape.back() != options_.output_dim && shape.back() != kUnknown))
      option_error(
          fmt::format("a reverse call needs inputs of output_dim = {} features; got an input of shape {}",
                      options_.output_dim, shape_with_none_str(shape)));
  }

  ReversibleEmbeddingOptions options_;
  Variable reverse_embeddings_;  // undefined in quantized layers
  QuantizedWeights reverse_;
};

}  // namespace

Embedding::Embedding(EmbeddingOptions options) : LoraHandle(std::make_shared<EmbeddingLayer>(options)) {}
ReversibleEmbedding::ReversibleEmbedding(ReversibleEmbeddingOptions options)
    : LoraHandle(std::make_shared<ReversibleEmbeddingLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
