#include "cornu/base/error.h"
#include "cornu/io/zip.h"
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {
namespace {

constexpr io::ReadLimits zip_limits{.max_size_bytes = 1 << 22};

void zip_once(Bytes bytes) {
  const io::ZipFile zip(io::view_bytes(bytes, "input"), "a zip", zip_limits);
  for (const std::string& member : zip.members()) {
    // A member that cannot be read keeps no other from being read.
    try {
      zip.read(member);
      zip.open(member);
    } catch (const Error& error) {
      require(error.code() != ErrorCode::kInternal, error.what());
    }
  }
}

}  // namespace

void zip(Bytes bytes) { parse(zip_once, bytes); }

}  // namespace cornu::inline v0::fuzz
