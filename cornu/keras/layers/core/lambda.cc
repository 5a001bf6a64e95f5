#include "cornu/keras/layers/core/lambda.h"

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

class LambdaLayer : public Layer {
 public:
  explicit LambdaLayer(LambdaOptions options)
      : Layer(layer_settings("Lambda", options)), options_(std::move(options)) {
    if (!options_.function.defined()) option_error("function is missing");
    set_supports_masking(options_.mask.defined());
  }

  std::vector<Tensor> compute_mask(std::span<const Tensor> inputs,
                                   std::span<const Tensor> outputs) const override {
    return options_.mask.defined() ? options_.mask(inputs) : std::vector<Tensor>(outputs.size());
  }

 protected:
  void build_for(std::span<const Dims>) override {}
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    return options_.function(inputs);
  }

 private:
  LambdaOptions options_;
};

}  // namespace

const Tensor& LambdaFunction::the_input(std::span<const Tensor> inputs) {
  if (inputs.size() != 1) invalid_argument("[lambda] the function takes one tensor; got {}", inputs.size());
  return inputs[0];
}

Lambda::Lambda(LambdaOptions options) : LayerHandle(std::make_shared<LambdaLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
