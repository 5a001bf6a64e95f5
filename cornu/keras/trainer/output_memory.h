#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// The caller's memory that Model::predict_into fills with an output, row-major.
/// Lifetime: the memory must outlive the call.
class OutputMemory {
 public:
  template <typename T>
    requires(!std::is_const_v<T> && ir::kDTypeOf<T>.has_value())
  OutputMemory(std::span<T> elements) : dtype_(*ir::kDTypeOf<T>), bytes_(std::as_writable_bytes(elements)) {}
  template <typename T>
    requires(!std::is_same_v<T, bool> && ir::kDTypeOf<T>.has_value())
  OutputMemory(std::vector<T>& elements) : OutputMemory(std::span<T>(elements)) {}
  /// For a dtype that has no C++ type, such as bfloat16.
  OutputMemory(DType dtype, std::span<std::byte> bytes) : dtype_(dtype), bytes_(bytes) {}

  DType dtype() const { return dtype_; }
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  DType dtype_;
  std::span<std::byte> bytes_;
};

}  // namespace cornu::inline v0::keras
