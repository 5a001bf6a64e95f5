#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::data {

/// Keeps the memory of released batches for the next ones: it is still cached by the processor, and the
/// system need not clear pages.
/// Threads: safe. Lifetime: its buffers may outlive it.
class BufferPool {
 public:
  /// Allocates a tensor of this type. The caller writes the elements at `data` before it shares the tensor.
  /// Errors: ResourceExhausted, with the bytes.
  Tensor take(const TensorType& type, std::byte** data);

 private:
  // A few large batches, or many rows to be copied into one.
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
