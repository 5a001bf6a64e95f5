#include "cornu/keras/layer/layer_handle.h"

#include "cornu/keras/config/config.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/quantizers/quantizers.h"

namespace cornu::inline v0::keras {

Tensor LayerHandle::operator()(const Tensor& input, const CallArguments& arguments) const {
  return (**this)(input, arguments);
}
Tensor LayerHandle::operator()(const Tensors& inputs, const CallArguments& arguments) const {
  return (**this)(inputs, arguments);
}
KerasTensor LayerHandle::operator()(const KerasTensor& input, const CallArguments& arguments) const {
  return (**this)(input, arguments);
}
KerasTensor LayerHandle::operator()(const std::vector<KerasTensor>& inputs,
                                    const CallArguments& arguments) const {
  return (**this)(inputs, arguments);
}
KerasTensor LayerHandle::operator()(std::initializer_list<KerasTensor> inputs,
                                    const CallArguments& arguments) const {
  return (**this)(inputs, arguments);
}
std::vector<Tensor> LayerHandle::call_many(const TensorList& inputs, const CallArguments& arguments) const {
  return (**this).call_many(inputs, arguments);
}
std::vector<KerasTensor> LayerHandle::call_many(std::span<const KerasTensor> inputs,
                                                const CallArguments& arguments) const {
  return (**this).call_many(inputs, arguments);
}
std::vector<KerasTensor> LayerHandle::call_many(std::initializer_list<KerasTensor> inputs,
                                                const CallArguments& arguments) const {
  return (**this).call_many(inputs, arguments);
}
const std::string& LayerHandle::name() const { return (*this)->name(); }
bool LayerHandle::trainable() const { return (*this)->trainable(); }
void LayerHandle::set_trainable(bool trainable) const { (*this)->set_trainable(trainable); }
bool LayerHandle::built() const { return (*this)->built(); }
Config LayerHandle::get_config() const { return (*this)->get_config(); }
std::vector<Variable> LayerHandle::weights() const { return (*this)->weights(); }
std::vector<Variable> LayerHandle::trainable_weights() const { return (*this)->trainable_weights(); }
std::vector<Variable> LayerHandle::non_trainable_weights() const { return (*this)->non_trainable_weights(); }
std::vector<Variable> LayerHandle::variables() const { return (*this)->variables(); }
std::vector<Variable> LayerHandle::trainable_variables() const { return (*this)->trainable_variables(); }
std::vector<Variable> LayerHandle::non_trainable_variables() const {
  return (*this)->non_trainable_variables();
}
std::vector<Tensor> LayerHandle::losses() const { return (*this)->losses(); }
std::int64_t LayerHandle::count_params() const { return (*this)->count_params(); }
const DTypePolicy& LayerHandle::dtype_policy() const { return (*this)->dtype_policy(); }
DType LayerHandle::compute_dtype() const { return (*this)->compute_dtype(); }
DType LayerHandle::variable_dtype() const { return (*this)->variable_dtype(); }
void LayerHandle::quantize(const QuantizationConfigSpec& config) const {
  (*this)->quantize(resolved_quantization(config));
}
Variable LayerHandle::weight(StringViewArgument name) const { return (*this)->weight(name); }
Variable LayerHandle::kernel() const { return weight("kernel"); }
Variable LayerHandle::bias() const { return weight("bias"); }
Variable LayerHandle::recurrent_kernel() const { return weight("recurrent_kernel"); }
Variable LayerHandle::depthwise_kernel() const { return weight("depthwise_kernel"); }
Variable LayerHandle::pointwise_kernel() const { return weight("pointwise_kernel"); }
Variable LayerHandle::embeddings() const { return weight("embeddings"); }
Variable LayerHandle::gamma() const { return weight("gamma"); }
Variable LayerHandle::beta() const { return weight("beta"); }
Variable LayerHandle::moving_mean() const { return weight("moving_mean"); }
Variable LayerHandle::moving_variance() const { return weight("moving_variance"); }
std::vector<Tensor> LayerHandle::get_weights() const { return (*this)->get_weights(); }
void LayerHandle::set_weights(const std::vector<Tensor>& values) const { (*this)->set_weights(values); }
KerasTensor LayerHandle::input() const { return (*this)->input(); }
KerasTensor LayerHandle::output() const { return (*this)->output(); }

}  // namespace cornu::inline v0::keras
