#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::data {

/// Memory of batches that nobody holds any more, for the next ones: it is still in the caches, and the system
/// need not clear pages for it.
/// Threads: safe. Lifetime: its buffers may outlive it.
class BufferPool {
 public:
  /// A tensor of this type; `data` is where its maker writes the elements before anybody else sees it.
  /// Errors: ResourceExhausted, naming the bytes.
  Tensor take(const TensorType& type, std::byte** data);

 private:
  // Large batches, or many rows that are put into one.
  static constexpr std::size_t kKept = 4, kMostSmallBytes = std::size_t{32} << 20;
  static constexpr std::size_t kSmallBytes = 4096;

  struct Buffer {
    std::byte* data = nullptr;
    std::size_t size_bytes = 0;
    Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();
  };
  struct Free {
    std::mutex mutex;
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::size_t size_bytes = 0;  // of all

    std::unique_ptr<Buffer> pop();
    void push(std::unique_ptr<Buffer> buffer);
  };

  std::shared_ptr<Free> free_ = std::make_shared<Free>();
};

}  // namespace cornu::inline v0::data
