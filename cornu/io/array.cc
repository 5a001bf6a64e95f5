#include "cornu/io/array.h"

#include <algorithm>

#include "cornu/base/checked_size.h"
#include "cornu/io/array_size_support.h"

namespace cornu::inline v0::io {
namespace {

struct ElementFacts {
  std::int64_t size_bytes;
  std::string_view name;
};

// In the order of ElementType.
constexpr ElementFacts kElementFacts[] = {
    {1, "bool"},    {1, "int8"},    {1, "uint8"},    {2, "int16"},     {2, "uint16"},
    {4, "int32"},   {4, "uint32"},  {8, "int64"},    {8, "uint64"},    {2, "float16"},
    {4, "float32"}, {8, "float64"}, {2, "bfloat16"}, {8, "complex64"}, {16, "complex128"}};

}  // namespace

std::int64_t element_size_bytes(ElementType type) { return kElementFacts[static_cast<int>(type)].size_bytes; }
std::int64_t word_size_bytes(ElementType type) {
  const bool is_complex = type == ElementType::kC64 || type == ElementType::kC128;
  return element_size_bytes(type) / (is_complex ? 2 : 1);
}
std::string_view element_type_name(ElementType type) { return kElementFacts[static_cast<int>(type)].name; }

std::optional<std::uint64_t> array_size_bytes(std::span<const std::int64_t> dims, ElementType type) {
  CheckedSize size = element_size_bytes(type);
  bool is_empty = false;
  for (const std::int64_t extent : dims) {
    if (extent < 0) return std::nullopt;
    is_empty = is_empty || extent == 0;
    size = size * std::max<std::int64_t>(extent, 1);
  }
  if (size.is_beyond()) return std::nullopt;
  return is_empty ? 0 : static_cast<std::uint64_t>(size.value("an array"));
}

std::vector<std::byte> copy_elements(std::span<const std::byte> elements, std::int64_t size,
                                     bool other_order) {
  std::vector<std::byte> copy(elements.begin(), elements.end());
  if (other_order && size > 1)
    for (auto element = copy.begin(); element != copy.end(); element += size)
      std::reverse(element, element + size);
  return copy;
}

}  // namespace cornu::inline v0::io
