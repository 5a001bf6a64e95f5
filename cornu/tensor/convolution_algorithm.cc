#include "cornu/tensor/convolution_algorithm.h"

#include <string_view>

#include "cornu/base/check.h"

namespace cornu::inline v0 {

ConvolutionAlgorithm::ConvolutionAlgorithm(const char* word)
    : value_(runtime::ConvolutionAlgorithm::kDirect) {
  const std::string_view text = word;
  if (text == "auto") {
    value_ = runtime::ConvolutionAlgorithm::kAuto;
  } else if (text != "direct") {
    invalid_argument(
        {.argument = "convolution_algorithm"},
        "convolution_algorithm must be \"auto\" or \"direct\"; got convolution_algorithm = \"{}\"", word);
  }
}

}  // namespace cornu::inline v0
