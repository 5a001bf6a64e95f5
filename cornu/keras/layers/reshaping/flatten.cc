#include "cornu/keras/layers/reshaping/flatten.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/keras/config/data_format_support.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

class FlattenLayer : public Layer {
 public:
  explicit FlattenLayer(const FlattenOptions& options)
      : Layer(layer_settings("Flatten", options)),
        is_channels_first_(config::given_or_global(options.data_format) == "channels_first") {
    if (!is_channels_first_ && config::given_or_global(options.data_format) != "channels_last") {
      option_error("data_format", "must be \"channels_last\" or \"channels_first\"",
                   fmt::format("\"{}\"", options.data_format));
    }
    set_input_spec({.min_ndim = 1});
    set_type_rule(TypeRule::kKept);
  }

  Dims compute_output_shape(const Dims& input_shape) const override {
    if (input_shape.empty())
      invalid_argument({.layer = name()}, "[flatten] the input needs a batch dimension");
    if (std::find(input_shape.begin() + 1, input_shape.end(), kUnknown) != input_shape.end())
      return {input_shape[0], kUnknown};
    return {
        input_shape[0],
        CheckedSize::product(std::span(input_shape).subspan(1)).value("[flatten] the number of features")};
  }

 protected:
  Tensor call(const Tensor& input, const CallContext&) override {
    Tensor ordered = input;
    if (is_channels_first_ && input.rank() > 1) {
      Dims permutation = {0};
      for (std::int64_t i = 2; i < input.rank(); ++i) permutation.push_back(i);
      permutation.push_back(1);
      ordered = ops::transpose(input, permutation);
    }
    return ops::reshape(ordered, compute_output_shape(input.shape()));
  }

 private:
  bool is_channels_first_;
};

}  // namespace

Flatten::Flatten(FlattenOptions options) : LayerHandle(std::make_shared<FlattenLayer>(std::move(options))) {}

}  // namespace cornu::inline v0::keras::layers
