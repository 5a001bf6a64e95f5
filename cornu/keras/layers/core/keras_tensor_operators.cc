// The arithmetic of KerasTensor adds layers.
#include "cornu/keras/layer/keras_tensor.h"
#include "cornu/keras/layers/core/operation.h"

namespace cornu::inline v0::keras {
namespace {

/// Errors: FailedPrecondition for an undefined one.
const Tensor& constant(const Tensor& tensor) {
  (void)tensor.type();
  return tensor;
}

KerasTensor operation(const char* class_name, std::vector<Tensor> arguments,
                      const std::vector<KerasTensor>& inputs) {
  const LayerHandle layer(std::make_shared<layers::Operation>(class_name, "", std::move(arguments)));
  return layer(inputs);
}

KerasTensor binary(const char* class_name, const KerasTensor& x, const KerasTensor& y) {
  return operation(class_name, {Tensor(), Tensor()}, {x, y});
}
KerasTensor binary(const char* class_name, const KerasTensor& x, const Tensor& y) {
  return operation(class_name, {Tensor(), constant(y)}, {x});
}
KerasTensor binary(const char* class_name, const Tensor& x, const KerasTensor& y) {
  return operation(class_name, {constant(x), Tensor()}, {y});
}

}  // namespace

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

KerasTensor operator-(const KerasTensor& x) { return operation("Negative", {Tensor()}, {x}); }

}  // namespace cornu::inline v0::keras
