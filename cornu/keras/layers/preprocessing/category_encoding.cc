#include "cornu/keras/layers/preprocessing/category_encoding.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/encode_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

class CategoryEncodingLayer : public Layer {
 public:
  explicit CategoryEncodingLayer(const CategoryEncodingOptions& options)
      : Layer(layer_settings("CategoryEncoding", options)), num_tokens_(options.num_tokens) {
    if (num_tokens_ < 1) option_error("num_tokens", "must be positive", fmt::format("{}", num_tokens_));
    const auto mode = encode_mode_named(options.output_mode);
    if (!mode.has_value() || *mode == EncodeMode::kInt)
      option_error("output_mode", "must be \"multi_hot\", \"one_hot\" or \"count\"", options.output_mode);
    mode_ = *mode;
  }

 protected:
  void build_for(std::span<const Dims>) override {}
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    if (inputs.size() > 2 || (inputs.size() == 2 && mode_ != EncodeMode::kCount))
      invalid_argument(
          "[category_encoding] takes one input, or with "
          "output_mode \"count\" its weights too; got {}",
          inputs.size());
    const Tensor numbers = ir::is_float(inputs[0].dtype()) ? ops::cast(inputs[0], DType::kI32) : inputs[0];
    const Tensor weights = inputs.size() == 2 ? ops::cast(inputs[1], compute_dtype()) : Tensor();
    return {encoded(numbers, mode_, num_tokens_, compute_dtype(), weights)};
  }

 private:
  std::int64_t num_tokens_;
  EncodeMode mode_ = EncodeMode::kMultiHot;
};

}  // namespace

CategoryEncoding::CategoryEncoding(CategoryEncodingOptions options)
    : LayerHandle(std::make_shared<CategoryEncodingLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
