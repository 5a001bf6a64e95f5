#include "cornu/keras/layers/reshaping/zero_padding.h"

#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/reshaping/pair_layer_support.h"
#include "cornu/tensor/ops/shape.h"

namespace cornu::inline v0::keras::layers {
namespace {

class ZeroPaddingLayer : public PairLayer {
 public:
  ZeroPaddingLayer(const char* class_name, std::int64_t num_spatial, const ZeroPaddingOptions& options)
      : PairLayer(layer_settings(class_name, options), num_spatial, options.data_format, "padding",
                  options.padding) {}

  Dims compute_output_shape(const Dims& input_shape) const override {
    Dims extents;
    for (std::size_t i = 0; i < pairs().size(); ++i) {
      const std::int64_t extent = spatial(input_shape, i);
      const CheckedSize padded = CheckedSize(extent) + pairs()[i].first + pairs()[i].second;
      extents.push_back(extent == kUnknown ? kUnknown : checked_extent("an extent of the output", padded));
    }
    return with_spatial(input_shape, extents);
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override {
    return ops::pad(input, pairs_of_all_axes());
  }
};

}  // namespace

ZeroPadding1D::ZeroPadding1D(ZeroPadding1DOptions options)
    : LayerHandle(std::make_shared<ZeroPaddingLayer>("ZeroPadding1D", 1, options)) {}
ZeroPadding2D::ZeroPadding2D(ZeroPadding2DOptions options)
    : LayerHandle(std::make_shared<ZeroPaddingLayer>("ZeroPadding2D", 2, options)) {}
ZeroPadding3D::ZeroPadding3D(ZeroPadding3DOptions options)
    : LayerHandle(std::make_shared<ZeroPaddingLayer>("ZeroPadding3D", 3, options)) {}

}  // namespace cornu::inline v0::keras::layers
