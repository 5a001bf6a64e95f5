#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "cornu/runtime/client.h"
#include "cornu/tensor/value/placement.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::detail {

/// A tensor's elements in the memory of a device that the host cannot address. The host gets them when it
/// asks, once.
/// Threads: safe.
class DeviceValue {
 public:
  DeviceValue(std::shared_ptr<runtime::Client> client, std::shared_ptr<runtime::Buffer> buffer)
      : client_(std::move(client)), buffer_(std::move(buffer)) {}

  const std::shared_ptr<runtime::Client>& client() const { return client_; }
  /// The buffer, which is only read: nobody writes it while somebody else holds it.
  const std::shared_ptr<runtime::Buffer>& buffer() const { return buffer_; }

  /// The elements in host memory, downloaded at the first call. Lifetime: this value's. Errors: what reading
  /// the device throws, naming it; the next call tries again.
  const std::byte* bytes() const;

 private:
  std::shared_ptr<runtime::Client> client_;  // outlives the buffer
  std::shared_ptr<runtime::Buffer> buffer_;
  mutable std::atomic<const std::byte*> bytes_{nullptr};
  mutable std::mutex mutex_;  // of what follows
  mutable std::unique_ptr<std::byte[]> host_;
};

/// Tensors as buffers of a device that the host cannot address: those that are there already as they are, all
/// others uploaded in one round trip. Errors: as Tensor::bytes, and what the client throws.
class DeviceInputs {
 public:
  DeviceInputs(const Placement& placement, std::span<const Tensor* const> tensors);
  std::span<runtime::Buffer* const> buffers() const { return buffers_; }

 private:
  std::vector<std::shared_ptr<runtime::Buffer>> held_;
  std::vector<runtime::Buffer*> buffers_;
};

/// The tensor in the memory of the placement's first device, uploaded if need be; labelled with a device of
/// the table.
Tensor on_placement(const Tensor& tensor, const Placement& placement, int device_index);

}  // namespace cornu::inline v0::detail
