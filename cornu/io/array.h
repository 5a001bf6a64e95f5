#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

namespace cornu::inline v0::io {

enum class ElementType {
  kBool,
  kI8,
  kU8,
  kI16,
  kU16,
  kI32,
  kU32,
  kI64,
  kU64,
  kF16,
  kF32,
  kF64,
  kBF16,
  kC64,
  kC128
};

std::int64_t element_size_bytes(ElementType type);
/// Bytes that are reversed together in the other byte order: half an element of complex numbers.
std::int64_t word_size_bytes(ElementType type);
/// NumPy's name, e.g. "uint8".
std::string_view element_type_name(ElementType type);

template <typename T>
constexpr ElementType element_type_of() {
  if constexpr (std::is_same_v<T, bool>) return ElementType::kBool;
  if constexpr (std::is_same_v<T, float>) return ElementType::kF32;
  if constexpr (std::is_same_v<T, double>) return ElementType::kF64;
  constexpr bool kSigned = std::is_signed_v<T>;
  if constexpr (sizeof(T) == 1) return kSigned ? ElementType::kI8 : ElementType::kU8;
  if constexpr (sizeof(T) == 2) return kSigned ? ElementType::kI16 : ElementType::kU16;
  if constexpr (sizeof(T) == 4) return kSigned ? ElementType::kI32 : ElementType::kU32;
  return kSigned ? ElementType::kI64 : ElementType::kU64;
}

/// An array read from a file: row-major, in this machine's byte order.
struct Array {
  ElementType type = ElementType::kU8;
  std::vector<std::int64_t> dims;
  std::vector<std::byte> data;

  std::int64_t num_elements() const {
    return static_cast<std::int64_t>(data.size()) / element_size_bytes(type);
  }

  /// Errors: std::logic_error if T is not the element type: check `type` first.
  template <typename T>
  std::span<const T> values() const {
    if (element_type_of<T>() != type) throw std::logic_error("io::Array holds another element type");
    return {reinterpret_cast<const T*>(data.data()), static_cast<std::size_t>(num_elements())};
  }
};

/// A view of an array, for writers: row-major, in this machine's byte order.
/// Lifetime: the elements and the extents must outlive it.
struct ArrayView {
  ElementType type = ElementType::kU8;
  std::span<const std::int64_t> dims;
  std::span<const std::byte> data;

  ArrayView(ElementType element_type, std::span<const std::int64_t> extents,
            std::span<const std::byte> elements)
      : type(element_type), dims(extents), data(elements) {}
  ArrayView(const Array& array)
      : ArrayView(array.type, {array.dims.data(), array.dims.size()},
                  {array.data.data(), array.data.size()}) {}
};

/// Lists of integers of different lengths, concatenated: list i is values[offsets[i]] .. values[offsets[i +
/// 1] - 1].
struct IntegerLists {
  std::vector<std::int64_t> values;
  std::vector<std::int64_t> offsets = {0};

  std::int64_t num_lists() const {
    return offsets.empty() ? 0 : static_cast<std::int64_t>(offsets.size()) - 1;
  }
  std::span<const std::int64_t> operator[](std::int64_t i) const {
    const auto begin = static_cast<std::size_t>(offsets[static_cast<std::size_t>(i)]);
    return {values.data() + begin,
            static_cast<std::size_t>(offsets[static_cast<std::size_t>(i) + 1]) - begin};
  }
};

/// Copies elements of `size` bytes; reverses the bytes of each if `other_order`.
std::vector<std::byte> copy_elements(std::span<const std::byte> elements, std::int64_t size,
                                     bool other_order);

}  // namespace cornu::inline v0::io
