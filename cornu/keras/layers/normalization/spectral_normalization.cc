#include "cornu/keras/layers/normalization/spectral_normalization.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/initializers/initializers.h"
#include "cornu/keras/layer/layer_settings_support.h"
#include "cornu/keras/layers/core/wrapper.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/autocast.h"

namespace cornu::inline v0::keras::layers {
namespace {

class SpectralNormalizationLayer : public Wrapper {
 public:
  SpectralNormalizationLayer(const LayerHandle& layer, const SpectralNormalizationOptions& options)
      : Wrapper(layer, layer_settings("SpectralNormalization", options)),
        power_iterations_(options.power_iterations) {
    if (power_iterations_ <= 0)
      option_error("power_iterations", "must be positive", fmt::format("{}", power_iterations_));
  }

  bool has_type_rule() const override { return layer()->has_type_rule(); }
  std::vector<TensorType> compute_output_types(std::span<const TensorType> inputs) const override {
    std::vector<TensorType> types = layer()->compute_output_types(inputs);
    if (types.size() == 1 && ir::is_float(inputs[0].dtype)) types[0].dtype = inputs[0].dtype;
    return types;
  }

 protected:
  void build_for(std::span<const Dims> input_shapes) override {
    if (input_shapes.size() != 1 || input_shapes[0].empty())
      option_error(
          fmt::format("expected one input with at least one axis; got {} inputs", input_shapes.size()));
    Wrapper::build_for(input_shapes);
    kernel_ = track(own_kernel());  // as Keras does: it is the first weight
    vector_u_ = add_weight({.name = "vector_u",
                            .shape = {1, kernel_.shape().back()},
                            .initializer = initializers::TruncatedNormal({.stddev = 0.02}),
                            .trainable = false,
                            .dtype = kernel_.dtype(),
                            .autocast = false});
    InputSpec spec{.min_ndim = 1};
    if (input_shapes[0].back() != kUnknown) spec.axes = {{-1, input_shapes[0].back()}};
    set_input_spec(std::move(spec));
  }
  void unbuild() override { set_input_spec({.min_ndim = 1}); }

  Tensor call(const Tensor& input, const CallContext& context) override {
    if (context.training) normalize_kernel();
    const Tensor output = layer()(input);
    return ir::is_float(input.dtype()) ? ops::cast(output, input.dtype()) : output;
  }

 private:
  /// The kernel or the embeddings of the layer itself. Errors: InvalidArgument if it has neither.
  Variable own_kernel() const {
    const std::vector<Variable> weights = layer()->weights();
    for (const char* name : {"/kernel", "/embeddings"})
      for (const Variable& weight : weights)
        if (weight.path() == layer()->path() + name) return weight;
    option_error(
        fmt::format("the layer \"{}\" has neither a weight \"kernel\" nor \"embeddings\"", layer()->name()));
  }

  void normalize_kernel() const {
    const AutocastScope in_own_dtype;
    const Tensor kernel = kernel_.value();
    const Tensor matrix = ops::reshape(kernel, {-1, kernel.shape().back()});
    Tensor u = vector_u_.value(), v;
    for (std::int64_t i = 0; i < power_iterations_; ++i) {
      v = ops::normalize(ops::matmul(u, ops::transpose(matrix)));
      u = ops::normalize(ops::matmul(v, matrix));
    }
    const Tensor largest = ops::reshape(ops::matmul(ops::matmul(v, matrix), ops::transpose(u)), {});
    const Tensor is_zero = ops::all(ops::equal(kernel, 0));
    vector_u_.assign(ops::where(is_zero, vector_u_.value(), u));
    kernel_.assign(kernel / ops::where(is_zero, 1, largest));
  }

  std::int64_t power_iterations_;
  Variable kernel_, vector_u_;
};

}  // namespace

SpectralNormalization::SpectralNormalization(const LayerHandle& layer,
                                             const SpectralNormalizationOptions& options)
    : LayerHandle(std::make_shared<SpectralNormalizationLayer>(layer, options)) {}

}  // namespace cornu::inline v0::keras::layers
