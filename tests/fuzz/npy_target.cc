#include "tests/fuzz/target.h"

#include <algorithm>
#include <string>
#include <vector>

#include "cornu/io/npy.h"

namespace cornu::inline v0::fuzz {
namespace {

constexpr io::ReadLimits npy_limits{.max_size_bytes = 1 << 22};

void npy_once(Bytes bytes) {
  const io::Array array = io::parse_npy(bytes, "input", npy_limits);
  std::int64_t count = 1;
  for (const std::int64_t extent : array.dims) count *= extent;
  require(count == array.num_elements(), "an array has another size than its extents");
  // What was read can be written, and is read as the same.
  const std::string header = io::npy_header(array);
  std::vector<std::byte> written(array.data.size() + header.size());
  std::copy_n(reinterpret_cast<const std::byte*>(header.data()), header.size(), written.begin());
  std::copy(array.data.begin(), array.data.end(),
            written.begin() + static_cast<std::ptrdiff_t>(header.size()));
  const io::Array again = io::parse_npy(written, "written", {.max_size_bytes = 1 << 23});
  require(again.type == array.type && again.dims == array.dims && again.data == array.data,
          "an array is written as another one");
}

/// Rows that are read one by one lie where the whole array's do.
void stored_once(Bytes bytes) {
  const io::StoredArray stored = io::open_npy(io::view_bytes(bytes, "input"));
  std::vector<std::byte> elements(static_cast<std::size_t>(stored.elements->size()));
  stored.elements->read(0, elements);
  if (stored.type == io::ElementType::kBool || elements.size() > npy_limits.max_size_bytes) return;
  const io::Array array = io::parse_npy(bytes, "input", npy_limits);
  require(
      array.dims == stored.dims &&
          array.data == io::copy_elements(elements, io::element_size_bytes(stored.type), stored.other_order),
      "other elements than those of the array");
}

}  // namespace

void npy(Bytes bytes) {
  parse(npy_once, bytes);
  parse(stored_once, bytes);
}

}  // namespace cornu::inline v0::fuzz
