#include "cornu/backends/cpu/linear_algebra/work_memory.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::size_t kFewestBytes = std::size_t{32} << 10;  // less comes quickly from malloc
constexpr std::size_t kMostBytes = std::size_t{8} << 20;
constexpr std::size_t kMostBlocks = 16;

struct Block {
  void* memory = nullptr;
  std::size_t size_bytes = 0;
};

/// Blocks that are free, the oldest first.
class KeptBlocks {
 public:
  KeptBlocks() = default;
  ~KeptBlocks() {
    while (count_ > 0) std::free(remove(0).memory);
  }
  KeptBlocks(const KeptBlocks&) = delete;
  KeptBlocks& operator=(const KeptBlocks&) = delete;

  void* take(std::size_t size_bytes) {
    for (std::size_t i = count_; i > 0; --i)
      if (blocks_[i - 1].size_bytes == size_bytes) return remove(i - 1).memory;
    return nullptr;
  }

  void keep(const Block& block) {
    while (count_ == kMostBlocks || size_bytes_ + block.size_bytes > kMostBytes) std::free(remove(0).memory);
    blocks_[count_++] = block;
    size_bytes_ += block.size_bytes;
  }

 private:
  Block remove(std::size_t i) {
    const Block block = blocks_[i];
    std::copy(blocks_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
              blocks_.begin() + static_cast<std::ptrdiff_t>(count_),
              blocks_.begin() + static_cast<std::ptrdiff_t>(i));
    --count_;
    size_bytes_ -= block.size_bytes;
    return block;
  }

  std::array<Block, kMostBlocks> blocks_;
  std::size_t count_ = 0, size_bytes_ = 0;
};

thread_local KeptBlocks kept_blocks;

bool is_kept(std::size_t size_bytes) { return size_bytes >= kFewestBytes && size_bytes <= kMostBytes; }

}  // namespace

void* take_work_memory(std::size_t size_bytes) {
  constexpr std::size_t kLine = 64;
  if (is_kept(size_bytes))
    if (void* const memory = kept_blocks.take(size_bytes)) return memory;
  void* const memory = std::aligned_alloc(kLine, (size_bytes + kLine - 1) / kLine * kLine);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void give_back_work_memory(void* memory, std::size_t size_bytes) noexcept {
  if (is_kept(size_bytes)) return kept_blocks.keep({memory, size_bytes});
  std::free(memory);
}

}  // namespace cornu::inline v0::backends::cpu
