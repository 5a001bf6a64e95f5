#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "cornu/base/checked_size.h"

namespace cornu::inline v0::backends::stacked {

/// Host memory, aligned to a cache line, that is kept and grows as needed.
class HostMemoryBlock {
 public:
  /// Returns at least `size_bytes` bytes, zero where newly allocated; `what` describes them in errors. Growth
  /// discards the contents.
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

}  // namespace cornu::inline v0::backends::stacked
