#include "cornu/io/array.h"

#include <algorithm>

namespace cornu::inline v0::io {
namespace {

struct ElementFacts {
  std::int64_t size_bytes;
  std::string_view name;
};

// In the order of ElementType.
constexpr ElementFacts kElementFacts[] = {{1, "bool"},    {1, "int8"},    {1, "uint8"},   {2, "int16"},
                                          {2, "uint16"},  {4, "int32"},   {4, "uint32"},  {8, "int64"},
                                          {8, "uint64"},  {2, "float16"}, {4, "float32"}, {8, "float64"},
                                          {2, "bfloat16"}};

}  // namespace

std::int64_t element_size_bytes(ElementType type) { return kElementFacts[static_cast<int>(type)].size_bytes; }
std::string_view element_type_name(ElementType type) { return kElementFacts[static_cast<int>(type)].name; }

std::vector<std::byte> copy_elements(std::span<const std::byte> elements, std::int64_t size,
                                     bool other_order) {
  std::vector<std::byte> copy(elements.begin(), elements.end());
  if (other_order && size > 1)
    for (auto element = copy.begin(); element != copy.end(); element += size)
      std::reverse(element, element + size);
  return copy;
}

}  // namespace cornu::inline v0::io
