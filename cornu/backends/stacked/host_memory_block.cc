#include "cornu/backends/stacked/host_memory_block.h"

#include <cstring>
#include <new>
#include <string>

namespace cornu::inline v0::backends::stacked {
namespace {

constexpr std::align_val_t kCacheLine{64};

}  // namespace

void HostMemoryBlock::Free::operator()(std::byte* bytes) const { ::operator delete[](bytes, kCacheLine); }

std::byte* HostMemoryBlock::reserve(CheckedSize size_bytes, std::string_view what) {
  if (bytes_ != nullptr && !size_bytes.exceeds(static_cast<std::int64_t>(capacity_))) return bytes_.get();
  bytes_.reset();
  capacity_ = 0;
  bytes_.reset(with_host_memory(
      size_bytes, [&] { return std::string(what); },
      [&] {
        const auto size = static_cast<std::size_t>(size_bytes.value(what));
        auto* const memory = static_cast<std::byte*>(::operator new[](size, kCacheLine));
        capacity_ = size;
        std::memset(memory, 0, size);
        return memory;
      }));
  return bytes_.get();
}

}  // namespace cornu::inline v0::backends::stacked
