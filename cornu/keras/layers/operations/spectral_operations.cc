#include "cornu/keras/layers/operations/operation_adapters_support.h"
#include "cornu/tensor/function_options_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

/// Options without a window where Keras's window is null.
template <typename Options>
Options without_null_window(const OperationCall& c, Options options) {
  if (c.find("window") != nullptr && c.is_null("window")) options.window = {};
  return options;
}

ops::StftOptions stft_options_of(const OperationCall& c) {
  using O = ops::StftOptions;
  return c.options<O>("window", OperationCall::null_is_default(&O::window), "center", &O::center);
}
ops::IstftOptions istft_options_of(const OperationCall& c) {
  using O = ops::IstftOptions;
  return c.options<O>("length", &O::length, "window", OperationCall::null_is_default(&O::window), "center",
                      &O::center);
}
std::int64_t number_of(const OperationCall& c, const char* name) { return c.get<std::int64_t>(name); }

}  // namespace

std::vector<Tensor> call_stft(const OperationCall& c) {
  return ops::stft(c[0], number_of(c, "sequence_length"), number_of(c, "sequence_stride"),
                   number_of(c, "fft_length"), without_null_window(c, stft_options_of(c)));
}
std::vector<Tensor> call_istft(const OperationCall& c) {
  return {ops::istft(c.tensors("x"), number_of(c, "sequence_length"), number_of(c, "sequence_stride"),
                     number_of(c, "fft_length"), without_null_window(c, istft_options_of(c)))};
}

}  // namespace cornu::inline v0::keras::layers
