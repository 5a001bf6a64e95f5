#include "tests/fuzz/target.h"

#include "cornu/io/idx.h"

namespace cornu::inline v0::fuzz {
namespace {

constexpr io::ReadLimits idx_limits{.max_size_bytes = 1 << 22};

void idx_once(Bytes bytes) {
  const io::Array array = io::parse_idx(bytes, "input", idx_limits);
  std::int64_t count = 1;
  for (const std::int64_t extent : array.dims) count *= extent;
  require(count == array.num_elements(), "an array has another size than its extents");
}

}  // namespace

void idx(Bytes bytes) { parse(idx_once, bytes); }

}  // namespace cornu::inline v0::fuzz
