#include "cornu/keras/layers/dropout.h"

#include <cmath>

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu::keras::layers {
namespace {

class DropoutLayer : public Layer {
 public:
  explicit DropoutLayer(DropoutOptions options)
      : Layer("Dropout", options.name), rate_(options.rate), seed_generator_(options.seed ? *options.seed : next_seed()) {
    if (!(rate_ >= 0 && rate_ <= 1)) invalid_argument("[dropout] rate must be in [0, 1]; got rate = {}; in layer \"{}\"", rate_, name());
  }

  Dims compute_output_shape(const Dims& input_shape) const override { return input_shape; }

 protected:
  Tensor call(const Tensor& input, const CallContext& context) override {
    if (!context.training || rate_ == 0) return input;
    if (rate_ == 1) return input * 0.0;
    const Tensor counter = context.random_counter.defined() ? context.random_counter : seed_generator_.next();
    const double keep = 1 - rate_;
    // Comparing the bits themselves needs no conversion to floating point.
    const auto threshold = static_cast<std::uint32_t>(std::min(std::round(keep * 0x1p32), 0x1p32 - 1));
    const Tensor bits = ops::random_bits(seed_generator_.key0(), seed_generator_.key1(), counter, input.shape());
    return ops::where(ops::less(bits, Tensor::of<std::uint32_t>({}, {threshold})), input * (1 / keep), 0);
  }

 private:
  double rate_;
  SeedGenerator seed_generator_;
};

}  // namespace

Dropout::Dropout(DropoutOptions options) : LayerHandle(std::make_shared<DropoutLayer>(std::move(options))) {}

}  // namespace cornu::keras::layers
