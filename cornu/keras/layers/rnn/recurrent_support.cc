#include "cornu/keras/layers/rnn/recurrent_support.h"

#include <algorithm>
#include <cmath>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/memory_allowance.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/ops/recurrent.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// An LSTM's bias: the part of the forget gate is initialized with ones.
class UnitForgetBias : public Initializer {
 public:
  UnitForgetBias(std::shared_ptr<Initializer> others, std::int64_t units)
      : others_(std::move(others)), units_(units) {}
  std::string class_name() const override { return "UnitForgetBias"; }
  ir::Literal operator()(const Dims&, DType dtype) const override {
    const auto part = [&](std::int64_t count) { return Tensor((*others_)({count}, dtype)); };
    return ops::concatenate({part(units_), ops::ones({units_}, dtype), part(2 * units_)}).literal();
  }

 private:
  std::shared_ptr<Initializer> others_;
  std::int64_t units_;
};

LayerSettings cell_settings(const GateOptions& options) {
  return layer_settings(options.class_name, options);
}

}  // namespace

Dims with_batch(std::int64_t batch, Dims extents) {
  extents.insert(extents.begin(), batch);
  return extents;
}

bool may_be_equal(const Dims& got, const Dims& wanted) {
  return std::ranges::equal(
      got, wanted, [](std::int64_t a, std::int64_t b) { return a == b || a == kUnknown || b == kUnknown; });
}

Tensor dropout_mask(const Tensor& bits, double rate, DType dtype) {
  const double keep = 1 - rate;
  if (keep <= 0) return ops::zeros(bits.shape(), dtype);
  const auto threshold = static_cast<std::uint32_t>(std::min(std::round(keep * 0x1p32), 0x1p32 - 1));
  return ops::cast(ops::less(bits, Tensor::of<std::uint32_t>({}, {threshold})), dtype) * (1 / keep);
}

std::shared_ptr<Initializer> unit_forget_bias(std::shared_ptr<Initializer> others, std::int64_t units) {
  return std::make_shared<UnitForgetBias>(std::move(others), units);
}

void claim_unrolled_steps(const std::string& kind, std::int64_t num_steps) {
  constexpr std::int64_t kBytesOfAStep = std::int64_t{16} << 10;  // roughly, of its operations in the graph
  claim_memory(CheckedSize(num_steps) * kBytesOfAStep,
               [&] { return fmt::format("[{}] a graph of {} steps one by one", kind, num_steps); });
}

Error error_of_layer(const Error& of_cell, const char* class_name, const std::string& name) {
  ErrorFields fields = of_cell.fields();
  fields.op = snake_case(class_name);
  fields.layer = name;
  return Error(of_cell.code(), of_cell.message(), std::move(fields));
}

// GatedCell.

GatedCell::GatedCell(GateOptions options)
    : RecurrentCell(cell_settings(options)),
      options_(std::move(options)),
      seed_generator_(add_seed_generator(options_.seed)) {
  DescriptionAccess::set(*this, {class_name(), options_.described});
  options_.dtype = dtype_policy();  // for copies, regardless of the default policy at that time
  if (options_.units <= 0) option_error("units", "must be positive", fmt::format("{}", options_.units));
  check_activation(options_.activation);
  check_activation("recurrent_activation", options_.recurrent_activation);
  check_initializer("kernel_initializer", options_.kernel_initializer);
  check_initializer("recurrent_initializer", options_.recurrent_initializer);
  check_initializer("bias_initializer", options_.bias_initializer);
  check_regularizer("kernel_regularizer", options_.kernel_regularizer);
  check_regularizer("recurrent_regularizer", options_.recurrent_regularizer);
  check_regularizer("bias_regularizer", options_.bias_regularizer);
  check_constraint("kernel_constraint", options_.kernel_constraint);
  check_constraint("recurrent_constraint", options_.recurrent_constraint);
  check_constraint("bias_constraint", options_.bias_constraint);
  for (const double rate : {options_.dropout, options_.recurrent_dropout})
    if (std::isnan(rate)) option_error("dropout and recurrent_dropout must be numbers; got nan");
  // Keras clamps rates to [0, 1].
  options_.dropout = std::clamp(options_.dropout, 0.0, 1.0);
  options_.recurrent_dropout = std::clamp(options_.recurrent_dropout, 0.0, 1.0);
}

void GatedCell::add_to_config(Config& fields) const {
  fields.set("dropout", options_.dropout);
  fields.set("recurrent_dropout", options_.recurrent_dropout);
}

std::vector<std::int64_t> GatedCell::state_sizes() const {
  return std::vector<std::int64_t>(static_cast<std::size_t>(options_.num_states), options_.units);
}

std::shared_ptr<RecurrentCell> GatedCell::copy() const {
  GateOptions options = options_;
  options.name = name();
  return with_options(options);
}

void GatedCell::set_trainable(bool trainable) {
  Layer::set_trainable(trainable);
  options_.trainable = trainable;
}

void GatedCell::build(const Dims& step_shape) {
  if (step_shape.size() != 2)
    invalid_argument("[{}] the input of a step must have the dimensions batch and features; got shape {}",
                     snake_case(class_name()), shape_with_none_str(step_shape));
  const std::int64_t features = step_shape.back();
  const std::int64_t width =
      (CheckedSize(options_.num_gates) * options_.units).value("the width of the gates' kernels");
  if (features == kUnknown)
    invalid_argument("[{}] the last extent of the input shape {} must be known", snake_case(class_name()),
                     shape_with_none_str(step_shape));
  kernel_ = add_weight({.name = "kernel",
                        .shape = {features, width},
                        .initializer = options_.kernel_initializer,
                        .regularizer = options_.kernel_regularizer,
                        .constraint = options_.kernel_constraint});
  recurrent_kernel_ = add_weight({.name = "recurrent_kernel",
                                  .shape = {options_.units, width},
                                  .initializer = options_.recurrent_initializer,
                                  .regularizer = options_.recurrent_regularizer,
                                  .constraint = options_.recurrent_constraint});
  if (!options_.use_bias) return;
  InitializerSpec initializer = options_.bias_initializer;
  if (options_.unit_forget_bias) initializer = unit_forget_bias(initializer.get(), options_.units);
  bias_ = add_weight({.name = "bias",
                      .shape = options_.reset_after ? Dims{2, width} : Dims{width},
                      .initializer = initializer,
                      .regularizer = options_.bias_regularizer,
                      .constraint = options_.bias_constraint});
}

bool GatedCell::has_composite() const {
  return ops::is_recurrent_activation(options_.activation.name()) &&
         ops::is_recurrent_activation(options_.recurrent_activation.name());
}

Tensor GatedCell::input_bias() const {
  if (!bias_.defined()) return {};
  return options_.reset_after ? bias_.value()[0] : bias_.value();
}

Tensor GatedCell::recurrent_bias() const {
  return bias_.defined() && options_.reset_after ? bias_.value()[1] : Tensor();
}

/// At rate 1 a cell with one gate drops everything, and a cell with several gates drops nothing, as in Keras.
bool GatedCell::is_dropping(double rate) const { return rate > 0 && (rate < 1 || options_.num_gates == 1); }

void GatedCell::draw_masks(const Tensor& input, const Tensor& state, const CallContext& context) {
  input_masks_.clear();
  state_masks_.clear();
  const bool drops_input = is_dropping(options_.dropout),
             drops_state = is_dropping(options_.recurrent_dropout);
  if (!context.training || (!drops_input && !drops_state)) return;
  const Tensor counter = context.random_counter.defined() ? context.random_counter : seed_generator_.next();
  const std::int64_t count = options_.is_mask_per_gate ? options_.num_gates : 1;
  // The states' masks use another key. A row's numbers depend on its index only: additional rows do not
  // change them.
  const auto masks = [&](double rate, const Tensor& like, std::uint32_t stream) {
    const std::int64_t features = like.shape().back();
    const Tensor bits = ops::random_bits(seed_generator_.key0(), seed_generator_.key1() ^ stream, counter,
                                         {like.shape()[0], count * features});
    return ops::split(dropout_mask(bits, rate, compute_dtype()), count, 1);
  };
  if (drops_input) input_masks_ = masks(options_.dropout, input, 0);
  if (drops_state) state_masks_ = masks(options_.recurrent_dropout, state, 0x80000000U);
}

void GatedCell::begin_sequence(const Tensor& input, std::span<const Tensor> states,
                               const CallContext& context) {
  draw_masks(input, states[0], context);
  in_sequence_ = true;
}

void GatedCell::end_sequence() {
  input_masks_.clear();
  state_masks_.clear();
  in_sequence_ = false;
}

CellStep GatedCell::step(const Tensor& input, std::span<const Tensor> states, const CallContext& context) {
  if (in_sequence_) return gated_step(project(input), states);
  const SequenceScope of_one_step(*this, input, states, context);
  return gated_step(project(input), states);
}

Tensor GatedCell::project(const Tensor& input) const {
  if (input.shape().back() != kernel_.shape()[0])
    invalid_argument("[{}] expected the input to have {} features; got an input of shape {}",
                     snake_case(class_name()), kernel_.shape()[0], ir::shape_str(input.shape()));
  const auto dropped = [&](std::size_t number) {
    const Tensor& mask = input_masks_[number];
    return input * (input.rank() == 3 ? ops::expand_dims(mask, 1) : mask);
  };
  Tensor product;
  if (input_masks_.size() <= 1) {
    product = ops::matmul(input_masks_.empty() ? input : dropped(0), kernel_);
  } else {
    std::vector<Tensor> parts;
    parts.reserve(input_masks_.size());
    for (std::size_t i = 0; i < input_masks_.size(); ++i)
      parts.push_back(ops::matmul(dropped(i), gate(kernel_, static_cast<std::int64_t>(i))));
    product = ops::concatenate(parts, -1);
  }
  return bias_.defined() ? product + input_bias() : product;
}

Tensor GatedCell::gate(const Tensor& all, std::int64_t number) const {
  std::vector<Slice> slices(all.shape().size());
  slices.back() = Slice{number * options_.units, (number + 1) * options_.units};
  return all.slice(slices);
}

Tensor GatedCell::dropped_state(const Tensor& state, std::int64_t number) const {
  if (state_masks_.empty()) return state;
  return state * state_masks_[state_masks_.size() == 1 ? 0 : static_cast<std::size_t>(number)];
}

Tensor GatedCell::recurrent_product(const Tensor& state, std::int64_t first, std::int64_t count) const {
  const Tensor kernel = recurrent_kernel_.value();
  if (state_masks_.size() <= 1) {
    const std::vector<Slice> part = {Slice{},
                                     Slice{first * options_.units, (first + count) * options_.units}};
    return ops::matmul(dropped_state(state, 0), count == options_.num_gates ? kernel : kernel.slice(part));
  }
  std::vector<Tensor> parts;
  for (std::int64_t i = first; i < first + count; ++i)
    parts.push_back(ops::matmul(dropped_state(state, i), gate(kernel, i)));
  return ops::concatenate(parts, -1);
}

// GatedLayer.

GatedLayer::GatedLayer(const char* class_name, std::shared_ptr<GatedCell> cell, RNNOptions options,
                       std::shared_ptr<const saving::DescribedOptions> described)
    : RecurrentLayer(class_name, cell, std::move(options)), gated_cell_(std::move(cell)) {
  DescriptionAccess::set(*this, {class_name, std::move(described)});
}

void GatedLayer::add_to_config(Config& fields) const {
  fields.set("go_backwards", options().go_backwards);
  fields.set("zero_output_for_mask", options().zero_output_for_mask);
  fields.set("dropout", gated_cell_->options().dropout);
  fields.set("recurrent_dropout", gated_cell_->options().recurrent_dropout);
}

void GatedLayer::build_for(std::span<const Dims> input_shapes) {
  make_own_cell(class_name().c_str(), name(), [&] {
    RecurrentLayer::build_for(input_shapes);
    return 0;
  });
}

SequenceOutput GatedLayer::walk(const SequenceInput& input, const CallContext& context) {
  const SequenceScope scope(*gated_cell_, input, context);
  const Tensor projected =
      make_own_cell(class_name().c_str(), name(), [&] { return gated_cell_->project(input.sequence); });
  if (gated_cell_->has_composite() && !gated_cell_->drops_states()) return walk_composite(projected, input);
  return walk_steps({.sequence = projected, .states = input.states, .mask = input.mask},
                    [&](const Tensor& row, std::span<const Tensor> states) {
                      return gated_cell_->gated_step(row, states);
                    });
}

}  // namespace cornu::inline v0::keras::layers
