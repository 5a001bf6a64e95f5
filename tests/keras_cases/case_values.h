#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "cornu/keras/config/config.h"
#include "cornu/tensor/tensor.h"

/// Recorded cases of Keras's own tests (tools/oracles/keras_cases, docs/dev/keras_cases.md).
namespace cornu::inline v0::tests {

using keras::Config;

/// A call that the replayer cannot make in C++.
class NotReplayed : public std::runtime_error {
 public:
  explicit NotReplayed(const std::string& reason) : std::runtime_error("[replay] " + reason) {}
};

/// Reads a file of one case a line. Errors: std::runtime_error if it cannot be opened; those of Config::parse.
std::vector<Config> read_cases(const std::string& path);

/// The tensor of an array {"dtype", "shape", "data"}. Errors: NotReplayed for dtypes without tensors, such as
/// strings.
Tensor tensor_of(const Config& array);
/// The tensors of a list; undefined ones for null.
std::vector<Tensor> tensors_of(const Config& arrays);

/// The elements as doubles, complex ones as pairs.
std::vector<double> numbers_of(const Tensor& tensor);
std::vector<double> numbers_of(const Config& array);

}  // namespace cornu::inline v0::tests
