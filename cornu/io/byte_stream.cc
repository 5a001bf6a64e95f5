#include "cornu/io/byte_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/path_hint.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/file_systems.h"

namespace cornu::inline v0::io {
namespace {

[[noreturn]] void refuse(const std::string& path, int error) {
  fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kDataLoss, "[io] cannot read {}: {}{}",
       shown(path), std::strerror(error), read_hint(path, error));
}

class FileStream : public ByteStream {
 public:
  explicit FileStream(const std::string& path) : name_(path) {
    if (path.find('\0') != std::string::npos)
      invalid_argument("[io] a path must not contain a NUL byte; got \"{}\"", shown(path));
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status = {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) refuse(path, errno);
    if (!S_ISREG(status.st_mode)) {
      ::close(descriptor_);
      fail(ErrorCode::kNotFound, "[io] cannot read {}: it is not a regular file", shown(path));
    }
    size_ = static_cast<std::uint64_t>(status.st_size);
  }
  ~FileStream() override { ::close(descriptor_); }
  std::size_t read(std::span<std::byte> to) override {
    std::size_t done = 0;
    while (done < to.size()) {
      const ssize_t count =
          ::pread(descriptor_, to.data() + done, to.size() - done, static_cast<off_t>(offset_ + done));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) corrupt(name_, offset_ + done, fmt::format("reading failed: {}", std::strerror(errno)));
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    offset_ += done;
    return done;
  }
  void seek(std::uint64_t offset) override { offset_ = offset; }
  const std::string& name() const override { return name_; }
  std::uint64_t size() const { return size_; }

 private:
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t offset_ = 0;
};

class MemoryStream : public ByteStream {
 public:
  MemoryStream(std::span<const std::byte> bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}
  std::size_t read(std::span<std::byte> to) override {
    const std::size_t count = std::min<std::uint64_t>(to.size(), bytes_.size() - offset_);
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset_), count, to.begin());
    offset_ += count;
    return count;
  }
  void seek(std::uint64_t offset) override {
    offset_ = static_cast<std::size_t>(std::min<std::uint64_t>(offset, bytes_.size()));
  }
  const std::string& name() const override { return name_; }

 private:
  std::span<const std::byte> bytes_;
  std::string name_;
  std::size_t offset_ = 0;
};

class InflatedStream : public ByteStream {
 public:
  InflatedStream(std::unique_ptr<ByteStream> packed, Compression compression)
      : packed_(std::move(packed)), compression_(compression), input_(kInputBytes) {
    begin();
  }
  ~InflatedStream() override { inflateEnd(&stream_); }
  std::size_t read(std::span<std::byte> to) override {
    std::size_t done = 0;
    while (done < to.size() && !has_ended_) done += inflate_some(to.subspan(done));
    offset_ += done;
    return done;
  }
  void seek(std::uint64_t offset) override {
    if (offset < offset_) {
      inflateEnd(&stream_);
      packed_->seek(0);
      begin();
    }
    std::vector<std::byte> passed(kInputBytes);
    while (offset_ < offset) {
      const auto wanted = std::min<std::uint64_t>(offset - offset_, passed.size());
      if (read(std::span(passed).first(static_cast<std::size_t>(wanted))) < wanted) return;
    }
  }
  const std::string& name() const override { return packed_->name(); }

 private:
  static constexpr std::size_t kInputBytes = std::size_t{1} << 16;

  void begin() {
    stream_ = {};
    constexpr int kWindow = 15, kGzip = 16;
    if (inflateInit2(&stream_, kWindow + (compression_ == Compression::kGzip ? kGzip : 0)) != Z_OK)
      fail(ErrorCode::kResourceExhausted, "[io] zlib could not allocate memory");
    offset_ = packed_offset_ = 0;
    has_ended_ = is_member_over_ = false;
  }
  /// Reads more compressed bytes; false at their end.
  bool refill() {
    if (stream_.avail_in > 0) return true;
    const std::size_t count = packed_->read(input_);
    packed_offset_ += count;
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(count);
    return count > 0;
  }
  std::size_t inflate_some(std::span<std::byte> to) {
    const bool has_more = refill();
    if (is_member_over_) {  // a gzip file may have another member after a finished one
      has_ended_ = !has_more;
      if (has_ended_) return 0;
      if (compression_ != Compression::kGzip) fail_here("other bytes follow the compressed data");
      inflateReset(&stream_);
      is_member_over_ = false;
    }
    if (!has_more && packed_offset_ == 0) {  // an empty file is empty data
      has_ended_ = true;
      return 0;
    }
    stream_.next_out = reinterpret_cast<Bytef*>(to.data());
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(to.size(), std::size_t{1} << 30));
    const uInt room = stream_.avail_out;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_STREAM_END)
      is_member_over_ = true;
    else if (result == Z_BUF_ERROR && !has_more)
      fail_here("the compressed data are cut off");
    else if (result != Z_OK && result != Z_BUF_ERROR)
      fail_here("the compressed data are damaged, or compressed by another method");
    return room - stream_.avail_out;
  }
  [[noreturn]] void fail_here(const char* what) { corrupt(name(), packed_offset_ - stream_.avail_in, what); }

  std::unique_ptr<ByteStream> packed_;
  Compression compression_;
  std::vector<std::byte> input_;
  z_stream stream_ = {};
  std::uint64_t offset_ = 0, packed_offset_ = 0;
  bool has_ended_ = false, is_member_over_ = false;
};

}  // namespace

Compression compression_named(const StringArgument& name) {
  if (name.empty()) return Compression::kNone;
  if (name == "GZIP") return Compression::kGzip;
  if (name == "ZLIB") return Compression::kZlib;
  invalid_argument("[io] compression_type must be \"\", \"GZIP\" or \"ZLIB\"; got \"{}\"", shown(name));
}

std::uint64_t file_size(const StringArgument& path) {
  const RandomAccessPointer remote = open_with_scheme(path);
  return remote != nullptr ? remote->size() : FileStream(path).size();
}

std::unique_ptr<ByteStream> open_file(const StringArgument& path) {
  if (RandomAccessPointer remote = open_with_scheme(path)) return stream_of(std::move(remote));
  return std::make_unique<FileStream>(path);
}

std::unique_ptr<ByteStream> open_file(const StringArgument& path, Compression compression) {
  std::unique_ptr<ByteStream> file = open_file(path);
  return compression == Compression::kNone ? std::move(file) : inflated(std::move(file), compression);
}

std::unique_ptr<ByteStream> memory_stream(std::span<const std::byte> bytes, StringArgument name) {
  return std::make_unique<MemoryStream>(bytes, std::move(name));
}

std::unique_ptr<ByteStream> inflated(std::unique_ptr<ByteStream> packed, Compression compression) {
  return std::make_unique<InflatedStream>(std::move(packed), compression);
}

}  // namespace cornu::inline v0::io
