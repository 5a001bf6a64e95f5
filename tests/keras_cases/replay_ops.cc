#include "cornu/base/error.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/layers/operations/operation.h"
#include "tests/keras_cases/comparison.h"
#include "tests/keras_cases/replay.h"

namespace cornu::inline v0::tests {
namespace {

using keras::layers::OperationArguments;

/// True for the error of a function that has no form in a graph.
bool needs_values(const std::string& message) {
  for (const char* text : {"size must be given", "minlength must be given", "runs on the host"})
    if (message.find(text) != std::string::npos) return true;
  return false;
}

/// The arguments of the one operation of a model, with the model's inputs in place of its tensors.
class CallOfModel {
 public:
  CallOfModel(const Config& call, std::vector<Tensor> inputs) : inputs_(std::move(inputs)) {
    arguments_.args = replaced(call.at("args"));
    arguments_.kwargs = replaced(call.at("kwargs"));
    arguments_.tensors.resize(given_.size());
  }
  const OperationArguments& arguments() const { return arguments_; }
  const std::vector<Tensor>& given() const { return given_; }

 private:
  Config replaced(const Config& value) {
    if (value.is_list()) {
      Config list{Config::List()};
      for (const Config& each : value.as_list()) list.append(replaced(each));
      return list;
    }
    if (!value.is_dict()) return value;
    const Config* class_name = value.find("class_name");
    if (class_name != nullptr && class_name->is_string() && class_name->as_string() == "__keras_tensor__") {
      const std::string& input = value.at("config").at("keras_history").at(0).as_string();  // "x0", "x1", ...
      given_.push_back(inputs_.at(std::stoul(input.substr(1))));
      return OperationArguments::place_of(given_.size() - 1);
    }
    Config dict = Config::dict();
    for (const auto& [key, each] : value.as_dict()) dict.set(key, replaced(each));
    return dict;
  }

  std::vector<Tensor> inputs_, given_;
  OperationArguments arguments_;
};

/// Calls the operation by itself, outside of compiled functions.
void replay_operation(const Config& recorded) {
  std::vector<Tensor> inputs;
  for (const Config& each : recorded.at("inputs").as_list()) inputs.push_back(tensor_of(each));
  for (const Config& layer : recorded.at("object").at("config").at("layers").as_list()) {
    if (layer.at("class_name").as_string() == "InputLayer") continue;
    const CallOfModel call(layer.at("inbound_nodes").at(0), inputs);
    Config options = layer.at("config");
    options.erase("name");
    const auto operation = std::make_shared<keras::layers::Operation>(layer.at("class_name").as_string(), "",
                                                                      call.arguments(), options);
    expect_arrays(operation->call_many(TensorList(call.given())), recorded.at("outputs"), "result");
  }
}

}  // namespace

void replay_op(const Config& recorded) {
  try {
    replay_layer(recorded);
  } catch (const Error& error) {
    if (!needs_values(error.what())) throw;
    replay_operation(recorded);
  }
}

}  // namespace cornu::inline v0::tests
