// Arithmetic of KerasTensor, which adds layers.
#include <variant>

#include "cornu/keras/layer/keras_tensor.h"
#include "cornu/keras/layers/operations/operation.h"
#include "cornu/keras/layers/operations/operations.h"

namespace cornu::inline v0::keras {

struct OperationArgument::Value {
  std::variant<KerasTensor, Tensor, Config, std::vector<OperationArgument>> any;
};

OperationArgument::OperationArgument(const KerasTensor& tensor)
    : value_(std::make_shared<const Value>(Value{tensor})) {}
std::shared_ptr<const OperationArgument::Value> OperationArgument::of_constant(const Tensor& constant) {
  return std::make_shared<const Value>(Value{constant});
}
OperationArgument OperationArgument::of(const Config& value) {
  return OperationArgument(std::make_shared<const Value>(Value{value}));
}
OperationArgument OperationArgument::list(std::vector<OperationArgument> arguments) {
  return OperationArgument(std::make_shared<const Value>(Value{std::move(arguments)}));
}
bool OperationArgument::defined() const {
  const Tensor* const constant = std::get_if<Tensor>(&value_->any);
  return constant == nullptr || constant->defined();
}

namespace {

/// Errors: FailedPrecondition for an undefined tensor.
const Tensor& constant(const Tensor& tensor) {
  (void)tensor.type();
  return tensor;
}

/// Collects the arguments of a call.
struct CallOfOperation {
  layers::OperationArguments arguments;
  std::vector<KerasTensor> inputs;

  Config place(Tensor constant) {
    arguments.tensors.push_back(std::move(constant));
    return layers::OperationArguments::place_of(arguments.tensors.size() - 1);
  }
  Config position(const OperationArgument& argument) {
    if (const auto* const tensor = std::get_if<KerasTensor>(&argument.value().any)) {
      inputs.push_back(*tensor);
      return place({});
    }
    if (const auto* const tensor = std::get_if<Tensor>(&argument.value().any))
      return place(constant(*tensor));
    if (const auto* const value = std::get_if<Config>(&argument.value().any)) return *value;
    return positions(std::get<std::vector<OperationArgument>>(argument.value().any));
  }
  Config positions(const std::vector<OperationArgument>& all) {
    Config list{Config::List()};
    for (const OperationArgument& each : all) list.append(position(each));
    return list;
  }
};

KerasTensor binary(const char* class_name, const OperationArgument& x, const OperationArgument& y) {
  return operation(class_name, {x, y});
}

}  // namespace

std::vector<KerasTensor> operation_outputs(const StringArgument& class_name,
                                           const std::vector<OperationArgument>& arguments,
                                           const Config& options, const NamedArguments& named) {
  CallOfOperation call;
  Config args = call.positions(arguments);
  call.arguments.args =
      layers::Operation::takes_list(class_name) ? Config::list({std::move(args)}) : std::move(args);
  for (const auto& [name, argument] : named)
    call.arguments.kwargs.set(name, argument.defined() ? call.position(argument) : Config());
  const LayerHandle layer(
      std::make_shared<layers::Operation>(class_name, "", std::move(call.arguments), options));
  return layer.call_many(call.inputs);
}

KerasTensor operation(const StringArgument& class_name, const std::vector<OperationArgument>& arguments,
                      const Config& options, const NamedArguments& named) {
  return operation_outputs(class_name, arguments, options, named).at(0);
}

KerasTensor operator<(const KerasTensor& x, const OperationArgument& y) { return binary("Less", x, y); }
KerasTensor operator<=(const KerasTensor& x, const OperationArgument& y) { return binary("LessEqual", x, y); }
KerasTensor operator>(const KerasTensor& x, const OperationArgument& y) { return binary("Greater", x, y); }
KerasTensor operator>=(const KerasTensor& x, const OperationArgument& y) {
  return binary("GreaterEqual", x, y);
}
KerasTensor operator%(const KerasTensor& x, const OperationArgument& y) { return binary("Mod", x, y); }

KerasTensor operator+(const KerasTensor& x, const KerasTensor& y) { return binary("Add", x, y); }
KerasTensor operator+(const KerasTensor& x, const Tensor& y) { return binary("Add", x, y); }
KerasTensor operator+(const Tensor& x, const KerasTensor& y) { return binary("Add", x, y); }
KerasTensor operator-(const KerasTensor& x, const KerasTensor& y) { return binary("Subtract", x, y); }
KerasTensor operator-(const KerasTensor& x, const Tensor& y) { return binary("Subtract", x, y); }
KerasTensor operator-(const Tensor& x, const KerasTensor& y) { return binary("Subtract", x, y); }
KerasTensor operator*(const KerasTensor& x, const KerasTensor& y) { return binary("Multiply", x, y); }
KerasTensor operator*(const KerasTensor& x, const Tensor& y) { return binary("Multiply", x, y); }
KerasTensor operator*(const Tensor& x, const KerasTensor& y) { return binary("Multiply", x, y); }
KerasTensor operator/(const KerasTensor& x, const KerasTensor& y) { return binary("TrueDivide", x, y); }
KerasTensor operator/(const KerasTensor& x, const Tensor& y) { return binary("TrueDivide", x, y); }
KerasTensor operator/(const Tensor& x, const KerasTensor& y) { return binary("TrueDivide", x, y); }

KerasTensor operator-(const KerasTensor& x) { return operation("Negative", {x}); }

}  // namespace cornu::inline v0::keras
