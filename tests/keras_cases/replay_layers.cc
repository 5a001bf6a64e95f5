#include <fmt/format.h>

#include <algorithm>

#include "cornu/keras/keras.h"
#include "cornu/keras/layer/row_states.h"
#include "tests/keras_cases/comparison.h"
#include "tests/keras_cases/replay.h"

namespace cornu::inline v0::tests {
namespace {

/// Whether Python takes the value for true.
bool is_true(const Config& value) { return value.is_bool() ? value.as_bool() : value.as_number() != 0; }

/// The states that a layer and its inner layers keep for rows of a batch, with their values.
std::vector<std::pair<Variable, ir::Literal>> row_states(const keras::Layer& layer) {
  std::vector<std::pair<Variable, ir::Literal>> states;
  if (const auto* keeps = dynamic_cast<const keras::RowStates*>(&layer))
    for (const Variable& each : keeps->row_states()) states.emplace_back(each, each.read());
  for (const auto& inside : layer.sublayers())
    for (auto& each : row_states(*inside)) states.push_back(std::move(each));
  return states;
}

/// The layer of a case, its inputs and arguments.
class LayerCase {
 public:
  explicit LayerCase(const Config& recorded) : recorded_(recorded), layer_(make(recorded.at("object"))) {
    teach_as_recorded(layer_.shared(), recorded);
    read_inputs();
    read_arguments();
  }

  void check() {
    std::vector<Tensor> outputs = call(given_);  // builds it
    num_outputs_ = outputs.size();
    load_weights();
    const std::vector<std::pair<Variable, ir::Literal>> states = row_states(*layer_);
    if (const Config* moments = recorded_.find("moments")) return check_moments(*moments);
    check_run(run(given_), "");
    if (const Config* next = recorded_.find("next_outputs"))
      expect_arrays(call(given_), *next, "result of the next call");
    load_weights();
    for (const auto& [variable, value] : states) variable.load(value);
    check_run(function([this](const std::vector<Tensor>& given) { return run(given); })(given_),
              "compiled: ");
  }

 private:
  static keras::LayerHandle make(const Config& object) {
    const std::string& name = object.at("class_name").as_string();
    if (name == "Functional" || name == "Sequential") return keras::model_from_config(object).shared();
    return keras::saving::deserialize<keras::Layer>(object);
  }

  void read_inputs() {
    std::vector<std::pair<std::string, Tensor>> masks;
    for (const Config& each : recorded_.at("inputs").as_list()) {
      const std::string name = each.at("name").is_null() ? "" : each.at("name").as_string();
      if (name == "mask" || (name.ends_with("_mask") && name != "attention_mask")) {
        masks.emplace_back(name, ops::cast(tensor_of(each), DType::kI1));
      } else {
        given_.push_back(tensor_of(each));
        names_.push_back(name);
      }
    }
    order_inputs();
    if (const Config* carried = recorded_.find("masks"))
      for (std::size_t i = 0; i < carried->size(); ++i)
        if (!carried->at(i).is_null()) masks_.emplace_back(i, tensor_of(carried->at(i)));
    std::size_t next = 0;
    for (const auto& [name, mask] : masks) {
      const std::size_t place = name == "mask" ? next++ : place_of(name.substr(0, name.size() - 5));
      if (place >= order_.size()) throw NotReplayed("a mask of an input that is not given");
      masks_.emplace_back(place, mask);
    }
  }

  std::size_t place_of(const std::string& name) const {
    const std::vector<std::string> wanted = layer_->input_names();
    return static_cast<std::size_t>(std::find(wanted.begin(), wanted.end(), name) - wanted.begin());
  }

  /// Finds the order of inputs that have names.
  void order_inputs() {
    const std::vector<std::string> wanted = layer_->input_names();
    std::vector<keras::Tensors::Named> named;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      const bool by_position = names_[i].empty() || names_[i].starts_with("initial_state");
      named.emplace_back(by_position && i < wanted.size() ? wanted[i] : names_[i],
                         Tensor(static_cast<std::int64_t>(i)));
    }
    if (wanted.empty() || given_.size() < 2) {
      for (std::size_t i = 0; i < given_.size(); ++i) order_.push_back(i);
      return;
    }
    for (const Tensor& place : keras::Tensors(named).ordered(wanted, "replay", layer_->num_optional_inputs()))
      order_.push_back(place.item<std::size_t>());
  }

  void read_arguments() {
    const Config* given = recorded_.find("call");
    if (given == nullptr) return;
    for (const auto& [name, value] : given->as_dict()) {
      if (name == "training") {
        arguments_.training = is_true(value);
      } else if (name == "use_causal_mask") {
        arguments_.use_causal_mask = is_true(value);
      } else if (name == "return_attention_scores") {
        arguments_.return_attention_scores = is_true(value);
      } else if (name == "reverse") {
        arguments_.reverse = is_true(value);
      } else {
        throw NotReplayed("the argument " + name + " of a call");
      }
    }
  }

  std::vector<Tensor> call(const std::vector<Tensor>& given) {
    std::vector<Tensor> inputs;
    for (const std::size_t i : order_) inputs.push_back(given[i]);
    for (const auto& [i, mask] : masks_) inputs.at(i) = inputs.at(i).with_mask(mask);
    return layer_.call_many(inputs, arguments_);
  }

  bool is_differentiated(std::size_t i) const {
    return ir::is_float(given_[i].dtype()) && !names_[i].ends_with("mask");
  }

  void load_weights() {
    const Config* recorded = recorded_.find("weights");
    const std::vector<Variable> weights = layer_->weights();
    if (weights.size() != (recorded == nullptr ? 0 : recorded->size()))
      throw Difference(fmt::format("{} weights; Keras has {}", weights.size(),
                                   recorded == nullptr ? 0 : recorded->size()));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const Tensor value = tensor_of(recorded->at(i));
      if (value.shape() != weights[i].shape() || value.dtype() != weights[i].dtype())
        throw Difference(fmt::format("weight {} is {}; Keras's {} is {}", weights[i].path(),
                                     type_str(weights[i].type()), recorded->at(i).at("path").as_string(),
                                     type_str(value.type())));
      if (recorded_.contains("adapt")) {
        expect_array(Tensor(weights[i].read()), recorded->at(i), "adapted weight");
        continue;
      }
      weights[i].load(value.literal());
    }
  }

  /// Results, masks of results, losses, gradients of inputs and of weights, in this order.
  std::vector<Tensor> run(const std::vector<Tensor>& given) {
    const Config* cotangents = recorded_.find("cotangents");
    GradientTape tape({.persistent = true});
    std::vector<Tensor> all = given, watched;
    if (cotangents != nullptr)
      for (std::size_t i = 0; i < all.size(); ++i)
        if (is_differentiated(i)) {
          tape.watch(all[i]);
          watched.push_back(all[i]);
        }
    std::vector<Tensor> results = call(all);
    const std::vector<Tensor> outputs = results;
    num_losses_ = layer_->losses().size();
    for (std::size_t i = 0; i < outputs.size(); ++i)
      results.push_back(has_mask(i) && outputs[i].mask() != nullptr ? *outputs[i].mask() : ops::zeros({}));
    Tensor total = Tensor::zeros({}, DType::kF64);
    for (const Tensor& loss : layer_->losses()) {
      results.push_back(loss);
      total = total + ops::cast(loss, DType::kF64);
    }
    if (cotangents == nullptr || outputs.size() != cotangents->size()) return results;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (!cotangents->at(i).is_null())
        total = total + ops::cast(ops::sum(outputs[i] * tensor_of(cotangents->at(i))), DType::kF64);
    const GradientOptions zeros{.unconnected_gradients = UnconnectedGradients::kZero};
    const std::vector<Variable> weights = layer_->trainable_weights();
    for (const Tensor& each : tape.gradient(total, std::span<const Tensor>(watched), zeros))
      results.push_back(each);
    for (const Tensor& each : tape.gradient(total, std::span<const Variable>(weights), zeros))
      results.push_back(each);
    return results;
  }

  bool has_mask(std::size_t i) const {
    const Config& outputs = recorded_.at("outputs");
    return i < outputs.size() && outputs.at(i).contains("mask");
  }

  void check_run(std::span<const Tensor> results, const std::string& when) {
    const Config& outputs = recorded_.at("outputs");
    expect_arrays(results.first(num_outputs_), outputs, when + "result");
    for (std::size_t i = 0; i < num_outputs_; ++i)
      if (has_mask(i)) expect_array(results[num_outputs_ + i], outputs.at(i).at("mask"), when + "mask");
    results = results.subspan(2 * num_outputs_);
    if (const Config* losses = recorded_.find("losses")) {
      if (losses->size() != num_losses_)
        throw Difference(fmt::format("{}{} losses; Keras has {}", when, num_losses_, losses->size()));
      for (std::size_t i = 0; i < num_losses_; ++i)
        expect_number(results[i].item<double>(), losses->at(i).as_number(), when + "loss");
    }
    check_state(when);
    if (recorded_.contains("cotangents")) check_gradients(results.subspan(num_losses_), when);
  }

  void check_state(const std::string& when) const {
    const Config* state = recorded_.find("state");
    if (state == nullptr) return;
    std::vector<Tensor> values;
    for (const Variable& each : layer_->non_trainable_weights()) values.emplace_back(each.read());
    expect_arrays(values, *state, when + "state");
  }

  void check_gradients(std::span<const Tensor> results, const std::string& when) const {
    Config by_input{Config::List()};
    for (const Config& each : recorded_.at("input_gradients").as_list())
      if (!each.is_null()) by_input.append(each);
    const std::size_t num_inputs = std::min(by_input.size(), results.size());
    const double least = computes_in_halves() ? 0.02 : 0;
    expect_arrays(results.first(num_inputs), by_input, when + "gradient of input", 10, least);
    if (const Config* by_weight = recorded_.find("weight_gradients"))
      expect_arrays(results.subspan(num_inputs), *by_weight, when + "gradient of weight", 10, least);
  }

  /// True if the layer computes in float16 or bfloat16, so that gradients in float32 are no more accurate.
  bool computes_in_halves() const {
    if (ir::size_bytes(layer_->compute_dtype()) == 2) return true;
    for (const Config& each : recorded_.at("outputs").as_list())
      if (each.at("dtype").as_string().ends_with("float16")) return true;
    return false;
  }

  void check_moments(const Config& expected) {
    const auto compiled = function([this](const std::vector<Tensor>& given) { return call(given); });
    const std::int64_t num_draws = expected.at(0).at("draws").as_integer();
    for (const bool is_compiled : {false, true}) {
      Moments moments;
      for (std::int64_t i = 0; i < num_draws; ++i) {
        load_weights();
        moments.add(is_compiled ? compiled(given_) : call(given_));
      }
      moments.expect(expected, is_compiled ? "compiled: result" : "result");
    }
  }

  const Config& recorded_;
  keras::LayerHandle layer_;
  std::vector<Tensor> given_;                          // in the recorded order, without Keras masks
  std::vector<std::string> names_;                     // of given_
  std::vector<std::size_t> order_;                     // of the layer's inputs in given_
  std::vector<std::pair<std::size_t, Tensor>> masks_;  // of the layer's inputs
  keras::CallArguments arguments_;
  std::size_t num_outputs_ = 0, num_losses_ = 0;
};

}  // namespace

void replay_layer(const Config& recorded) {
  if (!replay_elements(recorded) && !replay_labeled_images(recorded)) LayerCase(recorded).check();
}

}  // namespace cornu::inline v0::tests
