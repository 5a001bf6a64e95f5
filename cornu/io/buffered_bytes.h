#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cornu/io/byte_stream.h"

namespace cornu::inline v0::io {

/// Reads a stream byte by byte. It ends at an error. Threads: one at a time.
class BufferedBytes {
 public:
  static constexpr int kEnd = -1;

  explicit BufferedBytes(std::unique_ptr<ByteStream> stream)
      : stream_(std::move(stream)), buffer_(kBufferBytes) {}

  /// Takes the next byte; kEnd at the end.
  int take() {
    if (place_ == size_ && !refill()) return kEnd;
    return std::to_integer<int>(buffer_[place_++]);
  }
  /// The next byte, which is not taken.
  int peek() {
    if (place_ == size_ && !refill()) return kEnd;
    return std::to_integer<int>(buffer_[place_]);
  }
  std::uint64_t offset() const { return offset_ + place_; }
  void seek(std::uint64_t offset) {
    stream_->seek(offset);
    offset_ = offset;
    place_ = size_ = 0;
    has_failed_ = false;
  }
  const std::string& name() const { return stream_->name(); }

 private:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 16;
  bool refill() {
    if (has_failed_) return false;
    offset_ += size_;
    place_ = size_ = 0;
    has_failed_ = true;  // unless reading returns
    size_ = stream_->read(buffer_);
    has_failed_ = false;
    return size_ > 0;
  }

  std::unique_ptr<ByteStream> stream_;
  std::vector<std::byte> buffer_;
  std::size_t place_ = 0, size_ = 0;
  std::uint64_t offset_ = 0;  // offset of the buffer's first byte
  bool has_failed_ = false;
};

}  // namespace cornu::inline v0::io
