#pragma once

#include "cornu/keras/layer.h"

namespace cornu::keras::layers {

struct InputOptions {
  Dims shape = {};  // of one row, without the batch
  std::int64_t batch_size = kUnknown;
  DType dtype = DType::kF32;
  std::string name = {};
};

/// Says a model's input shape, so that it is built before it sees data. Not shown in a Sequential's summary.
class InputLayer : public Layer {
 public:
  explicit InputLayer(InputOptions options);
  /// With the batch in front.
  const Dims& batch_shape() const { return batch_shape_; }
  DType dtype() const { return dtype_; }
  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  Tensor call(const Tensor& input, const CallContext& context) override;

 private:
  Dims batch_shape_;
  DType dtype_;
};

class Input : public LayerHandle {
 public:
  explicit Input(InputOptions options);
};

}  // namespace cornu::keras::layers
