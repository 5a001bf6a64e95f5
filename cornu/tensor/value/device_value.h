#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "cornu/runtime/client.h"
#include "cornu/tensor/value/placement.h"
#include "cornu/tensor/value/submitted_call.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::detail {

/// A tensor's elements in the memory of a device that the host cannot address. They are downloaded at most
/// once, on demand.
/// Threads: safe.
class DeviceValue {
 public:
  /// `call`: the call that makes the value; null: it is there.
  DeviceValue(std::shared_ptr<runtime::Client> client, std::shared_ptr<runtime::Buffer> buffer,
              std::shared_ptr<SubmittedCall> call = nullptr)
      : client_(std::move(client)), buffer_(std::move(buffer)), call_(std::move(call)) {}

  const std::shared_ptr<runtime::Client>& client() const { return client_; }
  const TensorType& type() const { return buffer_->type(); }
  int device() const { return buffer_->device(); }
  /// The buffer, read-only: it is not written while others hold it. Work of the client that is begun from now
  /// on sees the value. Errors: those of the call that makes it, if it is known to have failed.
  const std::shared_ptr<runtime::Buffer>& buffer() const;

  /// The elements in host memory, downloaded at the first call. Lifetime: this value's. Errors: those of
  /// reading the device, with its name; the next call tries again.
  const std::byte* bytes() const;

 private:
  std::shared_ptr<runtime::Client> client_;  // outlives the buffer
  std::shared_ptr<runtime::Buffer> buffer_;
  std::shared_ptr<SubmittedCall> call_;
  mutable std::atomic<const std::byte*> bytes_{nullptr};
  mutable std::mutex mutex_;  // guards the members below
  mutable std::unique_ptr<std::byte[]> host_;
};

/// Tensors as buffers of a device that the host cannot address. Tensors on the device are used as they are,
/// all others are uploaded in one round trip. Errors: those of Tensor::bytes and of the client.
class DeviceInputs {
 public:
  DeviceInputs(const Placement& placement, std::span<const Tensor* const> tensors);
  std::span<runtime::Buffer* const> buffers() const { return buffers_; }
  /// The operands of a call on these tensors as fixed buffers, which it keeps.
  CallOperands operands() const {
    return {.fixed = buffers_, .arguments = held_, .num_bytes = uploaded_bytes_};
  }

 private:
  std::size_t uploaded_bytes_ = 0;
  std::vector<std::shared_ptr<runtime::Buffer>> held_;
  std::vector<runtime::Buffer*> buffers_;
};

/// The tensor in the memory of the placement's first device, uploaded if needed, and labelled with a device
/// of the table.
Tensor on_placement(const Tensor& tensor, const Placement& placement, int device_index);

}  // namespace cornu::inline v0::detail
