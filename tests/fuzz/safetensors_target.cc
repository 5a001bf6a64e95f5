#include <vector>

#include "cornu/base/error.h"
#include "cornu/io/safetensors.h"
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {
namespace {

void safetensors_once(Bytes bytes) {
  const io::SafetensorsFile file(io::view_bytes(bytes, "input"));
  for (const auto& [name, entry] : file.entries()) {
    std::vector<std::byte> elements(entry.size_bytes);
    file.read(entry, elements);
  }
}

}  // namespace

void safetensors(Bytes bytes) { parse(safetensors_once, bytes); }

}  // namespace cornu::inline v0::fuzz
