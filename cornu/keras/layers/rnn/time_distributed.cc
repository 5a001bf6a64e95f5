#include "cornu/keras/layers/rnn/time_distributed.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layer/row_states.h"
#include "cornu/keras/layers/rnn/recurrent_support.h"
#include "cornu/keras/layers/rnn/row_wise_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

Dims without_time(Dims shape) {
  if (shape.size() < 3)
    invalid_argument(
        "[time_distributed] expected the input to have at least 3 dimensions; got an input of shape {}",
        shape_with_none_str(shape));
  if (shape[1] == 0)
    invalid_argument("[time_distributed] the sequence must have at least one step; got an input of shape {}",
                     shape_with_none_str(shape));
  shape.erase(shape.begin() + 1);
  return shape;
}

/// Merges batch and time into one axis of rows.
Tensor rows_of_steps(const Tensor& x) {
  Dims dims(x.shape().begin() + 1, x.shape().end());
  dims[0] = CheckedSize::product(std::span(x.shape()).first(2))
                .value("[time_distributed] the number of steps in a batch");
  return ops::reshape(x, dims);
}

Tensor sequence_step(const Tensor& x, std::int64_t i) {
  std::vector<Slice> slices = {Slice{}, Slice{i, i + 1}};
  return ops::squeeze(x.slice(slices), 1);
}

/// The type without the time axis; the batch is open.
TensorType type_of_rows(TensorType type) {
  type.dims.erase(type.dims.begin() + 1);
  type.dims[0] = kUnknown;
  return type;
}

bool regularizes_inside(const Layer& layer) {
  const std::vector<std::shared_ptr<Layer>> inside = layer.sublayers();
  return std::any_of(inside.begin(), inside.end(), [](const auto& one) {
    return one->activity_regularizer() != nullptr || regularizes_inside(*one);
  });
}

bool takes_rows_together(const Layer& layer) {
  const auto* together = dynamic_cast<const RowsTogether*>(&layer);
  if (together != nullptr && together->takes_rows_together()) return true;
  const std::vector<std::shared_ptr<Layer>> inside = layer.sublayers();
  return std::any_of(inside.begin(), inside.end(), [](const auto& one) { return takes_rows_together(*one); });
}

class TimeDistributedLayer : public Layer {
 public:
  TimeDistributedLayer(const LayerHandle& layer, const TimeDistributedOptions& options)
      : Layer(layer_settings("TimeDistributed", options)), layer_(layer.shared()) {
    if (layer_ == nullptr) option_error("the layer is empty");
    track(layer, "layer");
    set_supports_masking(true);
  }

  bool has_type_rule() const override { return layer_->has_type_rule(); }
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    check_one(inputs.size());
    TensorType step = inputs[0];
    step.dims = without_time(step.dims);
    std::vector<TensorType> types = layer_->compute_output_types({&step, 1});
    for (TensorType& type : types) type.dims.insert(type.dims.begin() + 1, inputs[0].dims[1]);
    return types;
  }

 protected:
  void add_to_config(Config& fields) const override { fields.set("layer", saving::serialize(*layer_)); }

  void build_for(std::span<const Dims> input_shapes) override {
    check_one(input_shapes.size());
    layer_->build_once(without_time(input_shapes[0]));
  }

  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext& context) override {
    check_one(inputs.size());
    const Tensor& input = inputs[0];
    without_time(input.shape());
    const Tensor* mask = input.mask();
    if (mask != nullptr && (mask->rank() < 2 || !std::equal(input.shape().begin(), input.shape().begin() + 2,
                                                            mask->shape().begin())))
      invalid_argument(
          "[time_distributed] the mask must begin with the batch and time of the input {}; got {}",
          ir::shape_str(input.shape()), ir::shape_str(mask->shape()));
    return steps_are_rows(input, mask, context) ? all_at_once(input, mask, context)
                                                : one_after_the_other(input, mask, context);
  }

 private:
  static void check_one(std::size_t num_inputs) {
    if (num_inputs != 1) invalid_argument("[time_distributed] expected one input; got {}", num_inputs);
  }

  /// True if all steps may be computed as rows of one batch. False if a step depends on earlier ones or adds
  /// its own loss, and if the layer may compute over the rows of a batch together.
  bool steps_are_rows(const Tensor& input, const Tensor* mask, const CallContext& context) {
    if (keeps_row_states(*layer_) || takes_rows_together(*layer_) || regularizes_inside(*layer_))
      return false;
    if (context.training && layer_->trainable()) {
      const std::vector<Variable> weights = layer_->weights();
      if (!std::all_of(weights.begin(), weights.end(),
                       [](const Variable& weight) { return weight.trainable(); }))
        return false;
    }
    if (input.shape()[1] == 1) return true;  // the input is a batch already
    RowWiseCase of{.rows = type_of_rows(input.type()),
                   .training = context.training,
                   .has_padding = context.rows.defined()};
    if (mask != nullptr) of.mask = type_of_rows(mask->type());
    return proofs_.hold_for(of, [&](const Tensor& rows, const CallArguments& arguments) {
      return call_unregularized(*layer_, {&rows, 1}, arguments);
    });
  }

  std::vector<Tensor> all_at_once(const Tensor& input, const Tensor* mask, const CallContext& context) {
    const std::int64_t batch = input.shape()[0], time = input.shape()[1];
    Tensor rows = rows_of_steps(input);
    if (mask != nullptr) rows = rows.with_mask(rows_of_steps(*mask));
    CallArguments arguments;
    if (context.rows.defined()) {
      arguments.rows.exact_because = context.rows.exact_because;
      arguments.rows.valid = ops::repeat(context.rows.valid, time, {.axis = 0});
      arguments.rows.num_valid = context.rows.num_valid * static_cast<double>(time);
      if (context.rows.num_valid_of_all.defined())
        arguments.rows.num_valid_of_all = context.rows.num_valid_of_all * static_cast<double>(time);
    }
    std::vector<Tensor> outputs = call_unregularized(*layer_, {&rows, 1}, arguments);
    for (Tensor& output : outputs) {
      Dims dims = output.shape();
      dims[0] = time;
      dims.insert(dims.begin(), batch);
      output = ops::reshape(output, dims);
    }
    return outputs;
  }

  std::vector<Tensor> one_after_the_other(const Tensor& input, const Tensor* mask,
                                          const CallContext& context) {
    claim_unrolled_steps("time_distributed", input.shape()[1]);
    std::vector<std::vector<Tensor>> steps;  // of each output
    for (std::int64_t i = 0; i < input.shape()[1]; ++i) {
      Tensor row = sequence_step(input, i);
      if (mask != nullptr) row = row.with_mask(sequence_step(*mask, i));
      CallArguments arguments;
      // Each step draws its own random numbers.
      if (context.random_counter.defined())
        arguments.random_counter =
            context.random_counter +
            Tensor::of<std::uint32_t>({}, {static_cast<std::uint32_t>(i) * 0x9E3779B9U});
      const std::vector<Tensor> outputs = call_unregularized(*layer_, {&row, 1}, arguments);
      steps.resize(outputs.size());
      for (std::size_t k = 0; k < outputs.size(); ++k) steps[k].push_back(outputs[k]);
    }
    std::vector<Tensor> stacked;
    stacked.reserve(steps.size());
    for (const std::vector<Tensor>& rows : steps) stacked.push_back(ops::stack(rows, 1));
    return stacked;
  }

  std::shared_ptr<Layer> layer_;
  RowWiseProofs proofs_;
};

}  // namespace

TimeDistributed::TimeDistributed(const LayerHandle& layer, const TimeDistributedOptions& options)
    : LayerHandle(std::make_shared<TimeDistributedLayer>(layer, options)) {}

}  // namespace cornu::inline v0::keras::layers
