#include "cornu/io/cifar.h"

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::io {
namespace {

constexpr std::size_t kRecordBytes = 1 + kCifarImageBytes;
constexpr unsigned kNumCifarClasses = 10;

/// What the file seems to be instead.
std::string_view other_kind(std::span<const std::byte> bytes) {
  if (is_gzip(bytes)) return "; it is a compressed archive: unpack it first (tar -xzf)";
  if (bytes.size() > 2 && bytes[0] == std::byte{0x80} && bytes[1] <= std::byte{5})
    return "; it looks like the Python version: take the binary one";
  if (bytes.size() % (kRecordBytes + 1) == 0)
    return "; it looks like CIFAR-100, whose records have two labels";
  return "";
}

}  // namespace

CifarBatch parse_cifar10(std::span<const std::byte> bytes, std::string_view name) {
  if (bytes.empty() || bytes.size() % kRecordBytes != 0)
    corrupt(name, bytes.size() / kRecordBytes * kRecordBytes,
            fmt::format(
                "not a whole number of CIFAR-10 records of {} bytes{}; the file has {} bytes: get it again",
                kRecordBytes, other_kind(bytes), bytes.size()));
  const std::size_t num_records = bytes.size() / kRecordBytes;
  CifarBatch batch;
  batch.labels.reserve(num_records);
  batch.images.reserve(num_records * kCifarImageBytes);
  for (std::size_t i = 0; i < num_records; ++i) {
    const auto record = bytes.subspan(i * kRecordBytes, kRecordBytes);
    const auto label = std::to_integer<std::uint8_t>(record[0]);
    if (label >= kNumCifarClasses)
      corrupt(name, i * kRecordBytes,
              fmt::format("record {} has label {}, classes are 0 to 9{}; get the file again", i, label,
                          other_kind(bytes)));
    batch.labels.push_back(label);
    const auto* pixels = reinterpret_cast<const std::uint8_t*>(record.data() + 1);
    batch.images.insert(batch.images.end(), pixels, pixels + kCifarImageBytes);
  }
  return batch;
}

CifarBatch read_cifar10(const std::string& path, const ReadLimits& limits) {
  return parse_cifar10(read_file(path, limits), path);
}

}  // namespace cornu::inline v0::io
