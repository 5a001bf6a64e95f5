#include "cornu/keras/layers/pooling/pooling.h"

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/spatial/spatial_layer_support.h"
#include "cornu/tensor/ops/conv.h"

namespace cornu::inline v0::keras::layers {
namespace {

enum class PoolKind { kMax, kAverage };

class PoolingLayer : public SpatialLayer {
 public:
  template <typename Options>
  PoolingLayer(const char* class_name, PoolKind kind, std::int64_t num_spatial, const Options& options)
      : SpatialLayer(layer_settings(class_name, options), num_spatial, options.data_format),
        kind_(kind),
        pool_size_(spatial_option("pool_size", options.pool_size)),
        strides_(spatial_option("strides", options.strides.value_or(pool_size_))),
        padding_(choice_option("padding", options.padding, {"valid", "same"})) {}

  Dims compute_output_shape(const Dims& input_shape) const override {
    const std::string window =
        fmt::format("the window (pool_size = {}, padding = \"{}\")", list_str(pool_size_), padding_);
    return with_spatial(input_shape,
                        count_windows(input_shape, pool_size_, strides_, padding_ != "valid", window));
  }

 protected:
  DType output_dtype(DType input) const override {
    return kind_ == PoolKind::kMax || ir::is_float(input) ? input : DType::kF32;
  }

  Tensor call(const Tensor& input, const CallContext&) override {
    (void)compute_output_shape(input.shape());
    const ops::PoolOptions options = {.strides = strides_, .padding = padding_, .data_format = data_format()};
    return kind_ == PoolKind::kMax ? ops::max_pool(input, pool_size_, options)
                                   : ops::average_pool(input, pool_size_, options);
  }

 private:
  PoolKind kind_;
  Dims pool_size_, strides_;
  std::string padding_;
};

template <typename Options>
std::shared_ptr<Layer> pooling(const char* class_name, PoolKind kind, std::int64_t num_spatial,
                               const Options& options) {
  return std::make_shared<PoolingLayer>(class_name, kind, num_spatial, options);
}

}  // namespace

MaxPooling1D::MaxPooling1D(MaxPooling1DOptions options)
    : LayerHandle(pooling("MaxPooling1D", PoolKind::kMax, 1, options)) {}
MaxPooling2D::MaxPooling2D(MaxPooling2DOptions options)
    : LayerHandle(pooling("MaxPooling2D", PoolKind::kMax, 2, options)) {}
MaxPooling3D::MaxPooling3D(MaxPooling3DOptions options)
    : LayerHandle(pooling("MaxPooling3D", PoolKind::kMax, 3, options)) {}
AveragePooling1D::AveragePooling1D(AveragePooling1DOptions options)
    : LayerHandle(pooling("AveragePooling1D", PoolKind::kAverage, 1, options)) {}
AveragePooling2D::AveragePooling2D(AveragePooling2DOptions options)
    : LayerHandle(pooling("AveragePooling2D", PoolKind::kAverage, 2, options)) {}
AveragePooling3D::AveragePooling3D(AveragePooling3DOptions options)
    : LayerHandle(pooling("AveragePooling3D", PoolKind::kAverage, 3, options)) {}

}  // namespace cornu::inline v0::keras::layers
