#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "cornu/backends/pjrt/connection.h"
#include "cornu/runtime/buffer.h"

namespace cornu::inline v0::backends::pjrt {

/// A tensor in the memory of a plug-in's device. Programs allocate their results, so an execution replaces
/// the handle inside; before the first value there is none.
class DeviceBuffer final : public runtime::Buffer {
 public:
  DeviceBuffer(const ir::TensorType& type, runtime::Client* client, int device,
               std::shared_ptr<Connection> connection)
      : Buffer(type, client, device), connection_(std::move(connection)) {}

  Connection& connection() const { return *connection_; }
  /// The value; zeros before the first write.
  PJRT_Buffer* value() const {
    if (!value_) make_zeros();
    return value_.get();
  }
  void set_value(OwnedBuffer value) { value_ = std::move(value); }

 private:
  void make_zeros() const;

  std::shared_ptr<Connection> connection_;
  mutable OwnedBuffer value_;
};

inline DeviceBuffer& device_buffer(const runtime::Buffer& buffer) {
  return const_cast<DeviceBuffer&>(static_cast<const DeviceBuffer&>(buffer));
}

}  // namespace cornu::inline v0::backends::pjrt
