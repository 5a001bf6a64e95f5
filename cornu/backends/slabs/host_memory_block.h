#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "cornu/base/checked_size.h"

namespace cornu::inline v0::backends::slabs {

/// Host memory on a cache line boundary that is kept and grows as needed.
class HostMemoryBlock {
 public:
  /// At least so many bytes, `what` they are for; zero where they are new. What the block held is lost when
  /// it grows.
  /// Errors: ResourceExhausted with the bytes.
  std::byte* reserve(CheckedSize size_bytes, std::string_view what);
  std::byte* data() const { return bytes_.get(); }

 private:
  struct Free {
    void operator()(std::byte* bytes) const;
  };
  std::unique_ptr<std::byte[], Free> bytes_;
  std::size_t capacity_ = 0;
};

}  // namespace cornu::inline v0::backends::slabs
