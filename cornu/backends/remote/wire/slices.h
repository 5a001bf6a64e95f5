#pragma once

#include <grpcpp/grpcpp.h>

#include <vector>

#include "cornu/backends/remote/wire/last_field.h"

namespace cornu::inline v0::backends::remote {

/// The memory in which a message arrived. For sources of the module only, like wire.h.
class MessageSlices {
 public:
  explicit MessageSlices(const grpc::ByteBuffer& message) {
    if (!message.Dump(&slices_).ok()) slices_.clear();
    for (const grpc::Slice& slice : slices_)
      parts_.push_back({reinterpret_cast<const std::byte*>(slice.begin()), slice.size()});
  }
  MessageSlices(const MessageSlices&) = delete;
  MessageSlices& operator=(const MessageSlices&) = delete;

  /// Valid as long as this object.
  const Parts& parts() const { return parts_; }

 private:
  std::vector<grpc::Slice> slices_;
  Parts parts_;
};

}  // namespace cornu::inline v0::backends::remote
