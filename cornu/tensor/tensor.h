#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/ir/literal.h"

namespace cornu {

using ir::Dims;
using ir::DType;
using ir::TensorType;

class Trace;

/// A value with dtype and shape: concrete (host memory, row-major) or symbolic (a value of the trace that is being built).
///
/// Immutable; copies share the memory. A default-constructed Tensor is undefined and stands for "none".
/// A Tensor made from a C++ number is weak: beside a tensor of another dtype it takes that dtype (`x * 2.0` keeps x's), as in Keras.
/// Owns:      its memory, shared, except `view` without an owner.
/// Threads:   safe (immutable).
/// Lifetime:  a symbolic tensor is usable only while its trace is current; later uses throw FailedPrecondition.
class Tensor {
 public:
  Tensor() = default;
  template <typename T>
    requires std::is_arithmetic_v<T>
  Tensor(T value) : Tensor(weak_scalar(scalar_dtype<T>(), static_cast<double>(value), !std::is_same_v<T, bool>)) {}
  /// Shares the literal's bytes.
  explicit Tensor(const ir::Literal& literal);

  /// Copies `values`. Errors: InvalidArgument when their number does not fit the shape.
  template <typename T>
  static Tensor from(const Dims& shape, std::span<const T> values) {
    return Tensor(ir::Literal::of<T>(shape, values));
  }
  template <typename T>
  static Tensor of(const Dims& shape, std::initializer_list<T> values) {
    return Tensor(ir::Literal::of<T>(shape, values));
  }
  /// Takes the vector over without copying. Errors: InvalidArgument when its size does not fit the shape.
  template <typename T>
  static Tensor adopt(const Dims& shape, std::vector<T> values) {
    auto owner = std::make_shared<const std::vector<T>>(std::move(values));
    const auto* data = reinterpret_cast<const std::byte*>(owner->data());
    return from_bytes({*ir::kDTypeOf<T>, shape}, data, owner->size() * sizeof(T), owner);
  }
  /// Refers to memory that `owner` keeps alive; without an owner the caller keeps it alive and unchanged.
  template <typename T>
  static Tensor view(const Dims& shape, std::span<const T> values, std::shared_ptr<const void> owner = {}) {
    return from_bytes({*ir::kDTypeOf<T>, shape}, reinterpret_cast<const std::byte*>(values.data()), values.size_bytes(), std::move(owner));
  }
  static Tensor zeros(const Dims& shape, DType dtype = DType::kF32);
  static Tensor from_bytes(TensorType type, const std::byte* data, std::size_t size_bytes, std::shared_ptr<const void> owner);

  /// False for a default-constructed Tensor.
  bool defined() const { return node_ != nullptr; }

  const TensorType& type() const;
  const Dims& shape() const { return type().dims; }
  DType dtype() const { return type().dtype; }
  std::int64_t rank() const { return type().rank(); }
  std::int64_t num_elements() const { return type().num_elements(); }
  /// shape()[0]. Errors: InvalidArgument for a scalar.
  std::int64_t num_rows() const;

  bool is_symbolic() const;

  /// The elements, row-major. Errors: InvalidArgument on another dtype, FailedPrecondition on a symbolic tensor.
  template <typename T>
  std::span<const T> data() const {
    return {reinterpret_cast<const T*>(bytes_as(*ir::kDTypeOf<T>)), static_cast<std::size_t>(num_elements())};
  }
  const std::byte* bytes() const;
  /// The only element, converted. Errors: InvalidArgument unless there is exactly one.
  template <typename T>
  T item() const {
    return static_cast<T>(item_as_double());
  }
  /// Element `i` in row-major order as a double; for tests and printing.
  double at(std::int64_t i) const;

  /// A copy (or shared bytes, when it was made from a literal).
  ir::Literal literal() const;
  /// Rows [begin, end) of a concrete tensor as a view that shares its memory.
  Tensor rows(std::int64_t begin, std::int64_t end) const;

  /// The values as NumPy prints them (long tensors are shortened); a symbolic tensor prints its type.
  std::string str() const;

  // For the tensor library and traces.
  /// A symbolic tensor of the trace with this id.
  static Tensor symbolic(ir::Value value, std::uint64_t trace_id);
  ir::Value value() const;         // empty for a concrete tensor
  std::uint64_t trace_id() const;  // 0 for a concrete tensor
  bool is_weak() const;            // made from a C++ number
  /// The same number as a strong scalar of `dtype`; only for a weak tensor.
  Tensor strong_scalar(DType dtype) const;
  /// The identity of the memory: captured once a trace.
  const void* id() const { return node_.get(); }

 private:
  struct Node;
  template <typename T>
  static constexpr DType scalar_dtype() {
    if constexpr (std::is_same_v<T, bool>) return DType::kI1;
    return std::is_floating_point_v<T> ? DType::kF32 : DType::kI32;
  }
  static Tensor weak_scalar(DType dtype, double value, bool weak);
  const std::byte* bytes_as(DType dtype) const;
  double item_as_double() const;

  std::shared_ptr<const Node> node_;
};

/// Arithmetic with NumPy's broadcasting and the dtype rules of ops::promote (ops.h).
Tensor operator+(const Tensor& x, const Tensor& y);
Tensor operator-(const Tensor& x, const Tensor& y);
Tensor operator*(const Tensor& x, const Tensor& y);
Tensor operator/(const Tensor& x, const Tensor& y);
Tensor operator-(const Tensor& x);

}  // namespace cornu
