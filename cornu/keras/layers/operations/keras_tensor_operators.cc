// The arithmetic of KerasTensor adds layers.
#include "cornu/keras/layer/keras_tensor.h"
#include "cornu/keras/layers/operations/operation.h"
#include "cornu/keras/layers/operations/operations.h"

namespace cornu::inline v0::keras {
namespace {

/// Errors: FailedPrecondition for an undefined one.
const Tensor& constant(const Tensor& tensor) {
  (void)tensor.type();
  return tensor;
}

KerasTensor binary(const char* class_name, const OperationArgument& x, const OperationArgument& y) {
  return operation(class_name, {x, y});
}

}  // namespace

std::vector<KerasTensor> operation_outputs(const std::string& class_name,
                                           const std::vector<OperationArgument>& arguments,
                                           const Config& options, const NamedArguments& named) {
  layers::OperationArguments call;
  std::vector<KerasTensor> inputs;
  const auto place = [&](const OperationArgument& argument) {
    if (!argument.is_tensor() && !argument.constant().defined()) return argument.value();
    call.tensors.push_back(argument.is_tensor() ? Tensor() : argument.constant());
    if (argument.is_tensor()) inputs.push_back(argument.tensor());
    return layers::OperationArguments::place_of(call.tensors.size() - 1);
  };
  Config args{Config::List()};
  for (const OperationArgument& argument : arguments) {
    if (!argument.is_tensor() && argument.value().is_null()) (void)constant(argument.constant());
    args.append(place(argument));
  }
  call.args = layers::Operation::takes_list(class_name) ? Config::list({std::move(args)}) : std::move(args);
  for (const auto& [name, argument] : named) call.kwargs.set(name, place(argument));
  const LayerHandle layer(std::make_shared<layers::Operation>(class_name, "", std::move(call), options));
  return layer.call_many(inputs);
}

KerasTensor operation(const std::string& class_name, const std::vector<OperationArgument>& arguments,
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
