// The arithmetic of KerasTensor adds layers.
#include "cornu/keras/layer/keras_tensor.h"
#include "cornu/keras/layers/core/operation.h"
#include "cornu/keras/layers/core/operations.h"

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

KerasTensor operation(const std::string& class_name, const std::vector<OperationArgument>& arguments,
                      const Config& options) {
  std::vector<Tensor> constants;
  std::vector<KerasTensor> inputs;
  for (const OperationArgument& argument : arguments) {
    if (argument.is_tensor()) {
      inputs.push_back(argument.tensor());
      constants.emplace_back();
    } else {
      constants.push_back(constant(argument.constant()));
    }
  }
  const LayerHandle layer(std::make_shared<layers::Operation>(class_name, "", std::move(constants), options));
  return layer(inputs);
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
