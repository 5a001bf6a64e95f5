#include "cornu/io/wav.h"

#include <algorithm>
#include <bit>
#include <string>

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::io {
namespace {

constexpr std::uint32_t kInteger = 1, kFloat = 3, kExtensible = 0xFFFE;

/// `count` bytes from the lowest on.
std::uint32_t little_endian(std::span<const std::byte> bytes, std::size_t offset, std::size_t count) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= static_cast<std::uint32_t>(bytes[offset + i]) << (8 * i);
  return value;
}

bool has_tag(std::span<const std::byte> bytes, std::size_t offset, std::string_view tag) {
  return bytes.size() >= offset + tag.size() &&
         std::equal(tag.begin(), tag.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                    [](char c, std::byte b) { return static_cast<std::byte>(c) == b; });
}

struct Format {
  std::uint32_t kind = 0, channels = 0, rate = 0, bits = 0;
};

float sample_at(std::span<const std::byte> data, std::size_t offset, const Format& format) {
  const std::uint32_t raw = little_endian(data, offset, format.bits / 8);
  if (format.kind == kFloat) return std::bit_cast<float>(raw);
  if (format.bits == 8) return (static_cast<float>(raw) - 128.0F) / 128.0F;
  // The highest bit of the sample becomes that of the integer.
  const auto wide = static_cast<std::int32_t>(raw << (32 - format.bits));
  return static_cast<float>(wide) / 2147483648.0F;
}

}  // namespace

Wav decode_wav(std::span<const std::byte> bytes, StringViewArgument name, const ReadLimits& limits) {
  const auto damaged = [&](const std::string& what) {
    fail(ErrorCode::kDataLoss, "[io] {}: {}", shown(std::string(name)), what);
  };
  constexpr std::size_t kHeader = 12, kChunkHeader = 8, kShortestFormat = 16, kExtendedFormat = 26;
  if (!has_tag(bytes, 0, "RIFF") || !has_tag(bytes, 8, "WAVE")) damaged("this is no WAV file");
  Format format;
  for (std::size_t offset = kHeader; offset + kChunkHeader <= bytes.size();) {
    const std::size_t left = bytes.size() - offset - kChunkHeader, size = little_endian(bytes, offset + 4, 4);
    const std::span<const std::byte> chunk = bytes.subspan(offset + kChunkHeader, std::min(size, left));
    if (has_tag(bytes, offset, "fmt ")) {
      if (chunk.size() < kShortestFormat) damaged("the format is truncated");
      format = {little_endian(chunk, 0, 2), little_endian(chunk, 2, 2), little_endian(chunk, 4, 4),
                little_endian(chunk, 14, 2)};
      if (format.kind == kExtensible && chunk.size() >= kExtendedFormat)
        format.kind = little_endian(chunk, 24, 2);
    } else if (has_tag(bytes, offset, "data")) {
      const bool is_integer = format.kind == kInteger && (format.bits == 8 || format.bits == 16 ||
                                                          format.bits == 24 || format.bits == 32);
      if (!is_integer && !(format.kind == kFloat && format.bits == 32))
        damaged(
            fmt::format("format {} with {} bits is not supported: use integers of 8, 16, 24 or 32 bits, or "
                        "floats of 32 bits",
                        format.kind, format.bits));
      if (format.channels == 0) damaged("there are no channels");
      const std::size_t sample_bytes = format.bits / 8, frame_bytes = sample_bytes * format.channels;
      const std::size_t count = chunk.size() / frame_bytes * format.channels;
      check_size(name, "the decoded recording", count * sizeof(float), limits);
      Wav wav{.num_samples = static_cast<std::int64_t>(chunk.size() / frame_bytes),
              .num_channels = format.channels,
              .sampling_rate = format.rate};
      wav.samples.reserve(count);
      for (std::size_t i = 0; i < count; ++i)
        wav.samples.push_back(sample_at(chunk, i * sample_bytes, format));
      return wav;
    }
    offset += kChunkHeader + std::min(size + size % 2, left);
    if (size > left) break;
  }
  damaged("there are no samples");
  return {};
}

}  // namespace cornu::inline v0::io
