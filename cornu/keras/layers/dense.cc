#include "cornu/keras/layers/dense.h"

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"

namespace cornu::keras::layers {
namespace {

class DenseLayer : public Layer {
 public:
  explicit DenseLayer(DenseOptions options) : Layer("Dense", options.name), options_(std::move(options)) {
    if (options_.units <= 0) invalid_argument("[dense] units must be positive; got units = {}; in layer \"{}\"", options_.units, name());
    check_activation(options_.activation);
    check_initializer("kernel_initializer", options_.kernel_initializer);
    check_initializer("bias_initializer", options_.bias_initializer);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    Dims shape = input_shape;
    if (!shape.empty()) shape.back() = options_.units;
    return shape;
  }

 protected:
  void build(const Dims& input_shape) override {
    if (input_shape.size() < 2)
      invalid_argument("[dense] the input needs a batch and a feature dimension; its shape is {}", shape_with_none_str(input_shape));
    if (input_shape.back() == kUnknown)
      invalid_argument("[dense] the last extent of the input shape {} must be known", shape_with_none_str(input_shape));
    kernel_ = add_weight({.name = "kernel", .shape = {input_shape.back(), options_.units}, .initializer = options_.kernel_initializer});
    if (options_.use_bias) bias_ = add_weight({.name = "bias", .shape = {options_.units}, .initializer = options_.bias_initializer});
  }

  Tensor call(const Tensor& input, const CallContext&) override {
    if (input.rank() < 2 || input.shape().back() != kernel_.shape()[0])
      invalid_argument("[dense] expected {} features in the input's last axis; got an input of shape {}", kernel_.shape()[0],
                       ir::shape_str(input.shape()));
    Tensor output = ops::matmul(input, kernel_);
    if (bias_.defined()) output = output + bias_;
    return options_.activation(output);
  }

 private:
  DenseOptions options_;
  Variable kernel_;
  Variable bias_;
};

}  // namespace

Dense::Dense(DenseOptions options) : LayerHandle(std::make_shared<DenseLayer>(std::move(options))) {}

}  // namespace cornu::keras::layers
