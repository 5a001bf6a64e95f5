#include "cornu/keras/layers/activation/softmax.h"

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

class SoftmaxLayer : public Layer {
 public:
  explicit SoftmaxLayer(const SoftmaxOptions& options)
      : Layer(layer_settings("Softmax", options)), axis_(options.axis) {
    set_supports_masking(true);
    set_type_rule(TypeRule::kComputed);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    (void)axis_.normalized(static_cast<std::int64_t>(input_shape.size()), "softmax");
    return input_shape;
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override {
    if (input.mask() == nullptr) return softmax_of(input);
    const Tensor mask =
        input.mask()->dtype() == DType::kI1 ? *input.mask() : ops::greater(*input.mask(), 0.5);
    check_mask(mask, input);
    const double low = input.dtype() == DType::kF16 ? -3e4 : -1e9;
    // If all elements along the axis are masked, their softmax would be uniform, so the results are set to 0.
    return ops::where(mask, softmax_of(ops::where(mask, input, low)), 0.0);
  }

 private:
  Tensor softmax_of(const Tensor& x) const {
    const Dims axes = axis_.normalized(x.rank(), "softmax");
    if (axes.size() == 1) return ops::softmax(x, axes[0]);
    const Tensor e = ops::exp(x - ops::max(x, {.axis = axis_, .keepdims = true}));
    return e / ops::sum(e, {.axis = axis_, .keepdims = true});
  }

  static void check_mask(const Tensor& mask, const Tensor& input) {
    bool fits = mask.rank() <= input.rank();
    for (std::size_t i = 1; fits && i <= mask.shape().size(); ++i) {
      const std::int64_t extent = mask.shape()[mask.shape().size() - i];
      fits = extent == 1 || extent == input.shape()[input.shape().size() - i];
    }
    if (!fits)
      invalid_argument(
          "[softmax] the mask must broadcast to the input; got a mask of shape {} for an input of shape {}",
          ir::shape_str(mask.shape()), ir::shape_str(input.shape()));
  }

  ops::Axes axis_;
};

}  // namespace

Softmax::Softmax(SoftmaxOptions options) : LayerHandle(std::make_shared<SoftmaxLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
