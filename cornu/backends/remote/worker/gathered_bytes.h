#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>

#include "cornu/backends/remote/wire/last_field.h"
#include "cornu/backends/remote/worker/memory_quota.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::remote {

/// Collects the bytes of a buffer from pieces in any order until the last one has arrived.
class GatheredBytes {
 public:
  /// `share`: their share of a quota.
  GatheredBytes(std::size_t num_bytes, QuotaShare share)
      : share_(std::move(share)),
        num_bytes_(num_bytes),
        bytes_(std::make_unique_for_overwrite<std::byte[]>(num_bytes)) {}

  /// Adds a piece, which must be inside the buffer. Errors: InvalidArgument for too many gaps between pieces.
  void add(std::size_t offset, const Parts& piece) {
    copy_bytes(piece, bytes_.get() + offset);
    std::size_t begin = offset, end = offset + size_of(piece);
    for (auto at = ranges_.upper_bound(end); at != ranges_.begin();) {
      --at;
      if (at->second < begin) break;
      begin = std::min(begin, at->first);
      end = std::max(end, at->second);
      at = ranges_.erase(at);
    }
    ranges_.emplace(begin, end);
    if (ranges_.size() > kMostRanges)
      invalid_argument("[worker] the pieces of a buffer leave more than {} gaps", kMostRanges - 1);
  }
  bool is_whole() const {
    return ranges_.size() == 1 && ranges_.begin()->first == 0 && ranges_.begin()->second == num_bytes_;
  }
  const std::byte* data() const { return bytes_.get(); }

 private:
  static constexpr std::size_t kMostRanges = 64;  // a client that keeps the order needs two

  QuotaShare share_;
  std::size_t num_bytes_;
  std::unique_ptr<std::byte[]> bytes_;
  std::map<std::size_t, std::size_t> ranges_;  // begin and end of received ranges; they do not touch
};

}  // namespace cornu::inline v0::backends::remote
