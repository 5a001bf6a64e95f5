#include "cornu/backends/pjrt/buffer.h"

#include <string>
#include <vector>

#include "cornu/base/checked_size.h"

namespace cornu::inline v0::backends::pjrt {

void DeviceBuffer::make_zeros() const {
  const std::vector<std::byte> zeros = with_host_memory(
      type().size_bytes(), [&] { return "the zeros of " + type().str(); },
      [&] { return std::vector<std::byte>(type().size_bytes()); });
  value_ = connection_->send(type(), device(), zeros.data(), Connection::Send::kCopy, nullptr);
}

}  // namespace cornu::inline v0::backends::pjrt
