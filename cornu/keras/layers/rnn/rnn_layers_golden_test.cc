// Every recurrent layer, wrapper and option against numbers of real Keras (tools/goldens/rnn_layers.py).
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cornu/keras/base/names.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/models/sequential.h"
#include "cornu/keras/testing/check_layer_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

using nlohmann::json;
using testing::expect_close;
using testing::golden_tensor;
using testing::golden_tensors;
using testing::TracedStep;

/// The cell that the golden script defines in Python as well.
class MinimalCell : public RecurrentCell {
 public:
  MinimalCell(std::int64_t units, std::int64_t output)
      : RecurrentCell({.class_name = "Minimal"}), units_(units), output_(output) {}

  std::vector<std::int64_t> state_sizes() const override { return {units_}; }
  std::int64_t output_size() const override { return output_; }
  std::shared_ptr<RecurrentCell> copy() const override {
    return std::make_shared<MinimalCell>(units_, output_);
  }

 protected:
  void build(const Dims& step_shape) override {
    kernel_ = add_weight({.name = "kernel", .shape = {step_shape.back(), units_}});
    if (output_ != units_) head_ = add_weight({.name = "head", .shape = {units_, output_}});
  }
  CellStep step(const Tensor& input, std::span<const Tensor> states, const CallContext&) override {
    const Tensor h = ops::tanh(ops::matmul(input, kernel_) + states[0] * 0.5);
    return {head_.defined() ? ops::matmul(h, head_) : h, {h}};
  }

 private:
  std::int64_t units_, output_;
  Variable kernel_, head_;
};

template <typename Spec>
void set_rnn_spec(Spec& spec, const json& config, const char* key) {
  if (config.contains(key)) spec = Spec(config.at(key).get<std::string>());
}

/// The options common to cells and layers, as far as the cases use them.
template <typename Options>
Options gated_options(const json& config) {
  Options options;
  options.units = config.at("units");
  options.use_bias = config.value("use_bias", true);
  set_rnn_spec(options.activation, config, "activation");
  set_rnn_spec(options.kernel_regularizer, config, "kernel_regularizer");
  set_rnn_spec(options.recurrent_regularizer, config, "recurrent_regularizer");
  set_rnn_spec(options.bias_regularizer, config, "bias_regularizer");
  set_rnn_spec(options.kernel_constraint, config, "kernel_constraint");
  set_rnn_spec(options.recurrent_constraint, config, "recurrent_constraint");
  set_rnn_spec(options.bias_constraint, config, "bias_constraint");
  if constexpr (requires { options.recurrent_activation; })
    set_rnn_spec(options.recurrent_activation, config, "recurrent_activation");
  if constexpr (requires { options.unit_forget_bias; })
    options.unit_forget_bias = config.value("unit_forget_bias", true);
  if constexpr (requires { options.reset_after; }) options.reset_after = config.value("reset_after", true);
  return options;
}

template <typename Options>
void set_walk_options(Options& options, const json& config) {
  options.return_sequences = config.value("return_sequences", false);
  options.return_state = config.value("return_state", false);
  options.go_backwards = config.value("go_backwards", false);
  options.stateful = config.value("stateful", false);
  options.unroll = config.value("unroll", false);
  options.zero_output_for_mask = config.value("zero_output_for_mask", false);
  set_rnn_spec(options.activity_regularizer, config, "activity_regularizer");
}

Cell cell_of(const json& spec) {
  const std::string kind = spec.at("layer");
  const json& config = spec.at("config");
  if (kind == "LSTMCell") return LSTMCell(gated_options<LSTMCellOptions>(config));
  if (kind == "GRUCell") return GRUCell(gated_options<GRUCellOptions>(config));
  if (kind == "SimpleRNNCell") return SimpleRNNCell(gated_options<SimpleRNNCellOptions>(config));
  const std::int64_t units = config.at("units");
  return std::make_shared<MinimalCell>(units, config.value("output", units));
}

template <typename LayerType, typename Options>
Recurrent gated_of(const json& config) {
  auto options = gated_options<Options>(config);
  set_walk_options(options, config);
  return LayerType(options);
}

Recurrent recurrent_of(const json& spec) {
  const std::string kind = spec.at("layer");
  const json& config = spec.at("config");
  if (kind == "LSTM") return gated_of<LSTM, LSTMOptions>(config);
  if (kind == "GRU") return gated_of<GRU, GRUOptions>(config);
  if (kind == "SimpleRNN") {
    // Keras 3.15 takes its activity_regularizer and forgets it.
    json without = config;
    without.erase("activity_regularizer");
    return gated_of<SimpleRNN, SimpleRNNOptions>(without);
  }
  RNNOptions options;
  set_walk_options(options, config);
  std::vector<Cell> cells;
  for (const json& cell : spec.at("cells")) cells.push_back(cell_of(cell));
  return cells.size() == 1 ? RNN(cells[0], options) : RNN(cells, options);
}

LayerHandle rnn_layer_of(const json& spec) {
  const std::string kind = spec.at("layer");
  const json& config = spec.at("config");
  RegularizerSpec activity_regularizer;
  set_rnn_spec(activity_regularizer, config, "activity_regularizer");
  if (kind == "Dense") {
    return Dense({.units = config.at("units"),
                  .activation = config.value("activation", std::string("linear")),
                  .activity_regularizer = activity_regularizer});
  }
  if (kind == "Sequential") {
    std::vector<LayerHandle> inside;
    for (const json& one : spec.at("layers")) inside.push_back(rnn_layer_of(one));
    return Sequential(inside);
  }
  if (kind == "Flatten") return Flatten();
  if (kind.starts_with("ConvLSTM"))
    return LayerHandle(saving::from_config<Layer>(kind, Config::parse(config.dump())));
  if (kind == "TimeDistributed")
    return TimeDistributed(rnn_layer_of(spec.at("inner")), {.activity_regularizer = activity_regularizer});
  if (kind != "Bidirectional") return recurrent_of(spec);
  BidirectionalOptions options{.activity_regularizer = activity_regularizer};
  if (config.contains("merge_mode"))
    options.merge_mode = config.at("merge_mode").is_null()
                             ? std::nullopt
                             : std::optional(config.at("merge_mode").get<std::string>());
  if (spec.contains("backward")) options.backward_layer = recurrent_of(spec.at("backward"));
  return Bidirectional(recurrent_of(spec.at("inner")), options);
}

/// One case: the layer, its inputs, and variables that hold them, so that gradients can be computed.
class RecurrentCase {
 public:
  explicit RecurrentCase(const json& row)
      : row_(row), layer_(rnn_layer_of(row.at("spec"))), inputs_(golden_tensors(row.at("inputs"))) {
    if (!row.at("mask").is_null()) mask_ = ops::cast(golden_tensor(row.at("mask")), DType::kI1);
    for (const Tensor& input : inputs_)
      variables_.emplace_back(input.literal(), VariableOptions{.name = "input"});
  }

  void check() {
    check_types();
    check_weights();
    if (::testing::Test::HasFatalFailure()) return;
    check_outputs();
    if (row_.contains("weight_gradients")) check_gradients();
    if (row_.contains("training")) check_training();
  }

 private:
  /// Compares the shapes of a symbolic call with Keras's.
  void check_types() {
    if (!row_.contains("output_shapes")) return;
    const KerasTensor symbolic =
        Input({.shape = Dims(inputs_[0].shape().begin() + 1, inputs_[0].shape().end())});
    const std::vector<KerasTensor> outputs = layer_.call_many(std::span<const KerasTensor>(&symbolic, 1));
    ASSERT_EQ(outputs.size(), row_.at("output_shapes").size());
    // Keras takes both layers of a Bidirectional for equally wide.
    if (row_.at("spec").contains("backward")) return;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      EXPECT_EQ(outputs[i].shape(), row_.at("output_shapes")[i].get<Dims>());
  }

  void check_weights() {
    if (!layer_->built()) layer_->build_once(inputs_[0].shape());
    const std::vector<Variable> weights = layer_->weights();
    ASSERT_EQ(weights.size(), row_.at("weights").size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const json& wanted = row_.at("weights")[i];
      EXPECT_EQ(weights[i].name(), wanted.at("name").get<std::string>());
      EXPECT_EQ(weights[i].path(), wanted.at("path").get<std::string>());
      ASSERT_EQ(weights[i].shape(), wanted.at("value").at("shape").get<Dims>());
    }
    std::vector<std::string> paths;
    for (const Variable& variable : layer_->variables()) paths.push_back(variable.path());
    EXPECT_EQ(paths, row_.at("variables").get<std::vector<std::string>>());
    load_weights();
  }

  void load_weights() const {
    const std::vector<Variable> weights = layer_->weights();
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i].load(golden_tensor(row_.at("weights")[i].at("value")).literal());
  }

  std::vector<Tensor> call(std::span<const Tensor> values, bool training = false) const {
    return layer_.call_many(values, {.training = training, .mask = mask_});
  }

  void check_outputs() const {
    std::vector<Tensor> outputs;
    for (int i = 0; i < row_.at("calls").get<int>(); ++i) outputs = call(inputs_);
    const std::vector<Tensor> wanted = golden_tensors(row_.at("outputs"));
    ASSERT_EQ(outputs.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      expect_close(outputs[i], wanted[i], 1e-5, "output " + std::to_string(i));
    ASSERT_EQ(outputs[0].mask() != nullptr, !row_.at("output_mask").is_null())
        << "whether the output has a mask";
    if (outputs[0].mask() != nullptr)
      expect_close(ops::cast(*outputs[0].mask(), DType::kI32), golden_tensor(row_.at("output_mask")), 0,
                   "mask");
    const std::vector<Tensor> losses = layer_->losses();
    ASSERT_EQ(losses.size(), row_.at("losses").size());
    for (std::size_t i = 0; i < losses.size(); ++i)
      testing::expect_near_relative(losses[i].item<double>(), row_.at("losses")[i].get<double>(), 1e-5,
                                    "loss");
  }

  std::vector<Tensor> variable_values() const { return {variables_.begin(), variables_.end()}; }
  Tensor added_losses() const {
    Tensor total = 0.0;
    for (const Tensor& loss : layer_->losses()) total = total + loss;
    return total;
  }

  /// Checks outputs and gradients of a compiled step.
  void check_gradients() const {
    std::vector<Variable> with_respect_to = variables_;
    const std::vector<Variable> weights = layer_->weights();
    with_respect_to.insert(with_respect_to.end(), weights.begin(), weights.end());
    std::vector<Tensor> wanted = golden_tensors(row_.at("input_gradients"));
    const std::vector<Tensor> of_weights = golden_tensors(row_.at("weight_gradients"));
    wanted.insert(wanted.end(), of_weights.begin(), of_weights.end());
    const std::vector<Tensor> cotangents = golden_tensors(row_.at("cotangents")),
                              wanted_outputs = golden_tensors(row_.at("outputs"));
    std::vector<Variable> results, outputs;
    for (const Variable& variable : with_respect_to)
      results.emplace_back(ir::Literal(variable.type()), VariableOptions{.name = "gradient"});
    for (const Tensor& output : wanted_outputs)
      outputs.emplace_back(ir::Literal(output.type()), VariableOptions{.name = "output"});
    TracedStep step([&](Trace&) -> std::vector<Tensor> {
      const std::vector<Tensor> traced = call(variable_values());
      Tensor total = added_losses();
      for (std::size_t i = 0; i < traced.size(); ++i) {
        outputs[i].assign(traced[i]);
        total = total + ops::sum(traced[i] * cotangents[i]);
      }
      const std::vector<Tensor> gradients = gradient(total, with_respect_to);
      for (std::size_t i = 0; i < gradients.size(); ++i)
        if (gradients[i].defined()) results[i].assign(gradients[i]);
      return {};
    });
    step.run();
    for (std::size_t i = 0; i < outputs.size(); ++i)
      expect_close(Tensor(outputs[i].read()), wanted_outputs[i], 1e-5,
                   "compiled output " + std::to_string(i));
    for (std::size_t i = 0; i < results.size(); ++i)
      expect_close(Tensor(results[i].read()), wanted[i], 1e-4,
                   "gradient " + std::to_string(i) + " of " + with_respect_to[i].path());
  }

  /// Ten steps of gradient descent on the mean squared error of the first output.
  void check_training() const {
    load_weights();
    const json& training = row_.at("training");
    const Tensor target = golden_tensors(row_.at("cotangents"))[0];
    const auto rate = training.at("learning_rate").get<double>();
    const Variable loss(ir::Literal(TensorType{DType::kF32, {}}), {.name = "loss"});
    const std::vector<Variable> weights = layer_->weights();
    TracedStep step([&](Trace&) -> std::vector<Tensor> {
      const std::vector<Tensor> traced = call(inputs_, true);
      const Tensor value = ops::mean(ops::square(traced[0] - target)) + added_losses();
      loss.assign(value);
      const std::vector<Tensor> gradients = gradient(value, weights);
      for (std::size_t i = 0; i < weights.size(); ++i) weights[i].assign_sub(gradients[i] * rate);
      return {};
    });
    for (const json& wanted : training.at("losses")) {
      step.run();
      testing::expect_near_relative(Tensor(loss.read()).item<double>(), wanted.get<double>(), 1e-4,
                                    "loss of a step");
    }
    const std::vector<Tensor> wanted = golden_tensors(training.at("weights"));
    for (std::size_t i = 0; i < weights.size(); ++i)
      expect_close(Tensor(weights[i].read()), wanted[i], 1e-4, "after ten steps, " + weights[i].path());
  }

  const json& row_;
  LayerHandle layer_;
  std::vector<Tensor> inputs_;
  std::vector<Variable> variables_;
  Tensor mask_;
};

class RnnLayersGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, RnnLayersGoldenTest, testing::platforms(), testing::PlatformName());

void check_rnn_layers(const json& cases) {
  for (const json& row : cases) {
    SCOPED_TRACE(row.at("spec").dump() + (row.at("mask").is_null() ? "" : " masked"));
    clear_session();
    RecurrentCase(row).check();
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(RnnLayersGoldenTest, EveryOptionIsKerass) {
  check_rnn_layers(testing::load_golden("rnn_layers").at("cases"));
}

TEST_P(RnnLayersGoldenTest, ConvolutionalStepsAreKerass) {
  check_rnn_layers(testing::load_golden("conv_lstm_layers").at("cases"));
}

TEST_P(RnnLayersGoldenTest, UnrolledMasksStatesAndLossesBelowTimeDistributedAreKerass) {
  check_rnn_layers(testing::load_golden("layer_options").at("recurrent"));
}

TEST_P(RnnLayersGoldenTest, ConstraintsAreKerass) {
  const json golden = testing::load_golden("layer_options");
  for (const json& row : golden.at("constrained_recurrent")) {
    SCOPED_TRACE(row.at("layer").get<std::string>() + " " + row.at("config").dump());
    clear_session();
    testing::check_layer(rnn_layer_of(row), row);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras::layers
