#include "cornu/keras/layers/reshaping/cropping.h"

#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/reshaping/pair_layer_support.h"
#include "cornu/tensor/ops/index.h"

namespace cornu::inline v0::keras::layers {
namespace {

class CroppingLayer : public PairLayer {
 public:
  template <typename Options>
  CroppingLayer(const char* class_name, std::int64_t num_spatial, const Options& options,
                const std::string& data_format)
      : PairLayer(layer_settings(class_name, options), num_spatial, data_format, "cropping",
                  options.cropping),
        given_(options.cropping) {}

  Dims compute_output_shape(const Dims& input_shape) const override {
    Dims extents;
    for (std::size_t i = 0; i < pairs().size(); ++i) {
      const std::int64_t extent = spatial(input_shape, i),
                         cut =
                             checked_extent("what is cut", CheckedSize(pairs()[i].first) + pairs()[i].second);
      if (extent != kUnknown && cut >= extent)
        option_error(fmt::format(
            "cropping must leave something of every axis; got cropping = {} for an input of shape {}",
            given_.str(), shape_with_none_str(input_shape)));
      extents.push_back(extent == kUnknown ? kUnknown : extent - cut);
    }
    return with_spatial(input_shape, extents);
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override {
    Dims start(input.shape().size(), 0);
    for (std::size_t i = 0; i < pairs().size(); ++i)
      start[static_cast<std::size_t>(first_spatial()) + i] = pairs()[i].first;
    return ops::slice(input, start, compute_output_shape(input.shape()));
  }

 private:
  BeforeAndAfter given_;
};

}  // namespace

Cropping1D::Cropping1D(Cropping1DOptions options)
    : LayerHandle(std::make_shared<CroppingLayer>("Cropping1D", 1, options, "channels_last")) {}
Cropping2D::Cropping2D(Cropping2DOptions options)
    : LayerHandle(std::make_shared<CroppingLayer>("Cropping2D", 2, options, options.data_format)) {}
Cropping3D::Cropping3D(Cropping3DOptions options)
    : LayerHandle(std::make_shared<CroppingLayer>("Cropping3D", 3, options, options.data_format)) {}

}  // namespace cornu::inline v0::keras::layers
