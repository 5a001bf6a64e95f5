#include <fmt/format.h>

#include "cornu/keras/keras.h"
#include "tests/keras_cases/comparison.h"
#include "tests/keras_cases/replay.h"

namespace cornu::inline v0::tests {
namespace {

using Function = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;

/// Sums the results' elements times the recorded cotangents.
Tensor total_of(std::span<const Tensor> outputs, const Config& cotangents) {
  Tensor total;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (cotangents.at(i).is_null()) continue;
    const Tensor part = ops::cast(ops::sum(outputs[i] * tensor_of(cotangents.at(i))), DType::kF64);
    total = total.defined() ? total + part : part;
  }
  return total;
}

Tensor optional_tensor(const Config& recorded, const char* key) {
  const Config* array = recorded.find(key);
  return array == nullptr ? Tensor() : tensor_of(*array);
}

}  // namespace

void replay_function(const Config& recorded, const std::vector<Tensor>& inputs, const Function& compute) {
  const Config* cotangents = recorded.find("cotangents");
  const std::size_t num_outputs = recorded.at("outputs").size();
  const auto run = [&](const std::vector<Tensor>& given) {
    GradientTape tape;
    std::vector<Tensor> watched, all = given;
    if (cotangents != nullptr)
      for (Tensor& x : all)
        if (ir::is_float(x.dtype())) {
          tape.watch(x);
          watched.push_back(x);
        }
    std::vector<Tensor> results = compute(all);
    if (cotangents == nullptr || results.size() != num_outputs) return results;
    const std::vector<Tensor> gradients =
        tape.gradient(total_of(results, *cotangents), std::span<const Tensor>(watched),
                      {.unconnected_gradients = UnconnectedGradients::kZero});
    results.insert(results.end(), gradients.begin(), gradients.end());
    return results;
  };
  const auto check = [&](const std::vector<Tensor>& results, const std::string& when) {
    const std::span<const Tensor> all(results);
    const std::size_t num = std::min(num_outputs, results.size());
    expect_arrays(cotangents == nullptr ? all : all.first(num), recorded.at("outputs"), when + "result");
    if (cotangents == nullptr) return;
    Config gradients{Config::List()};
    for (const Config& each : recorded.at("input_gradients").as_list())
      if (!each.is_null()) gradients.append(each);
    expect_arrays(all.subspan(num_outputs), gradients, when + "gradient", 10);
  };
  check(run(inputs), "");
  check(function(run)(inputs), "compiled: ");
}

void replay_loss(const Config& recorded) {
  const auto loss = keras::saving::deserialize<keras::Loss>(recorded.at("object"));
  const Tensor y_true = tensor_of(recorded.at("y_true"));
  const Tensor weight = optional_tensor(recorded, "sample_weight");
  replay_function(recorded, {tensor_of(recorded.at("y_pred"))}, [&](const std::vector<Tensor>& y_pred) {
    return std::vector<Tensor>{(*loss)(y_true, y_pred[0], weight)};
  });
}

void replay_regularizer(const Config& recorded) {
  const auto regularizer = keras::saving::deserialize<keras::Regularizer>(recorded.at("object"));
  replay_function(recorded, tensors_of(recorded.at("inputs")),
                  [&](const std::vector<Tensor>& x) { return std::vector<Tensor>{(*regularizer)(x[0])}; });
}

void replay_constraint(const Config& recorded) {
  const auto constraint = keras::saving::deserialize<keras::Constraint>(recorded.at("object"));
  replay_function(recorded, tensors_of(recorded.at("inputs")),
                  [&](const std::vector<Tensor>& x) { return std::vector<Tensor>{(*constraint)(x[0])}; });
}

void replay_schedule(const Config& recorded) {
  const auto schedule = keras::saving::deserialize<keras::LearningRateSchedule>(recorded.at("object"));
  const auto compiled = function([&](const Tensor& step) { return (*schedule)(step); });
  for (std::size_t i = 0; i < recorded.at("steps").size(); ++i) {
    const Tensor step = ops::cast(Tensor(recorded.at("steps").at(i).as_integer()), DType::kI64);
    const std::string name = fmt::format("learning rate of step {}", recorded.at("steps").at(i).as_integer());
    expect_array((*schedule)(step), recorded.at("outputs").at(i), name);
    expect_array(compiled(step), recorded.at("outputs").at(i), "compiled: " + name);
  }
}

void replay_initializer(const Config& recorded) {
  Dims shape;
  for (const Config& extent : recorded.at("shape").as_list()) shape.push_back(extent.as_integer());
  const auto dtype = ir::dtype_from_name(recorded.at("dtype").as_string());
  if (!dtype) throw NotReplayed("values of " + recorded.at("dtype").as_string());
  Config object = recorded.at("object");
  const auto draw = [&] {
    const auto initializer = keras::saving::deserialize<keras::Initializer>(object);
    return std::vector<Tensor>{Tensor((*initializer)(shape, *dtype))};
  };
  const Config* expected = recorded.find("moments");
  if (expected == nullptr) return expect_arrays(draw(), recorded.at("outputs"), "value");
  Moments moments;
  for (std::int64_t seed = 0; seed < expected->at(0).at("draws").as_integer(); ++seed) {
    Config config = object.at("config");
    config.set("seed", seed);
    object.set("config", config);
    moments.add(draw());
  }
  moments.expect(*expected, "value");
}

}  // namespace cornu::inline v0::tests
