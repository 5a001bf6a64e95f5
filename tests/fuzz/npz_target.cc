#include "tests/fuzz/target.h"

#include "cornu/base/error.h"
#include "cornu/io/npz.h"

namespace cornu::inline v0::fuzz {
namespace {

constexpr io::ReadLimits npz_limits{.max_size_bytes = 1 << 22};

void npz_once(Bytes bytes) {
  const io::NpzFile file(bytes, "input", npz_limits);
  for (const std::string& name : file.names()) {
    // An entry that cannot be read keeps no other from being read.
    try {
      file.read(name);
    } catch (const Error& error) {
      require(error.code() != ErrorCode::kInternal, error.what());
    }
    try {
      file.read_lists(name);
    } catch (const Error& error) {
      require(error.code() != ErrorCode::kInternal, error.what());
    }
  }
}

}  // namespace

void npz(Bytes bytes) { parse(npz_once, bytes); }

}  // namespace cornu::inline v0::fuzz
