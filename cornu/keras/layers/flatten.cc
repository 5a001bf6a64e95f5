#include "cornu/keras/layers/flatten.h"

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"

namespace cornu::keras::layers {
namespace {

class FlattenLayer : public Layer {
 public:
  explicit FlattenLayer(FlattenOptions options) : Layer("Flatten", options.name) {}

  Dims compute_output_shape(const Dims& input_shape) const override {
    if (input_shape.empty()) invalid_argument("[flatten] the input needs a batch dimension; in layer \"{}\"", name());
    std::int64_t features = 1;
    for (std::size_t i = 1; i < input_shape.size(); ++i) {
      if (input_shape[i] == kUnknown || features == kUnknown) {
        features = kUnknown;
      } else {
        features *= input_shape[i];
      }
    }
    return {input_shape[0], features};
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override { return ops::reshape(input, compute_output_shape(input.shape())); }
};

}  // namespace

Flatten::Flatten(FlattenOptions options) : LayerHandle(std::make_shared<FlattenLayer>(std::move(options))) {}

}  // namespace cornu::keras::layers
