#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "cornu/ir/type.h"

namespace cornu::inline v0::ir {

/// A dense tensor value in host memory, row-major: the value of constants and the operands of reference
/// kernels.
///
/// Copies share the bytes. `mutable_data` may only be used by the creator, before the literal is shared.
class Literal {
 public:
  Literal() : Literal(TensorType{}) {}
  /// Zero-filled.
  explicit Literal(TensorType type);

  template <typename T>
  static Literal of(const Dims& dims, std::span<const T> values);
  template <typename T>
  static Literal of(const Dims& dims, std::initializer_list<T> values) {
    return of<T>(dims, std::span<const T>{values.begin(), values.size()});
  }
  /// A scalar of any dtype from a double: floats are rounded to nearest even, integers saturate (see
  /// saturated), the imaginary part of complex numbers is 0.
  static Literal scalar(DType dtype, double value);

  const TensorType& type() const { return type_; }
  std::span<const std::byte> bytes() const { return {bytes_->data(), bytes_->size()}; }
  std::span<std::byte> mutable_bytes() { return {bytes_->data(), bytes_->size()}; }

  template <typename T>
  std::span<const T> data() const;
  template <typename T>
  std::span<T> mutable_data();

  /// Element `i` (row-major) as a double; for tests, printing and folding. NaN for complex elements, whose
  /// values complex_at (cornu/ir/complex.h) returns.
  double at(std::int64_t i) const;

  /// True if all elements have the same bits.
  bool is_splat() const;

  /// True for equal dtype, shape and bits.
  bool operator==(const Literal& other) const;

 private:
  TensorType type_;
  std::shared_ptr<std::vector<std::byte>> bytes_;
};

namespace detail {
[[noreturn]] void literal_type_mismatch(const TensorType& type, DType asked);
[[noreturn]] void literal_count_mismatch(const Dims& dims, std::size_t num_values);
}  // namespace detail

template <typename T>
std::span<const T> Literal::data() const {
  if (type_.dtype != *kDTypeOf<T>) detail::literal_type_mismatch(type_, *kDTypeOf<T>);
  return {reinterpret_cast<const T*>(bytes_->data()), static_cast<std::size_t>(type_.num_elements())};
}

template <typename T>
std::span<T> Literal::mutable_data() {
  if (type_.dtype != *kDTypeOf<T>) detail::literal_type_mismatch(type_, *kDTypeOf<T>);
  return {reinterpret_cast<T*>(bytes_->data()), static_cast<std::size_t>(type_.num_elements())};
}

template <typename T>
Literal Literal::of(const Dims& dims, std::span<const T> values) {
  Literal literal(TensorType{*kDTypeOf<T>, dims});
  if (static_cast<std::size_t>(literal.type().num_elements()) != values.size())
    detail::literal_count_mismatch(dims, values.size());
  std::span<T> out = literal.mutable_data<T>();
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = values[i];
  return literal;
}

}  // namespace cornu::inline v0::ir
