#include "cornu/io/tfrecord.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/crc32c.h"

namespace cornu::inline v0::io {
namespace {

static_assert(std::endian::native == std::endian::little, "records are in this machine's byte order");

constexpr std::size_t kHeaderBytes = 12, kFooterBytes = 4;
constexpr std::size_t kChunkBytes = RecordReader::kChunkBytes;

template <typename T>
T number_at(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

RecordReader::RecordReader(std::unique_ptr<ByteStream> stream, const RecordReaderOptions& options)
    : stream_(std::move(stream)),
      max_record_bytes_(options.max_record_bytes),
      make_chunk_(options.make_chunk) {
  if (max_record_bytes_ < 0)
    invalid_argument("[tfrecord] max_record_bytes must not be negative; got {}", max_record_bytes_);
}

void RecordReader::fail_here(std::string_view what) {
  has_ended_ = true;
  corrupt(stream_->name(), offset(), what);
}

// Earlier records may still be in use, so a new chunk is made, and the remaining bytes are moved into it. A
// chunk for a long record grows only as its bytes arrive: the length is untrusted.
std::size_t RecordReader::hold(std::size_t size) {
  while (size_ - place_ < size) {
    const std::size_t left = size_ - place_;
    const std::size_t wanted = std::min(size, std::max(2 * left, kChunkBytes));
    const std::size_t capacity = std::max(wanted, kChunkBytes);
    check_memory(capacity, "[tfrecord] a record");
    std::shared_ptr<std::byte[]> next =
        make_chunk_ ? make_chunk_(capacity) : std::shared_ptr<std::byte[]>(new std::byte[capacity]);
    if (left > 0) std::memcpy(next.get(), chunk_.get() + place_, left);
    chunk_offset_ += place_;
    chunk_ = std::move(next);
    place_ = 0;
    size_ = left;
    has_ended_ = true;  // unless reading returns
    const std::size_t got = stream_->read({chunk_.get() + left, capacity - left});
    has_ended_ = false;
    size_ += got;
    if (got < capacity - left) break;
  }
  return std::min(size, size_ - place_);
}

std::optional<SharedBytes> RecordReader::next() {
  if (has_ended_) return std::nullopt;
  const std::size_t header = hold(kHeaderBytes);
  if (header == 0) {
    has_ended_ = true;
    return std::nullopt;
  }
  if (header < kHeaderBytes) fail_here("the file ends inside a record's length");
  const std::byte* at = chunk_.get() + place_;
  if (masked_crc32c({at, sizeof(std::uint64_t)}) != number_at<std::uint32_t>(at + sizeof(std::uint64_t)))
    fail_here(
        "the checksum of a record's length is wrong: the file is damaged or compressed, or not a record "
        "file");
  const auto length = number_at<std::uint64_t>(at);
  if (length > static_cast<std::uint64_t>(max_record_bytes_)) {
    has_ended_ = true;
    fail(ErrorCode::kResourceExhausted,
         "[tfrecord] {}: a record of {} bytes at byte {}; at most {} are read: raise max_record_bytes if you "
         "trust the file",
         shown(stream_->name()), length, offset(), max_record_bytes_);
  }
  const std::size_t whole = kHeaderBytes + static_cast<std::size_t>(length) + kFooterBytes;
  if (hold(whole) < whole) fail_here("the file ends inside a record");
  at = chunk_.get() + place_ + kHeaderBytes;
  if (masked_crc32c({at, static_cast<std::size_t>(length)}) != number_at<std::uint32_t>(at + length))
    fail_here("the checksum of a record is wrong: the file is damaged");
  place_ += whole;
  return SharedBytes{{reinterpret_cast<const char*>(at), static_cast<std::size_t>(length)}, chunk_};
}

void RecordReader::seek(std::uint64_t offset) {
  stream_->seek(offset);
  chunk_offset_ = offset;
  place_ = size_ = 0;
  has_ended_ = false;
}

struct RecordWriter::Deflater {
  explicit Deflater(Compression compression) {
    constexpr int kWindow = 15, kGzip = 16, kMemoryLevel = 8;
    const int window = kWindow + (compression == Compression::kGzip ? kGzip : 0);
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
        Z_OK)
      fail(ErrorCode::kResourceExhausted, "[tfrecord] zlib could not allocate memory");
  }
  ~Deflater() { deflateEnd(&stream); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  z_stream stream = {};
};

RecordWriter::RecordWriter(const StringArgument& path, Compression compression) : file_(path) {
  if (compression != Compression::kNone) deflater_ = std::make_unique<Deflater>(compression);
}

RecordWriter::~RecordWriter() = default;

void RecordWriter::write(StringViewArgument record) {
  if (is_closed_) fail(ErrorCode::kFailedPrecondition, "[tfrecord] the writer is closed");
  char header[kHeaderBytes], footer[kFooterBytes];
  const std::uint64_t length = record.size();
  std::memcpy(header, &length, sizeof length);
  const std::uint32_t length_crc = masked_crc32c(std::as_bytes(std::span(header, sizeof length)));
  std::memcpy(header + sizeof length, &length_crc, sizeof length_crc);
  const std::uint32_t crc = masked_crc32c(std::as_bytes(std::span(record)));
  std::memcpy(footer, &crc, sizeof crc);
  append({header, kHeaderBytes});
  append(record);
  append({footer, kFooterBytes});
}

void RecordWriter::append(std::string_view bytes) {
  size_bytes_ += bytes.size();
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kChunkBytes);
    const auto* begin = reinterpret_cast<const std::byte*>(part.data());
    buffer_.insert(buffer_.end(), begin, begin + part.size());
    if (buffer_.size() >= kChunkBytes) flush(false);
    bytes.remove_prefix(part.size());
  }
}

void RecordWriter::flush(bool is_last) {
  if (deflater_ == nullptr) {
    file_.write(buffer_);
    buffer_.clear();
    return;
  }
  z_stream& stream = deflater_->stream;
  std::vector<std::byte> packed(kChunkBytes);
  stream.next_in = reinterpret_cast<Bytef*>(buffer_.data());
  stream.avail_in = static_cast<uInt>(buffer_.size());
  int result = Z_OK;
  do {
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    result = deflate(&stream, is_last ? Z_FINISH : Z_NO_FLUSH);
    file_.write(std::span(packed).first(packed.size() - stream.avail_out));
  } while (stream.avail_in > 0 || stream.avail_out == 0 || (is_last && result != Z_STREAM_END));
  buffer_.clear();
}

void RecordWriter::close() {
  if (std::exchange(is_closed_, true)) return;
  flush(true);
  file_.commit();
}

}  // namespace cornu::inline v0::io
