#include "cornu/base/memory_allowance.h"

#include "cornu/base/check.h"

namespace cornu::inline v0 {
namespace {

thread_local MemoryAllowance* memory_allowance = nullptr;

}  // namespace

MemoryAllowance::MemoryAllowance(std::int64_t num_bytes)
    : num_bytes_(num_bytes), left_bytes_(num_bytes), before_(memory_allowance) {
  memory_allowance = this;
}
MemoryAllowance::~MemoryAllowance() { memory_allowance = before_; }

bool MemoryAllowance::take(CheckedSize num_bytes) {
  if (memory_allowance == nullptr) return true;
  if (num_bytes.exceeds(memory_allowance->left_bytes_)) return false;
  memory_allowance->left_bytes_ -= num_bytes.value("a claim");
  return true;
}

void MemoryAllowance::fail_beyond(CheckedSize num_bytes, std::string_view what) {
  fail(ErrorCode::kResourceExhausted,
       "{} would take {} bytes: a file's description may claim {} bytes besides its weights", what,
       num_bytes.value(what), memory_allowance->num_bytes_);
}

}  // namespace cornu::inline v0
