#include "cornu/keras/layers/rnn/conv_lstm.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layers/convolutional/convolution_layer_support.h"
#include "cornu/keras/layers/rnn/recurrent_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/conv.h"

namespace cornu::inline v0::keras::layers {
namespace {

constexpr std::int64_t kNumGates = 4;

/// The convolutions of a step: their options and shapes. It has no weights.
class StepConvolution : public ConvolutionLayer {
 public:
  StepConvolution(std::int64_t num_spatial, const ConvLSTMOptions& options)
      : ConvolutionLayer({.layer = {.class_name = "ConvLSTMCell", .name = "conv_lstm_cell"},
                          .kernel_size = options.kernel_size,
                          .strides = options.strides,
                          .padding = options.padding,
                          .data_format = options.data_format,
                          .dilation_rate = options.dilation_rate,
                          .activation = options.activation,
                          .use_bias = false,  // it is the cell's
                          .bias_initializer = options.bias_initializer,
                          .bias_regularizer = options.bias_regularizer,
                          .bias_constraint = options.bias_constraint},
                         num_spatial),
        filters_(options.filters) {
    check_positive("filters", filters_);
    refuse_strides_with_dilation();
    check_activation("recurrent_activation", options.recurrent_activation);
    check_kernel_options("kernel", options.kernel_initializer, options.kernel_regularizer,
                         options.kernel_constraint);
    check_kernel_options("recurrent", options.recurrent_initializer, options.recurrent_regularizer,
                         options.recurrent_constraint);
  }

  using ConvolutionLayer::channel_axis;
  using ConvolutionLayer::is_channels_first;
  using ConvolutionLayer::kernel_shape;
  using ConvolutionLayer::known_channels;
  using ConvolutionLayer::num_spatial;
  using ConvolutionLayer::spatial;

  Dims compute_output_shape(const Dims& step_shape) const override {
    return convolved_shape(step_shape, filters_);
  }
  Tensor convolve_input(const Tensor& input, const Tensor& kernel, const Tensor& bias) const {
    auto how = conv_options<ops::ConvOptions>();
    how.bias = bias;
    return ops::conv(input, kernel, how);
  }
  Tensor convolve_state(const Tensor& state, const Tensor& kernel) const {
    return ops::conv(state, kernel, {.padding = "same", .data_format = data_format()});
  }

 private:
  std::int64_t filters_;
};

class ConvLSTMCell : public RecurrentCell {
 public:
  ConvLSTMCell(std::int64_t num_spatial, ConvLSTMOptions options)
      : RecurrentCell({.class_name = "ConvLSTMCell",
                       .name = "conv_lstm_cell",
                       .trainable = options.trainable,
                       .dtype = options.dtype}),
        options_(std::move(options)),
        convolution_(num_spatial, options_),
        seed_generator_(add_seed_generator(options_.seed)) {
    for (const double rate : {options_.dropout, options_.recurrent_dropout})
      if (std::isnan(rate)) option_error("dropout and recurrent_dropout must be numbers; got nan");
    // Keras clamps rates to [0, 1].
    options_.dropout = std::clamp(options_.dropout, 0.0, 1.0);
    options_.recurrent_dropout = std::clamp(options_.recurrent_dropout, 0.0, 1.0);
  }

  std::vector<std::int64_t> state_sizes() const override { return {options_.filters, options_.filters}; }
  std::vector<Dims> state_shapes(const Dims& step_shape) const override {
    return {output_shape(step_shape), output_shape(step_shape)};
  }
  Dims output_shape(const Dims& step_shape) const override {
    // The initial states have the extents that follow from the first input.
    if (!built_step_.empty() && !may_be_equal(step_shape, built_step_))
      option_error(fmt::format("the layer was built for steps of shape {}; got steps of shape {}",
                               shape_with_none_str(built_step_), shape_with_none_str(step_shape)));
    Dims shape = convolution_.compute_output_shape(step_shape);
    shape.erase(shape.begin());
    return shape;
  }
  std::vector<Tensor> initial_states(std::int64_t batch) const override {
    return std::vector<Tensor>(2, ops::zeros(with_batch(batch, output_shape(built_step_)), compute_dtype()));
  }
  std::string activation_name() const override { return options_.activation.name(); }
  const ConvLSTMOptions& options() const { return options_; }
  std::int64_t num_spatial() const { return convolution_.num_spatial(); }

  void begin_sequence(const Tensor& input, std::span<const Tensor> states,
                      const CallContext& context) override {
    input_masks_ = masks(options_.dropout, input, context, 0);
    state_masks_ = masks(options_.recurrent_dropout, states[0], context, 0x80000000U);
    in_sequence_ = true;
  }
  void end_sequence() override {
    input_masks_.clear();
    state_masks_.clear();
    in_sequence_ = false;
  }

  /// The input's part of z for a step [batch, ...] or for all steps [batch, time, ...], after dropout.
  Tensor project(const Tensor& input) const {
    const Tensor kernel = kernel_.value(), bias = bias_.defined() ? bias_.value() : Tensor();
    if (input_masks_.empty()) return convolve_steps(input, kernel, bias);
    std::vector<Tensor> parts;
    const std::vector<Tensor> kernels = ops::split(kernel, kNumGates, -1);
    const bool has_steps = static_cast<std::int64_t>(input.rank()) == num_spatial() + 3;
    for (std::size_t i = 0; i < kernels.size(); ++i)
      parts.push_back(
          convolve_steps(input * (has_steps ? ops::expand_dims(input_masks_[i], 1) : input_masks_[i]),
                         kernels[i], bias.defined() ? ops::split(bias, kNumGates, 0)[i] : Tensor()));
    return ops::concatenate(parts, convolution_.channel_axis() + (has_steps ? 1 : 0));
  }

  /// The rest of a step.
  CellStep gated_step(const Tensor& projected, std::span<const Tensor> states) const {
    const std::vector<Tensor> z =
        ops::split(projected + project_state(states[0]), kNumGates, convolution_.channel_axis());
    const ActivationSpec &gate = options_.recurrent_activation, &activation = options_.activation;
    const Tensor c = gate(z[1]) * states[1] + gate(z[0]) * activation(z[2]);
    const Tensor h = gate(z[3]) * activation(c);
    return {h, {h, c}};
  }

 protected:
  void build(const Dims& step_shape) override {
    const std::int64_t channels = convolution_.known_channels(step_shape),
                       width = kNumGates * options_.filters;
    for (std::int64_t i = 0; i < num_spatial(); ++i)
      if (convolution_.spatial(step_shape, static_cast<std::size_t>(i)) == kUnknown)
        option_error(fmt::format("the spatial extents of the input must be known; the shape of a step is {}",
                                 shape_with_none_str(step_shape)));
    (void)output_shape(step_shape);
    built_step_ = step_shape;
    built_step_[0] = kUnknown;
    kernel_ = add_weight({.name = "kernel",
                          .shape = convolution_.kernel_shape(channels, width),
                          .initializer = options_.kernel_initializer,
                          .regularizer = options_.kernel_regularizer,
                          .constraint = options_.kernel_constraint});
    recurrent_kernel_ = add_weight({.name = "recurrent_kernel",
                                    .shape = convolution_.kernel_shape(options_.filters, width),
                                    .initializer = options_.recurrent_initializer,
                                    .regularizer = options_.recurrent_regularizer,
                                    .constraint = options_.recurrent_constraint});
    if (!options_.use_bias) return;
    InitializerSpec initializer = options_.bias_initializer;
    if (options_.unit_forget_bias) initializer = unit_forget_bias(initializer.get(), options_.filters);
    bias_ = add_weight({.name = "bias",
                        .shape = {width},
                        .initializer = initializer,
                        .regularizer = options_.bias_regularizer,
                        .constraint = options_.bias_constraint});
  }

  void unbuild() override { built_step_.clear(); }

  CellStep step(const Tensor& input, std::span<const Tensor> states, const CallContext& context) override {
    if (in_sequence_) return gated_step(project(input), states);
    const SequenceScope of_one_step(*this, input, states, context);
    return gated_step(project(input), states);
  }

 private:
  /// Convolves steps as rows of one batch.
  Tensor convolve_steps(const Tensor& input, const Tensor& kernel, const Tensor& bias) const {
    if (static_cast<std::int64_t>(input.rank()) == num_spatial() + 2)
      return convolution_.convolve_input(input, kernel, bias);
    Dims rows(input.shape().begin() + 1, input.shape().end());
    rows[0] = CheckedSize::product(std::span(input.shape()).first(2))
                  .value("[conv_lstm] the number of steps in a batch");
    const Tensor convolved = convolution_.convolve_input(ops::reshape(input, rows), kernel, bias);
    Dims steps(input.shape().begin(), input.shape().begin() + 2);
    steps.insert(steps.end(), convolved.shape().begin() + 1, convolved.shape().end());
    return ops::reshape(convolved, steps);
  }

  Tensor project_state(const Tensor& state) const {
    if (state_masks_.empty()) return convolution_.convolve_state(state, recurrent_kernel_.value());
    const std::vector<Tensor> kernels = ops::split(recurrent_kernel_.value(), kNumGates, -1);
    std::vector<Tensor> parts;
    for (std::size_t i = 0; i < kernels.size(); ++i)
      parts.push_back(convolution_.convolve_state(state * state_masks_[i], kernels[i]));
    return ops::concatenate(parts, convolution_.channel_axis());
  }

  /// A dropout mask for each gate; empty without dropout. As in Keras, a rate of 1 drops nothing.
  std::vector<Tensor> masks(double rate, const Tensor& like, const CallContext& context,
                            std::uint32_t stream) const {
    if (!context.training || rate <= 0 || rate >= 1) return {};
    const Tensor counter = context.random_counter.defined() ? context.random_counter : seed_generator_.next();
    Dims shape = like.shape();
    shape.insert(shape.begin() + 1, kNumGates);
    const Tensor bits =
        ops::random_bits(seed_generator_.key0(), seed_generator_.key1() ^ stream, counter, shape);
    std::vector<Tensor> result = ops::split(dropout_mask(bits, rate, compute_dtype()), kNumGates, 1);
    for (Tensor& mask : result) mask = ops::squeeze(mask, 1);
    return result;
  }

  ConvLSTMOptions options_;
  StepConvolution convolution_;
  SeedGenerator seed_generator_;
  Dims built_step_;  // the shape of a step with which it was built
  Variable kernel_, recurrent_kernel_, bias_;
  std::vector<Tensor> input_masks_, state_masks_;  // during a sequence
  bool in_sequence_ = false;
};

class ConvLSTMLayer : public RecurrentLayer {
 public:
  ConvLSTMLayer(const char* class_name, std::shared_ptr<ConvLSTMCell> cell, RNNOptions options,
                std::shared_ptr<const saving::DescribedOptions> described)
      : RecurrentLayer(class_name, cell, std::move(options)),
        literal_name_(class_name),
        cell_(std::move(cell)) {
    DescriptionAccess::set(*this, {class_name, std::move(described)});
  }

  std::string activation_name() const override { return cell_->activation_name(); }
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    return make_own_cell(literal_name_, name(), [&] { return RecurrentLayer::compute_output_types(inputs); });
  }
  std::shared_ptr<RecurrentLayer> remake(std::string name, bool go_backwards) const override {
    ConvLSTMOptions of_cell = cell_->options();
    of_cell.trainable = cell_->trainable();
    of_cell.dtype = cell_->dtype_policy();
    return std::make_shared<ConvLSTMLayer>(
        literal_name_, std::make_shared<ConvLSTMCell>(cell_->num_spatial(), std::move(of_cell)),
        remade_options(std::move(name), go_backwards), description().options);
  }

 protected:
  void add_to_config(Config& fields) const override {
    fields.set("go_backwards", options().go_backwards);
    fields.set("zero_output_for_mask", options().zero_output_for_mask);
    fields.set("dropout", cell_->options().dropout);
    fields.set("recurrent_dropout", cell_->options().recurrent_dropout);
  }

  void build_for(std::span<const Dims> input_shapes) override {
    make_own_cell(literal_name_, name(), [&] {
      RecurrentLayer::build_for(input_shapes);
      return 0;
    });
  }

  SequenceOutput walk(const SequenceInput& input, const CallContext& context) override {
    const SequenceScope scope(*cell_, input, context);
    const Tensor projected =
        make_own_cell(literal_name_, name(), [&] { return cell_->project(input.sequence); });
    return walk_steps(
        {.sequence = projected, .states = input.states, .mask = input.mask},
        [&](const Tensor& row, std::span<const Tensor> states) { return cell_->gated_step(row, states); });
  }

 private:
  const char* literal_name_;  // the class's
  std::shared_ptr<ConvLSTMCell> cell_;
};

std::shared_ptr<RecurrentLayer> conv_lstm(const char* class_name, std::int64_t num_spatial,
                                          const ConvLSTMOptions& options) {
  return std::make_shared<ConvLSTMLayer>(
      class_name,
      make_own_cell(class_name, options.name,
                    [&] { return std::make_shared<ConvLSTMCell>(num_spatial, options); }),
      rnn_options(options), saving::describe(options));
}

}  // namespace

ConvLSTM1D::ConvLSTM1D(const ConvLSTM1DOptions& options) : Recurrent(conv_lstm("ConvLSTM1D", 1, options)) {}
ConvLSTM2D::ConvLSTM2D(const ConvLSTM2DOptions& options) : Recurrent(conv_lstm("ConvLSTM2D", 2, options)) {}
ConvLSTM3D::ConvLSTM3D(const ConvLSTM3DOptions& options) : Recurrent(conv_lstm("ConvLSTM3D", 3, options)) {}

}  // namespace cornu::inline v0::keras::layers
