#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cornu/keras/keras.h"

/// Functions and layers of Keras that benchmarks/functions.py races beside Keras on JAX and on TensorFlow.
/// benchmarks/peers/functions_peer.py has the same cases by the same names.
namespace cornu::inline v0::benchmarks {

struct FunctionCase {
  std::string name;
  std::vector<Tensor> inputs;
  std::function<std::vector<Tensor>(const std::vector<Tensor>&)> run;
};

std::vector<FunctionCase> image_cases();
std::vector<FunctionCase> array_cases();
std::vector<FunctionCase> layer_cases();

/// Numbers in [0, 1) times `scale`, always the same.
Tensor numbers(const Dims& shape, double scale = 1);

}  // namespace cornu::inline v0::benchmarks
