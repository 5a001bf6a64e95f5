#include "tests/fuzz/target.h"

#include "cornu/io/file.h"

namespace cornu::inline v0::fuzz {
namespace {

constexpr io::ReadLimits gzip_limits{.max_size_bytes = 1 << 22};

void gzip_once(Bytes bytes) {
  require(
      io::gunzip(bytes, "input", gzip_limits).size() <= static_cast<std::size_t>(gzip_limits.max_size_bytes),
      "beyond the limit");
}

}  // namespace

void gzip(Bytes bytes) { parse(gzip_once, bytes); }

}  // namespace cornu::inline v0::fuzz
