#include "cornu/io/cifar.h"

#include <array>

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::io {
namespace {

/// The records of a file: a label of each kind, then the pixels.
struct RecordKind {
  const char* name;
  std::vector<unsigned> num_classes;
  std::size_t size_bytes() const { return num_classes.size() + kCifarImageBytes; }
};

const RecordKind& cifar10_kind() {
  static const auto& kind = *new RecordKind{"CIFAR-10", {10}};
  return kind;
}
const RecordKind& cifar100_kind() {
  static const auto& kind = *new RecordKind{"CIFAR-100", {20, 100}};
  return kind;
}

/// A guess at the file's real format.
std::string other_kind(const RecordKind& kind, std::span<const std::byte> bytes) {
  if (is_gzip(bytes)) return "; it is a compressed archive: unpack it first (tar -xzf)";
  if (bytes.size() > 2 && bytes[0] == std::byte{0x80} && bytes[1] <= std::byte{5})
    return "; it looks like the Python version: take the binary one";
  const RecordKind& other = &kind == &cifar10_kind() ? cifar100_kind() : cifar10_kind();
  if (bytes.size() % other.size_bytes() == 0)
    return fmt::format("; it looks like {}, whose records have {} labels", other.name,
                       other.num_classes.size());
  return "";
}

/// Calls `each` with the labels and the pixels of each record.
template <typename F>
void for_each_record(const RecordKind& kind, std::span<const std::byte> bytes, std::string_view name,
                     F&& each) {
  const std::size_t size = kind.size_bytes();
  if (bytes.empty() || bytes.size() % size != 0)
    corrupt(name, bytes.size() / size * size,
            fmt::format("not a whole number of {} records of {} bytes{}; the file has {} bytes: get it again",
                        kind.name, size, other_kind(kind, bytes), bytes.size()));
  for (std::size_t i = 0; i < bytes.size() / size; ++i) {
    const auto record = bytes.subspan(i * size, size);
    std::array<std::uint8_t, 2> labels = {};
    for (std::size_t at = 0; at < kind.num_classes.size(); ++at) {
      labels[at] = std::to_integer<std::uint8_t>(record[at]);
      if (labels[at] >= kind.num_classes[at])
        corrupt(name, i * size + at,
                fmt::format("record {} has label {}, classes are 0 to {}{}; get the file again", i,
                            labels[at], kind.num_classes[at] - 1, other_kind(kind, bytes)));
    }
    const auto* pixels = reinterpret_cast<const std::uint8_t*>(record.data() + kind.num_classes.size());
    each(labels, std::span(pixels, kCifarImageBytes));
  }
}

}  // namespace

CifarBatch parse_cifar10(std::span<const std::byte> bytes, StringViewArgument name) {
  CifarBatch batch;
  batch.images.reserve(bytes.size());
  for_each_record(cifar10_kind(), bytes, name, [&](const auto& labels, std::span<const std::uint8_t> pixels) {
    batch.labels.push_back(labels[0]);
    batch.images.insert(batch.images.end(), pixels.begin(), pixels.end());
  });
  return batch;
}

CifarBatch read_cifar10(const StringArgument& path, const ReadLimits& limits) {
  return parse_cifar10(read_file(path, limits), path);
}

Cifar100Batch parse_cifar100(std::span<const std::byte> bytes, StringViewArgument name) {
  Cifar100Batch batch;
  batch.images.reserve(bytes.size());
  for_each_record(cifar100_kind(), bytes, name,
                  [&](const auto& labels, std::span<const std::uint8_t> pixels) {
                    batch.coarse_labels.push_back(labels[0]);
                    batch.fine_labels.push_back(labels[1]);
                    batch.images.insert(batch.images.end(), pixels.begin(), pixels.end());
                  });
  return batch;
}

Cifar100Batch read_cifar100(const StringArgument& path, const ReadLimits& limits) {
  return parse_cifar100(read_file(path, limits), path);
}

}  // namespace cornu::inline v0::io
