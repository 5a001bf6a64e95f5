#include "cornu/io/tar.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::io {
namespace {

constexpr std::size_t kBlockBytes = 512;

/// A field of a header: its bytes before the first NUL.
std::string_view field(std::span<const std::byte> header, std::size_t offset, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(header.data()) + offset, size);
  return all.substr(0, std::min(all.find('\0'), all.size()));
}

/// An octal number, or a binary one whose first bit is set. Unset: neither.
std::optional<std::uint64_t> number(std::span<const std::byte> header, std::size_t offset, std::size_t size) {
  std::uint64_t value = 0;
  if ((header[offset] & std::byte{0x80}) != std::byte{}) {
    for (std::size_t i = offset + size - 8; i < offset + size; ++i)
      value = value << 8 | static_cast<std::uint64_t>(header[i]);
    return value;
  }
  std::string_view text = field(header, offset, size);
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.empty()) return 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 8);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

constexpr std::size_t kSumOffset = 148, kSumSize = 8;

/// True if the header's sum is that of its bytes, where those of the sum count as spaces.
bool has_right_sum(std::span<const std::byte> header) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBlockBytes; ++i)
    sum += i >= kSumOffset && i < kSumOffset + kSumSize ? ' ' : static_cast<std::uint64_t>(header[i]);
  return number(header, kSumOffset, kSumSize) == sum;
}

/// The path in a POSIX extended header, "28 path=folder/file\n...": empty if there is none.
std::string path_of_records(std::string_view records) {
  std::string path;
  while (!records.empty()) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(records.data(), records.data() + records.size(), size);
    const auto prefix = static_cast<std::size_t>(end - records.data()) + 1;
    if (error != std::errc() || size <= prefix || size > records.size()) return path;
    const std::string_view record = records.substr(prefix, size - prefix - 1);
    if (record.starts_with("path=")) path = record.substr(5);
    records.remove_prefix(size);
  }
  return path;
}

std::string path_of(std::span<const std::byte> header) {
  const std::string_view name = field(header, 0, 100);
  const std::string_view prefix =
      field(header, 257, 5) == "ustar" ? field(header, 345, 155) : std::string_view();
  return prefix.empty() ? std::string(name) : fmt::format("{}/{}", prefix, name);
}

TarMember::Kind kind_of(char type, std::string_view path) {
  if (type == '5' || ((type == '0' || type == '\0') && path.ends_with('/'))) return TarMember::Kind::kFolder;
  return type == '0' || type == '\0' || type == '7' ? TarMember::Kind::kFile : TarMember::Kind::kOther;
}

}  // namespace

bool is_tar(std::span<const std::byte> bytes) {
  return bytes.size() >= kBlockBytes && bytes[0] != std::byte{} && has_right_sum(bytes.first(kBlockBytes));
}

void read_tar(std::span<const std::byte> bytes, StringViewArgument name,
              const std::function<void(const TarMember& member)>& visit) {
  std::string next_path;
  for (std::size_t offset = 0; offset < bytes.size();) {
    const auto damaged = [&](const char* what) {
      fail(ErrorCode::kDataLoss, "[io] {}: {} at byte {}", shown(std::string(name)), what, offset);
    };
    if (bytes.size() - offset < kBlockBytes) damaged("the archive is truncated");
    const std::span<const std::byte> header = bytes.subspan(offset, kBlockBytes);
    if (std::all_of(header.begin(), header.end(), [](std::byte b) { return b == std::byte{}; })) return;
    const std::optional<std::uint64_t> size = number(header, 124, 12);
    if (!has_right_sum(header) || !size.has_value()) damaged("the header is damaged");
    if (*size > bytes.size() - offset - kBlockBytes) damaged("the member is truncated");
    const std::span<const std::byte> content =
        bytes.subspan(offset + kBlockBytes, static_cast<std::size_t>(*size));
    const auto type = static_cast<char>(header[156]);
    const std::string_view text(reinterpret_cast<const char*>(content.data()), content.size());
    if (type == 'L') {
      next_path = text.substr(0, std::min(text.find('\0'), text.size()));
    } else if (type == 'x') {
      next_path = path_of_records(text);
    } else if (type != 'g' && type != 'K') {
      TarMember member{.path = next_path.empty() ? path_of(header) : next_path, .content = content};
      member.kind = kind_of(type, member.path);
      next_path.clear();
      visit(member);
    }
    const std::size_t padded = (content.size() + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
    offset += kBlockBytes + std::min(padded, bytes.size() - offset - kBlockBytes);
  }
}

}  // namespace cornu::inline v0::io
