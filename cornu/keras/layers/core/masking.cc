#include "cornu/keras/layers/core/masking.h"

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

class MaskingLayer : public Layer {
 public:
  explicit MaskingLayer(const MaskingOptions& options)
      : Layer(layer_settings("Masking", options)), mask_value_(options.mask_value) {
    if (!mask_value_.defined()) option_error("mask_value is an undefined tensor");
    set_supports_masking(true);
    set_type_rule(TypeRule::kKept);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    std::optional<Dims> compared = broadcast_shapes(input_shape, mask_value_.shape());
    if (!compared.has_value() || compared->empty())
      invalid_argument("[masking] an input of shape {} cannot be compared with mask_value of shape {}",
                       shape_with_none_str(input_shape), shape_with_none_str(mask_value_.shape()));
    compared->back() = 1;  // one value for each step
    return broadcast_shapes(*compared, input_shape).value();
  }

 protected:
  void build_for(std::span<const Dims>) override {}

  Tensor call(const Tensor& input, const CallContext&) override {
    const Tensor counts = ops::any(ops::not_equal(input, mask_value_), {.axis = -1});
    return ops::where(ops::expand_dims(counts, -1), input, 0).with_mask(counts);
  }

 private:
  Tensor mask_value_;
};

}  // namespace

Masking::Masking(MaskingOptions options) : LayerHandle(std::make_shared<MaskingLayer>(options)) {}

}  // namespace cornu::inline v0::keras::layers
