#include "cornu/data/buffer_pool.h"

#include <cstdlib>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"

namespace cornu::inline v0::data {

BufferPool::Buffer::~Buffer() { std::free(data); }

std::unique_ptr<BufferPool::Buffer> BufferPool::Free::pop() {
  std::unique_ptr<Buffer> buffer = std::move(buffers.back());
  buffers.pop_back();
  size_bytes -= buffer->size_bytes;
  return buffer;
}

void BufferPool::Free::push(std::unique_ptr<Buffer> buffer) {
  if (buffers.size() >= kKept && size_bytes + buffer->size_bytes > kMostSmallBytes) return;
  size_bytes += buffer->size_bytes;
  buffers.push_back(std::move(buffer));
}

Tensor BufferPool::take(const TensorType& type, std::byte** data) {
  ir::check_type(type);
  const std::size_t size_bytes = type.size_bytes();
  if (size_bytes < kSmallBytes) return Tensor::uninitialized(type, 0, data);
  std::unique_ptr<Buffer> buffer;
  {
    const std::lock_guard lock(free_->mutex);
    // A buffer that is too small belongs to batches of an earlier size.
    while (!free_->buffers.empty() && (buffer == nullptr || buffer->size_bytes < size_bytes))
      buffer = free_->pop();
    if (buffer != nullptr && buffer->size_bytes < size_bytes) buffer = nullptr;
  }
  if (buffer == nullptr) {
    constexpr std::size_t kLine = 64;
    const auto what = [&] { return type.str(); };
    check_memory(size_bytes, what);
    buffer = std::make_unique<Buffer>();
    buffer->size_bytes = (size_bytes + kLine - 1) / kLine * kLine;
    buffer->data = static_cast<std::byte*>(std::aligned_alloc(kLine, buffer->size_bytes));
    if (buffer->data == nullptr) fail_no_memory(size_bytes, what);
  }
  *data = buffer->data;
  const std::shared_ptr<const void> owner(buffer.release(), [pool = std::weak_ptr(free_)](Buffer* given) {
    std::unique_ptr<Buffer> back(given);
    const std::shared_ptr<Free> free = pool.lock();
    if (free == nullptr) return;
    const std::lock_guard lock(free->mutex);
    free->push(std::move(back));
  });
  return Tensor::from_bytes(type, *data, size_bytes, owner);
}

}  // namespace cornu::inline v0::data
