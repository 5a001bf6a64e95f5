#include <cstddef>
#include <cstdint>

#include "tests/fuzz/target.h"

// CORNU_FUZZ_TARGET is the target's name.
namespace cornu::inline v0::fuzz {
void CORNU_FUZZ_TARGET(Bytes bytes);
}

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  cornu::fuzz::CORNU_FUZZ_TARGET({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
