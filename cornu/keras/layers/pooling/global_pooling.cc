#include "cornu/keras/layers/pooling/global_pooling.h"

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/spatial/spatial_layer_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

class GlobalPoolingLayer : public SpatialLayer {
 public:
  GlobalPoolingLayer(const char* class_name, std::int64_t num_spatial, const GlobalPoolingOptions& options)
      : SpatialLayer(layer_settings(class_name, options), num_spatial, options.data_format),
        keepdims_(options.keepdims) {}

  Dims compute_output_shape(const Dims& input_shape) const override {
    require_elements(input_shape);
    if (keepdims_) return with_spatial(input_shape, Dims(static_cast<std::size_t>(num_spatial()), 1));
    return {input_shape.at(0), channels(input_shape)};
  }

 protected:
  bool keepdims() const { return keepdims_; }
  void require_elements(const Dims& input_shape) const {
    for (std::size_t i = 0; i < static_cast<std::size_t>(num_spatial()); ++i) {
      if (spatial(input_shape, i) == 0)
        option_error(fmt::format("the input has no elements along spatial axis {}; its shape is {}", i,
                                 shape_with_none_str(input_shape)));
    }
  }

 private:
  bool keepdims_;
};

class GlobalMaxPoolingLayer : public GlobalPoolingLayer {
 public:
  using GlobalPoolingLayer::GlobalPoolingLayer;

 protected:
  Tensor call(const Tensor& input, const CallContext&) override {
    require_elements(input.shape());
    return ops::max(input, {.axis = spatial_axes(), .keepdims = keepdims()});
  }
};

class GlobalAveragePoolingLayer : public GlobalPoolingLayer {
 public:
  GlobalAveragePoolingLayer(const char* class_name, std::int64_t num_spatial,
                            const GlobalPoolingOptions& options)
      : GlobalPoolingLayer(class_name, num_spatial, options) {
    set_supports_masking(num_spatial == 1);
  }

  std::vector<Tensor> compute_mask(std::span<const Tensor>, std::span<const Tensor> outputs) const override {
    return std::vector<Tensor>(outputs.size());
  }

 protected:
  DType output_dtype(DType input) const override { return ir::is_float(input) ? input : DType::kF32; }

  Tensor call(const Tensor& input, const CallContext&) override {
    require_elements(input.shape());
    const ops::ReduceOptions steps = {.axis = spatial_axes(), .keepdims = keepdims()};
    if (num_spatial() != 1 || input.mask() == nullptr) return ops::mean(input, steps);
    const Dims expected = {input.shape()[0], spatial(input.shape(), 0)};
    if (input.mask()->shape() != expected)
      invalid_argument("[{}] the mask must have the shape {}; got {}", "global_average_pooling1d",
                       ir::shape_str(expected), ir::shape_str(input.mask()->shape()));
    const Tensor counts = ops::expand_dims(*input.mask(), channel_axis());
    return ops::sum(ops::where(counts, input, 0), steps) / ops::sum(ops::cast(counts, input.dtype()), steps);
  }
};

}  // namespace

GlobalMaxPooling1D::GlobalMaxPooling1D(GlobalMaxPooling1DOptions options)
    : LayerHandle(std::make_shared<GlobalMaxPoolingLayer>("GlobalMaxPooling1D", 1, options)) {}
GlobalMaxPooling2D::GlobalMaxPooling2D(GlobalMaxPooling2DOptions options)
    : LayerHandle(std::make_shared<GlobalMaxPoolingLayer>("GlobalMaxPooling2D", 2, options)) {}
GlobalMaxPooling3D::GlobalMaxPooling3D(GlobalMaxPooling3DOptions options)
    : LayerHandle(std::make_shared<GlobalMaxPoolingLayer>("GlobalMaxPooling3D", 3, options)) {}
GlobalAveragePooling1D::GlobalAveragePooling1D(GlobalAveragePooling1DOptions options)
    : LayerHandle(std::make_shared<GlobalAveragePoolingLayer>("GlobalAveragePooling1D", 1, options)) {}
GlobalAveragePooling2D::GlobalAveragePooling2D(GlobalAveragePooling2DOptions options)
    : LayerHandle(std::make_shared<GlobalAveragePoolingLayer>("GlobalAveragePooling2D", 2, options)) {}
GlobalAveragePooling3D::GlobalAveragePooling3D(GlobalAveragePooling3DOptions options)
    : LayerHandle(std::make_shared<GlobalAveragePoolingLayer>("GlobalAveragePooling3D", 3, options)) {}

}  // namespace cornu::inline v0::keras::layers
