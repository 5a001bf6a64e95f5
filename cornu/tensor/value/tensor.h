#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cornu/ir/literal.h"

namespace cornu::inline v0::ir {
class Value;
}  // namespace cornu::inline v0::ir

namespace cornu::inline v0 {

using ir::Dims;
using ir::DType;
using ir::TensorType;

class Trace;
namespace detail {
class DeviceValue;
}

/// A std::optional that braces can fill: `.input_shape = {28, 28, 1}`. (With std::optional it must be {{28,
/// 28, 1}}.)
template <typename List>
class OptionalInts : public std::optional<List> {
 public:
  using std::optional<List>::optional;
  OptionalInts() = default;
  OptionalInts(std::initializer_list<std::int64_t> values) : std::optional<List>(List(values)) {}
};
using OptionalDims = OptionalInts<Dims>;

/// The type in NumPy's form, for messages: "(4, 8) float64".
std::string type_str(const TensorType& type);

/// The elements begin, begin + step, ... before end of one axis, as Python's begin:end:step: negative
/// positions count from the end, positions out of range are clamped, and a negative step goes backwards. The
/// default is the whole axis.
struct Slice {
  std::optional<std::int64_t> begin = {};
  std::optional<std::int64_t> end = {};
  std::int64_t step = 1;
};

/// A value with dtype and shape: concrete (row-major, in host memory or in a device's) or symbolic (a value
/// of the trace in progress).
///
/// Results on a device that the host cannot address stay there; reading elements downloads all of them, once.
/// Immutable; copies share the memory. A default-constructed Tensor is undefined and means "none".
///
/// A Tensor made from a C++ number is weak: in an operation with a tensor of another dtype it takes that
/// dtype, as in Keras (`x * 2.0` keeps x's). An integer is represented exactly: as i32 if it fits, else as
/// i64 (u64 beyond that); a floating-point number is f32.
///
/// Owns:      its memory, shared, except `view` without an owner.
/// Threads:   safe (immutable).
/// Lifetime:  a symbolic tensor is usable only while its trace is current; later uses throw
///            FailedPrecondition.
class Tensor {
 public:
  Tensor() = default;
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) = default;
  // Not to results: x[0] = 3 would change a copy, since tensors never change.
  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & = default;
  ~Tensor() = default;
  template <typename T>
    requires std::is_arithmetic_v<T>
  Tensor(T value) : Tensor(scalar(exact(value), !std::is_same_v<T, bool>)) {}
  /// Makes a tensor of one axis with a copy of the values.
  template <typename T>
    requires std::is_arithmetic_v<T>
  Tensor(const std::vector<T>& values) : Tensor(from_values(values)) {}
  /// Shares the literal's bytes.
  explicit Tensor(const ir::Literal& literal);

  /// Copies `values`. Errors: InvalidArgument if their number does not fit the shape, or the pointer is null.
  template <typename T>
  static Tensor from(const Dims& shape, std::span<const T> values) {
    check_not_null(values.data(), values.size_bytes());
    return Tensor(ir::Literal::of<T>(shape, values));
  }
  /// Copies strided values: the element at index (i, j, ...) is values[i * strides[0] + j * strides[1] +
  /// ...]. Tensors are row-major, so memory of another layout is copied once, at about the speed of memory;
  /// `view` of consecutive values copies nothing.
  ///
  ///     Tensor::from<float>({rows, columns}, {matrix.data(), size}, {1, rows});            // column-major
  ///     Tensor::from<std::uint8_t>({height, width, 3}, pixels, {bytes_per_row, 3, 1});     // padded rows
  ///
  /// Errors: InvalidArgument unless there is a stride of at least 0 for each axis and every element is among
  ///         the values.
  template <typename T>
  static Tensor from(const Dims& shape, std::span<const T> values, const Dims& strides) {
    return copy_strided({*ir::kDTypeOf<T>, shape}, reinterpret_cast<const std::byte*>(values.data()),
                        values.size(), strides);
  }
  template <typename T>
  static Tensor of(const Dims& shape, std::initializer_list<T> values) {
    return Tensor(ir::Literal::of<T>(shape, values));
  }
  /// Takes ownership of the vector without copying. Errors: InvalidArgument if its size does not fit the
  /// shape.
  template <typename T>
  static Tensor adopt(const Dims& shape, std::vector<T> values) {
    auto owner = std::make_shared<const std::vector<T>>(std::move(values));
    const auto* data = reinterpret_cast<const std::byte*>(owner->data());
    return from_bytes({*ir::kDTypeOf<T>, shape}, data, owner->size() * sizeof(T), owner);
  }
  /// Refers to memory that `owner` keeps alive; without an owner the caller keeps it alive and unchanged.
  template <typename T>
  static Tensor view(const Dims& shape, std::span<const T> values, std::shared_ptr<const void> owner = {}) {
    return from_bytes({*ir::kDTypeOf<T>, shape}, reinterpret_cast<const std::byte*>(values.data()),
                      values.size_bytes(), std::move(owner));
  }
  static Tensor zeros(const Dims& shape, DType dtype = DType::kF32);
  /// Refers to the bytes of elements of any dtype, as `view`. Errors: InvalidArgument if the bytes do not fit
  /// the type, or the pointer to them is null.
  static Tensor from_bytes(TensorType type, const std::byte* data, std::size_t size_bytes,
                           std::shared_ptr<const void> owner);

  /// False for a default-constructed Tensor.
  bool defined() const { return node_ != nullptr; }

  const TensorType& type() const;
  const Dims& shape() const { return type().dims; }
  DType dtype() const { return type().dtype; }
  std::int64_t rank() const { return type().rank(); }
  std::int64_t num_elements() const { return type().num_elements(); }
  /// shape()[0], without padding: a Keras step that calls it gets batches of exact size.
  /// Errors: InvalidArgument for a scalar.
  std::int64_t num_rows() const;

  bool is_symbolic() const;

  /// The elements, row-major. Errors: InvalidArgument for another dtype, FailedPrecondition for a symbolic
  /// tensor; the device's error if they cannot be read from it.
  template <typename T>
  std::span<const T> data() const {
    return {reinterpret_cast<const T*>(bytes_as(*ir::kDTypeOf<T>)), static_cast<std::size_t>(num_elements())};
  }
  const std::byte* bytes() const;
  /// The only element, converted; integers convert to integers exactly if T can represent them. Errors:
  /// InvalidArgument unless there is exactly one element.
  template <typename T>
  T item() const {
    return std::visit([](auto value) { return static_cast<T>(value); }, item_as_number());
  }
  /// Element `i` in row-major order as a double; for tests and printing.
  double at(std::int64_t i) const;

  /// All elements, converted, row-major; f16 and bf16 too.
  template <typename T>
  std::vector<T> to_vector() const {
    std::vector<T> values(static_cast<std::size_t>(num_elements()));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = std::visit([](auto value) { return static_cast<T>(value); },
                             number_at(static_cast<std::int64_t>(i)));
    return values;
  }

  /// Element `i` of the first axis, without that axis: a row of a matrix, a number of a vector. A negative
  /// `i` counts from the end.
  /// Errors: InvalidArgument for a scalar, OutOfRange beyond the ends.
  Tensor operator[](std::int64_t i) const;
  /// A part of the tensor: one slice for each of the first axes; the remaining axes are whole.
  Tensor slice(std::span<const Slice> slices) const;
  Tensor slice(std::initializer_list<Slice> slices) const {
    return slice(std::span<const Slice>(slices.begin(), slices.size()));
  }

  /// Iterates over the rows: `for (const Tensor& row : x)`.
  class RowIterator;
  RowIterator begin() const;
  RowIterator end() const;

  /// The device that holds it, by its full name "/job:localhost/replica:0/task:0/device:CPU:0"; empty for a
  /// symbolic tensor.
  const std::string& device() const;

  /// A copy of the value (shares the bytes if the tensor was made from a literal).
  ir::Literal literal() const;
  /// Rows [begin, end): a view that shares memory for a concrete tensor; a slice operation for a symbolic
  /// one, and while a tape records.
  /// Errors: InvalidArgument for a scalar and for rows that do not exist.
  Tensor rows(std::int64_t begin, std::int64_t end) const;

  /// This tensor with a Keras mask, which marks the steps (or rows) that count. Operations drop the mask;
  /// layers read it and pass it on. Tapes and traces treat the result as the same value. An undefined mask
  /// removes it.
  Tensor with_mask(Tensor mask) const;
  /// Null if there is none. Lifetime: this tensor's copies.
  const Tensor* mask() const;

  /// The values as NumPy prints them (long tensors are shortened); a symbolic tensor prints its type.
  /// operator<< also prints shape, dtype and device.
  std::string str() const;

  // For the tensor library and traces.
  /// A symbolic tensor of the trace with this id.
  static Tensor symbolic(ir::Value value, std::uint64_t trace_id);
  ir::Value value() const;         // empty for a concrete tensor
  std::uint64_t trace_id() const;  // 0 for a concrete tensor
  bool is_weak() const;            // made from a C++ number
  /// The number of a weak tensor without loss, as 64 bits: a double's, or an integer's.
  std::uint64_t weak_bits() const;
  /// The number of a weak tensor as a strong scalar of `dtype`. Errors: InvalidArgument for an integer
  /// outside an integer dtype's range.
  Tensor strong_scalar(DType dtype) const;
  /// Allocates a result on the device with this index. The caller writes the elements at `data` before it
  /// shares the tensor.
  /// Errors: ResourceExhausted, with the bytes.
  static Tensor uninitialized(const TensorType& type, int device_index, std::byte** data);
  /// Makes a tensor of a value in a device's memory.
  static Tensor on_buffer(std::shared_ptr<const detail::DeviceValue> value, int device_index);
  /// Null for elements in host memory. Lifetime: this tensor's copies.
  const detail::DeviceValue* device_value() const;
  /// The same elements in the same memory, labelled with another device (to_device moves them).
  Tensor on_device(int device_index) const;
  int device_index() const;
  /// The identity of the value: a trace captures it once, whatever masks the tensors have.
  const void* id() const;
  /// The owner of the elements, for other tensors that share them.
  std::shared_ptr<const void> memory() const;

 private:
  struct Node;
  /// A C++ number without loss.
  using Number = std::variant<bool, double, std::int64_t, std::uint64_t>;
  template <typename T>
  static constexpr Number exact(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      return value;
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<double>(value);
    } else if constexpr (std::is_unsigned_v<T>) {
      return static_cast<std::uint64_t>(value);
    } else {
      return static_cast<std::int64_t>(value);
    }
  }
  static Tensor scalar(Number value, bool weak);
  static void check_not_null(const void* data, std::size_t size_bytes);
  static Tensor copy_strided(const TensorType& type, const std::byte* data, std::size_t num_values,
                             const Dims& strides);
  template <typename T>
  static Tensor from_values(const std::vector<T>& values) {
    const auto size = static_cast<std::int64_t>(values.size());
    if constexpr (std::is_same_v<T, bool>) {
      auto bytes = std::make_shared<std::vector<std::byte>>(values.size());
      for (std::size_t i = 0; i < values.size(); ++i) (*bytes)[i] = std::byte(values[i]);
      return from_bytes({DType::kI1, {size}}, bytes->data(), bytes->size(), bytes);
    } else {
      return adopt({size}, values);
    }
  }
  const std::byte* bytes_as(DType dtype) const;
  Number item_as_number() const;
  Number number_at(std::int64_t i) const;

  std::shared_ptr<const Node> node_;
};

/// An argument that accepts `{x, y}`, a vector, a span or any other contiguous range of tensors.
/// Lifetime: that of its source, which as an argument lasts for the call.
class TensorList {
 public:
  TensorList(std::initializer_list<Tensor> tensors) : tensors_(tensors.begin(), tensors.size()) {}
  template <typename R>
    requires std::is_convertible_v<const R&, std::span<const Tensor>>
  TensorList(const R& tensors) : tensors_(tensors) {}
  std::span<const Tensor> span() const { return tensors_; }

 private:
  std::span<const Tensor> tensors_;
};

/// Arithmetic with NumPy's broadcasting and the dtype rules of ops::promote (ops.h).
Tensor operator+(const Tensor& x, const Tensor& y);
Tensor operator-(const Tensor& x, const Tensor& y);
Tensor operator*(const Tensor& x, const Tensor& y);
Tensor operator/(const Tensor& x, const Tensor& y);
/// ops::mod, Python's remainder: it has the sign of y.
Tensor operator%(const Tensor& x, const Tensor& y);
Tensor operator-(const Tensor& x);
/// Makes x the sum, a new tensor. Tensors that shared x's value keep it.
inline Tensor& operator+=(Tensor& x, const Tensor& y) { return x = x + y; }
inline Tensor& operator-=(Tensor& x, const Tensor& y) { return x = x - y; }
inline Tensor& operator*=(Tensor& x, const Tensor& y) { return x = x * y; }
inline Tensor& operator/=(Tensor& x, const Tensor& y) { return x = x / y; }

/// Elementwise comparisons, as i1.
Tensor operator==(const Tensor& x, const Tensor& y);
Tensor operator!=(const Tensor& x, const Tensor& y);
Tensor operator<(const Tensor& x, const Tensor& y);
Tensor operator<=(const Tensor& x, const Tensor& y);
Tensor operator>(const Tensor& x, const Tensor& y);
Tensor operator>=(const Tensor& x, const Tensor& y);

/// "Tensor([1. 2.], shape=(2,), dtype=float32, device=CPU:0)"
std::ostream& operator<<(std::ostream& stream, const Tensor& tensor);

class Tensor::RowIterator {
 public:
  RowIterator(const Tensor& tensor, std::int64_t row) : tensor_(&tensor), row_(row) {}
  Tensor operator*() const { return (*tensor_)[row_]; }
  RowIterator& operator++() {
    ++row_;
    return *this;
  }
  bool operator==(const RowIterator& other) const { return row_ == other.row_; }

 private:
  const Tensor* tensor_;
  std::int64_t row_;
};

}  // namespace cornu::inline v0
