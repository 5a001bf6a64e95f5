#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/dtype_policy.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/base/tensors.h"
#include "cornu/keras/layer/call_arguments.h"
#include "cornu/keras/layer/keras_tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0::keras {

class Config;
class Layer;
class QuantizationConfig;

/// A shared handle to a layer, for users; callable like a Layer.
class LayerHandle : public Handle<Layer> {
 public:
  using Handle<Layer>::Handle;
  /// The input layer of a tensor made by keras::Input. Errors: InvalidArgument for any other tensor.
  LayerHandle(const KerasTensor& input);

  Tensor operator()(const Tensor& input, const CallArguments& arguments = {}) const;
  Tensor operator()(const Tensors& inputs, const CallArguments& arguments = {}) const;
  KerasTensor operator()(const KerasTensor& input, const CallArguments& arguments = {}) const;
  KerasTensor operator()(const std::vector<KerasTensor>& inputs, const CallArguments& arguments = {}) const;
  KerasTensor operator()(std::initializer_list<KerasTensor> inputs,
                         const CallArguments& arguments = {}) const;
  std::vector<Tensor> call_many(const TensorList& inputs, const CallArguments& arguments = {}) const;
  std::vector<KerasTensor> call_many(std::span<const KerasTensor> inputs,
                                     const CallArguments& arguments = {}) const;
  std::vector<KerasTensor> call_many(std::initializer_list<KerasTensor> inputs,
                                     const CallArguments& arguments = {}) const;
  // The members of Layer that programs use most; see Layer.
  const std::string& name() const;
  bool trainable() const;
  void set_trainable(bool trainable) const;
  bool built() const;
  Config get_config() const;
  std::vector<Variable> weights() const;
  std::vector<Variable> trainable_weights() const;
  std::vector<Variable> non_trainable_weights() const;
  std::vector<Variable> variables() const;
  std::vector<Variable> trainable_variables() const;
  std::vector<Variable> non_trainable_variables() const;
  std::vector<Tensor> losses() const;
  std::int64_t count_params() const;
  const DTypePolicy& dtype_policy() const;
  DType compute_dtype() const;
  DType variable_dtype() const;
  /// Replaces the large weights by quantized ones: `layer.quantize("int8")`. See Layer::quantize and
  /// Model::quantize.
  void quantize(const Spec<QuantizationConfig>& config) const;
  // The weights that are attributes in Python. Errors: those of Layer::weight, also for a layer without such
  // a weight.
  Variable weight(StringViewArgument name) const;
  Variable kernel() const;
  Variable bias() const;
  Variable recurrent_kernel() const;
  Variable depthwise_kernel() const;
  Variable pointwise_kernel() const;
  Variable embeddings() const;
  Variable gamma() const;
  Variable beta() const;
  Variable moving_mean() const;
  Variable moving_variance() const;
  std::vector<Tensor> get_weights() const;
  void set_weights(const std::vector<Tensor>& values) const;
  KerasTensor input() const;
  KerasTensor output() const;
};

/// Makes a layer of the class L and is its handle, like layers::Dense for built-in layers:
///
///     class SamplingLayer : public Layer { ... };
///     using Sampling = LayerOf<SamplingLayer>;
///     const KerasTensor z = Sampling()({mean, log_variance});
template <std::derived_from<Layer> L>
class LayerOf : public LayerHandle {
 public:
  template <typename... Arguments>
    requires std::constructible_from<L, Arguments...> &&
             (!(std::derived_from<std::remove_cvref_t<Arguments>, LayerOf> || ...))
  explicit LayerOf(Arguments&&... arguments)
      : LayerHandle(std::make_shared<L>(std::forward<Arguments>(arguments)...)) {}

  L* operator->() const { return static_cast<L*>(LayerHandle::operator->()); }
  L& operator*() const { return static_cast<L&>(LayerHandle::operator*()); }
};

}  // namespace cornu::inline v0::keras
