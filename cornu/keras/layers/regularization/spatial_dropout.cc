#include "cornu/keras/layers/regularization/spatial_dropout.h"

#include <cctype>

#include "cornu/base/check.h"
#include "cornu/keras/config/data_format_support.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/regularization/noise_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

class SpatialDropoutLayer : public Layer {
 public:
  template <typename Options>
  SpatialDropoutLayer(const char* class_name, const Options& options, const std::string& data_format,
                      std::int64_t rank)
      : Layer(layer_settings(class_name, options)),
        rate_(options.rate),
        channels_first_(is_channels_first(data_format)) {
    if (!(rate_ >= 0 && rate_ <= 1)) option_error("rate", "must be in [0, 1]", fmt::format("{}", rate_));
    if (rate_ > 0) seed_generator_ = add_seed_generator(options.seed);
    set_input_spec({.ndim = rank});
    set_supports_masking(true);
    set_type_rule(TypeRule::kComputed);
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  void build_for(std::span<const Dims>) override {}

  Tensor call(const Tensor& input, const CallContext& context) override {
    if (!context.training || rate_ == 0) return input;
    Dims noise_shape(input.shape().size(), 1);
    const std::size_t channels = channels_first_ ? 1 : noise_shape.size() - 1;
    noise_shape[0] = input.shape()[0];
    noise_shape[channels] = input.shape()[channels];
    return noise::dropped_out(input, rate_, noise_shape, *seed_generator_, context);
  }

 private:
  /// Ignores case, as Keras does.
  bool is_channels_first(const std::string& data_format) const {
    std::string lower = config::given_or_global(data_format);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (lower == "channels_first") return true;
    if (lower != "channels_last")
      option_error("data_format", "must be \"channels_last\" or \"channels_first\"",
                   fmt::format("\"{}\"", data_format));
    return false;
  }

  double rate_;
  bool channels_first_;
  std::optional<SeedGenerator> seed_generator_;
};

}  // namespace

SpatialDropout1D::SpatialDropout1D(SpatialDropout1DOptions options)
    : LayerHandle(std::make_shared<SpatialDropoutLayer>("SpatialDropout1D", options, "channels_last", 3)) {}
SpatialDropout2D::SpatialDropout2D(SpatialDropoutOptions options)
    : LayerHandle(
          std::make_shared<SpatialDropoutLayer>("SpatialDropout2D", options, options.data_format, 4)) {}
SpatialDropout3D::SpatialDropout3D(SpatialDropoutOptions options)
    : LayerHandle(
          std::make_shared<SpatialDropoutLayer>("SpatialDropout3D", options, options.data_format, 5)) {}

}  // namespace cornu::inline v0::keras::layers
