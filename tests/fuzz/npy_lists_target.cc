#include "tests/fuzz/target.h"

#include "cornu/io/npy.h"

namespace cornu::inline v0::fuzz {
namespace {

constexpr io::ReadLimits lists_limits{.max_size_bytes = 1 << 22};

void npy_lists_once(Bytes bytes) {
  const io::IntegerLists lists = io::parse_npy_lists(bytes, "input", lists_limits);
  require(lists.offsets.back() == static_cast<std::int64_t>(lists.values.size()), "the lists end elsewhere");
  require(lists.values.size() <= bytes.size(), "lists larger than the file");
}

}  // namespace

void npy_lists(Bytes bytes) { parse(npy_lists_once, bytes); }

}  // namespace cornu::inline v0::fuzz
