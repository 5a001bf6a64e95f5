#include "cornu/keras/layers/preprocessing/category_encoding.h"

#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/preprocessing/encode_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// The shape that fits both shapes, as far as it is known; nullopt if they differ.
std::optional<Dims> common_shape(Dims a, const Dims& b) {
  if (a.size() != b.size()) return std::nullopt;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == kUnknown) a[i] = b[i];
    if (b[i] != kUnknown && b[i] != a[i]) return std::nullopt;
  }
  return a;
}

class CategoryEncodingLayer : public Layer {
 public:
  explicit CategoryEncodingLayer(const CategoryEncodingOptions& options)
      : Layer(layer_settings("CategoryEncoding", options)), num_tokens_(options.num_tokens) {
    if (num_tokens_ < 1) option_error("num_tokens", "must be positive", fmt::format("{}", num_tokens_));
    const auto mode = encode_mode_named(options.output_mode);
    if (!mode.has_value() || *mode == EncodeMode::kInt)
      option_error("output_mode", "must be \"multi_hot\", \"one_hot\" or \"count\"", options.output_mode);
    mode_ = *mode;
    set_autocast(false);  // category indices must stay exact
    set_type_rule(TypeRule::kOverridden);
  }

  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    check_count(inputs.size());
    const std::optional<Dims> numbers = common_shape(inputs[0].dims, inputs.back().dims);
    if (!numbers.has_value()) return Layer::compute_output_types(inputs);  // throws, or broadcasts
    return {{compute_dtype(), encoded_shape(*numbers, mode_, num_tokens_)}};
  }

 protected:
  void build_for(std::span<const Dims>) override {}
  std::vector<Tensor> call_for(std::span<const Tensor> inputs, const CallContext&) override {
    check_count(inputs.size());
    const Tensor numbers = ir::is_float(inputs[0].dtype()) ? ops::cast(inputs[0], DType::kI32) : inputs[0];
    const Tensor weights = inputs.size() == 2 ? ops::cast(inputs[1], compute_dtype()) : Tensor();
    return {encoded(numbers, mode_, num_tokens_, compute_dtype(), weights)};
  }

 private:
  void check_count(std::size_t num_inputs) const {
    if (num_inputs < 1 || num_inputs > 2 || (num_inputs == 2 && mode_ != EncodeMode::kCount))
      invalid_argument(
          "[category_encoding] takes one input, or with output_mode \"count\" its weights too; got {}",
          num_inputs);
  }

  std::int64_t num_tokens_;
  EncodeMode mode_ = EncodeMode::kMultiHot;
};

}  // namespace

CategoryEncoding::CategoryEncoding(CategoryEncodingOptions options)
    : LayerHandle(std::make_shared<CategoryEncodingLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
