#include "cornu/io/events/event_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/crc32c.h"
#include "cornu/io/proto_writer.h"

namespace cornu::inline v0::io {
namespace {

// Field numbers of TensorFlow's messages.
namespace event {
constexpr std::uint32_t kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5;
}
namespace summary {
constexpr std::uint32_t kValue = 1, kTag = 1, kTensor = 8, kMetadata = 9;
}
namespace metadata {
constexpr std::uint32_t kPluginData = 1, kDataClass = 4, kPluginName = 1, kContent = 2;
}
namespace tensor {
constexpr std::uint32_t kDType = 1, kShape = 2, kContent = 4, kStringValue = 8, kDim = 2, kDimSize = 1;
}

enum DataClass : std::uint64_t { kNoClass = 0, kScalarClass = 1, kTensorClass = 2, kBlobsClass = 3 };
enum TensorType : std::uint64_t { kFloatType = 1, kDoubleType = 2, kStringType = 7 };

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string shape_message(std::initializer_list<std::int64_t> dims) {
  std::string shape;
  for (const std::int64_t extent : dims) {
    std::string dim;
    append_varint_field(dim, tensor::kDimSize, static_cast<std::uint64_t>(extent));
    append_bytes_field(shape, tensor::kDim, dim);
  }
  return shape;
}

std::string string_tensor(std::string_view text) {
  std::string message;
  append_varint_field(message, tensor::kDType, kStringType);
  append_bytes_field(message, tensor::kShape, shape_message({}));
  append_bytes_field(message, tensor::kStringValue, text);
  return message;
}

/// Rows of (left, right, count).
std::vector<std::array<double, 3>> bucket_rows(std::span<const float> values, std::int64_t num_buckets) {
  std::vector<double> finite;
  for (const float value : values)
    if (std::isfinite(value)) finite.push_back(value);
  if (finite.empty()) return {};
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  const double min = *low, max = *high;
  if (min == max) return {{min - 0.5, max + 0.5, static_cast<double>(finite.size())}};
  const double width = (max - min) / static_cast<double>(num_buckets);
  std::vector<std::array<double, 3>> rows(static_cast<std::size_t>(num_buckets));
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = {min + static_cast<double>(i) * width, min + static_cast<double>(i + 1) * width, 0};
  rows.back()[1] = max;
  for (const double value : finite) {
    const auto bucket = static_cast<std::size_t>((value - min) / width);
    ++rows[std::min(bucket, rows.size() - 1)][2];
  }
  return rows;
}

}  // namespace

struct EventFile::Summary {
  std::string_view tag;
  std::string_view plugin;
  std::string_view content = {};
  std::uint64_t data_class = kNoClass;
  std::string tensor = {};
};

EventFile::EventFile(const StringArgument& folder) {
  const std::string& path = folder;  // std::filesystem takes std::string alone
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) fail(ErrorCode::kNotFound, "[io] cannot make the folder {}: {}", shown(folder), error.message());
  std::array<char, 256> host = {};
  if (::gethostname(host.data(), host.size() - 1) != 0) host = {'h', 'o', 's', 't'};
  static std::atomic<unsigned> count{0};
  const double now = now_seconds();
  path_ = (std::filesystem::path(path) / fmt::format("events.out.tfevents.{}.{}.{}.{}.v2",
                                                     static_cast<std::int64_t>(now), host.data(), ::getpid(),
                                                     count++))
              .string();
  constexpr mode_t kAsTheUserWants = 0666;
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, kAsTheUserWants);
  if (descriptor_ < 0)
    fail(ErrorCode::kNotFound, "[io] cannot write {}: {}", shown(path_), std::strerror(errno));
  std::string first;
  append_double_field(first, event::kWallTime, now);
  append_bytes_field(first, event::kFileVersion, "brain.Event:2");
  write_record(first);
}

EventFile::~EventFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void EventFile::scalar(StringViewArgument tag, std::int64_t step, float value) {
  std::string message, content;
  append_little_endian(content, std::bit_cast<std::uint32_t>(value));
  append_varint_field(message, tensor::kDType, kFloatType);
  append_bytes_field(message, tensor::kShape, shape_message({}));
  append_bytes_field(message, tensor::kContent, content);
  write_summary({.tag = tag, .plugin = "scalars", .data_class = kScalarClass, .tensor = std::move(message)},
                step);
}

void EventFile::histogram(StringViewArgument tag, std::int64_t step, std::span<const float> values,
                          std::int64_t num_buckets) {
  if (num_buckets < 1) invalid_argument("[io] a histogram needs buckets; got num_buckets = {}", num_buckets);
  const std::vector<std::array<double, 3>> rows = bucket_rows(values, num_buckets);
  std::string message, content;
  for (const std::array<double, 3>& row : rows)
    for (const double value : row) append_little_endian(content, std::bit_cast<std::uint64_t>(value));
  append_varint_field(message, tensor::kDType, kDoubleType);
  append_bytes_field(message, tensor::kShape, shape_message({static_cast<std::int64_t>(rows.size()), 3}));
  append_bytes_field(message, tensor::kContent, content);
  write_summary(
      {.tag = tag, .plugin = "histograms", .data_class = kTensorClass, .tensor = std::move(message)}, step);
}

void EventFile::text(StringViewArgument tag, std::int64_t step, StringViewArgument value) {
  write_summary({.tag = tag, .plugin = "text", .data_class = kTensorClass, .tensor = string_tensor(value)},
                step);
}

void EventFile::images(StringViewArgument tag, std::int64_t step, std::span<const Image> pictures) {
  if (pictures.empty())
    invalid_argument("[io] an event of images needs at least one image; tag \"{}\" has none", shown(tag));
  const Image& first = pictures[0];
  std::string message;
  append_varint_field(message, tensor::kDType, kStringType);
  append_bytes_field(message, tensor::kShape,
                     shape_message({static_cast<std::int64_t>(pictures.size()) + 2}));
  append_bytes_field(message, tensor::kStringValue, std::to_string(first.width));
  append_bytes_field(message, tensor::kStringValue, std::to_string(first.height));
  for (const Image& picture : pictures) {
    if (picture.width != first.width || picture.height != first.height)
      invalid_argument("[io] images of one event must have one size; tag \"{}\" has {} x {} and {} x {}",
                       shown(tag), first.height, first.width, picture.height, picture.width);
    append_bytes_field(message, tensor::kStringValue, encode_png(picture));
  }
  write_summary({.tag = tag, .plugin = "images", .data_class = kBlobsClass, .tensor = std::move(message)},
                step);
}

void EventFile::keras_model(StringViewArgument tag, std::int64_t step, StringViewArgument json) {
  write_summary({.tag = tag, .plugin = "graph_keras_model", .content = "1", .tensor = string_tensor(json)},
                step);
}

void EventFile::write_summary(const Summary& written, std::int64_t step) {
  std::string plugin, about, value, all, message;
  append_bytes_field(plugin, metadata::kPluginName, written.plugin);
  if (!written.content.empty()) append_bytes_field(plugin, metadata::kContent, written.content);
  append_bytes_field(about, metadata::kPluginData, plugin);
  if (written.data_class != kNoClass) append_varint_field(about, metadata::kDataClass, written.data_class);
  append_bytes_field(value, summary::kTag, written.tag);
  append_bytes_field(value, summary::kTensor, written.tensor);
  append_bytes_field(value, summary::kMetadata, about);
  append_bytes_field(all, summary::kValue, value);
  append_double_field(message, event::kWallTime, now_seconds());
  if (step != 0) append_varint_field(message, event::kStep, static_cast<std::uint64_t>(step));
  append_bytes_field(message, event::kSummary, all);
  write_record(message);
}

void EventFile::write_record(std::string_view record) {
  std::string bytes;
  append_little_endian(bytes, static_cast<std::uint64_t>(record.size()));
  append_little_endian(bytes, masked_crc32c(std::as_bytes(std::span(bytes))));
  bytes += record;
  append_little_endian(bytes, masked_crc32c(std::as_bytes(std::span(record))));
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t count = ::write(descriptor_, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      fail(errno == ENOSPC || errno == EDQUOT ? ErrorCode::kResourceExhausted : ErrorCode::kDataLoss,
           "[io] cannot write {}: {}", shown(path_), std::strerror(errno));
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace cornu::inline v0::io
