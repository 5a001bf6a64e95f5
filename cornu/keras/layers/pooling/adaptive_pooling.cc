#include "cornu/keras/layers/pooling/adaptive_pooling.h"

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/spatial/spatial_layer_support.h"
#include "cornu/tensor/ops/conv.h"

namespace cornu::inline v0::keras::layers {
namespace {

using AdaptivePool = Tensor (*)(const Tensor&, const ops::IntOrInts&, const ops::AdaptivePoolOptions&);

class AdaptivePoolingLayer : public SpatialLayer {
 public:
  AdaptivePoolingLayer(const char* class_name, AdaptivePool pool, std::int64_t num_spatial,
                       const AdaptivePoolingOptions& options)
      : SpatialLayer(layer_settings(class_name, options), num_spatial, options.data_format),
        pool_(pool),
        output_size_(spatial_option("output_size", options.output_size)) {}

  Dims compute_output_shape(const Dims& input_shape) const override {
    for (std::size_t i = 0; i < output_size_.size(); ++i) {
      const std::int64_t extent = spatial(input_shape, i);
      if (extent != kUnknown && extent < output_size_[i])
        option_error("output_size",
                     fmt::format("must be at most the spatial extents of the input {}",
                                 shape_with_none_str(input_shape)),
                     list_str(output_size_));
    }
    return with_spatial(input_shape, output_size_);
  }

 protected:
  DType output_dtype(DType input) const override {
    return pool_ == &ops::adaptive_max_pool || ir::is_float(input) ? input : DType::kF32;
  }
  Tensor call(const Tensor& input, const CallContext&) override {
    (void)compute_output_shape(input.shape());
    return pool_(input, output_size_, {.data_format = data_format()});
  }

 private:
  AdaptivePool pool_;
  Dims output_size_;
};

std::shared_ptr<Layer> adaptive_max(const char* class_name, std::int64_t num_spatial,
                                    const AdaptivePoolingOptions& options) {
  return std::make_shared<AdaptivePoolingLayer>(class_name, &ops::adaptive_max_pool, num_spatial, options);
}
std::shared_ptr<Layer> adaptive_average(const char* class_name, std::int64_t num_spatial,
                                        const AdaptivePoolingOptions& options) {
  return std::make_shared<AdaptivePoolingLayer>(class_name, &ops::adaptive_average_pool, num_spatial,
                                                options);
}

}  // namespace

AdaptiveMaxPooling1D::AdaptiveMaxPooling1D(AdaptiveMaxPooling1DOptions options)
    : LayerHandle(adaptive_max("AdaptiveMaxPooling1D", 1, options)) {}
AdaptiveMaxPooling2D::AdaptiveMaxPooling2D(AdaptiveMaxPooling2DOptions options)
    : LayerHandle(adaptive_max("AdaptiveMaxPooling2D", 2, options)) {}
AdaptiveMaxPooling3D::AdaptiveMaxPooling3D(AdaptiveMaxPooling3DOptions options)
    : LayerHandle(adaptive_max("AdaptiveMaxPooling3D", 3, options)) {}
AdaptiveAveragePooling1D::AdaptiveAveragePooling1D(AdaptiveAveragePooling1DOptions options)
    : LayerHandle(adaptive_average("AdaptiveAveragePooling1D", 1, options)) {}
AdaptiveAveragePooling2D::AdaptiveAveragePooling2D(AdaptiveAveragePooling2DOptions options)
    : LayerHandle(adaptive_average("AdaptiveAveragePooling2D", 2, options)) {}
AdaptiveAveragePooling3D::AdaptiveAveragePooling3D(AdaptiveAveragePooling3DOptions options)
    : LayerHandle(adaptive_average("AdaptiveAveragePooling3D", 3, options)) {}

}  // namespace cornu::inline v0::keras::layers
