#pragma once

#include <cstddef>
#include <span>

#include "cornu/keras/config/config.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras::layers {

/// A class of keras.ops that graphs of layers hold.
struct OperationRow {
  const char* class_name;
  const char* module;  // "numpy": keras.src.ops.numpy
  std::size_t least_arguments;
  std::size_t most_arguments;
  /// Of the arguments in their order, and what the class was made with.
  Tensor (*function)(std::span<const Tensor> arguments, const Config& options);
};

inline constexpr std::size_t kAnyNumber = ~std::size_t{0};

std::span<const OperationRow> operation_rows();

}  // namespace cornu::inline v0::keras::layers
