#include "cornu/io/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/path_hint.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::io {
namespace {

/// Rejects a NUL in a path: the system would open the file named by the part before it.
void check_path(const std::string& path) {
  if (path.find('\0') != std::string::npos)
    invalid_argument("[io] a path must not contain a NUL byte; got \"{}\"", shown(path));
}

/// Owns a zlib stream.
class Inflater {
 public:
  Inflater() {
    constexpr int kGzipWindow = 15 + 16;
    if (inflateInit2(&stream, kGzipWindow) != Z_OK)
      fail(ErrorCode::kResourceExhausted, "[io] zlib could not allocate memory");
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream stream = {};
};

}  // namespace

std::size_t utf8_length(StringViewArgument text, std::size_t position) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[position + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first <= 0xDF   ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || length > text.size() - position) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Rejects overlong forms, surrogates, and code points beyond U+10FFFF.
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F)) return 0;
  if ((first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F)) return 0;
  return length;
}

void check_size(StringViewArgument name, StringViewArgument what, std::uint64_t size_bytes,
                const ReadLimits& limits) {
  if (limits.max_size_bytes < 0)
    invalid_argument({.argument = "max_size_bytes"},
                     "[io] {}: max_size_bytes must not be negative; got max_size_bytes = {}", name,
                     limits.max_size_bytes);
  if (size_bytes <= static_cast<std::uint64_t>(limits.max_size_bytes)) return;
  fail(ErrorCode::kResourceExhausted,
       "[io] {}: {} would take {} bytes, and at most {} are read; raise max_size_bytes if you trust the file",
       shown(name), shown(what), size_bytes, limits.max_size_bytes);
}

OpenFile::OpenFile(const StringArgument& path) {
  check_path(path);
  // Does not wait for the writer of a pipe.
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status = {};
  const bool is_open = descriptor_ >= 0 && ::fstat(descriptor_, &status) == 0;
  const int error = errno;
  if (is_open && S_ISREG(status.st_mode)) {
    size_bytes_ = static_cast<std::uint64_t>(status.st_size);
    return;
  }
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!is_open)
    fail(error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kDataLoss, "[io] cannot read {}: {}{}",
         shown(path), std::strerror(error), read_hint(path, error));
  fail(ErrorCode::kNotFound, "[io] cannot read {}: it is a {}, not a regular file; store the data in one",
       shown(path),
       S_ISDIR(status.st_mode)    ? "directory"
       : S_ISFIFO(status.st_mode) ? "pipe"
                                  : "device or socket");
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::vector<std::byte> read_file(const StringArgument& path, const ReadLimits& limits) {
  const OpenFile file(path);
  check_size(path, "the file", file.size_bytes(), limits);
  std::vector<std::byte> bytes(static_cast<std::size_t>(file.size_bytes()));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::read(file.descriptor(), bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      fail(ErrorCode::kDataLoss, "[io] reading {} failed: {}", shown(path), std::strerror(errno));
    if (count == 0) corrupt(path, done, "the file became shorter while it was read");
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

void (*whole_file_step_for_tests)(const char* step) = nullptr;

namespace {

void note_step(const char* step) {
  if (whole_file_step_for_tests != nullptr) whole_file_step_for_tests(step);
}

}  // namespace

namespace {

constexpr std::string_view kPartEnd = ".part";
constexpr std::size_t kRandomDigits = 16;

/// The folder of a path with its "/", and the prefix of temporary files for it. The prefix is short, because
/// the path's own name may have the maximum length.
struct PartNames {
  std::string folder;
  std::string begin;

  explicit PartNames(std::string_view path) {
    constexpr std::size_t kLongestBegin = 100;
    const std::size_t slash = path.rfind('/') + 1;  // npos + 1 is 0
    folder = path.substr(0, slash);
    begin = path.substr(slash);
    std::size_t length = std::min(begin.size(), kLongestBegin);
    while (length < begin.size() && length > 0 && (static_cast<unsigned char>(begin[length]) & 0xC0) == 0x80)
      --length;  // not inside a UTF-8 character
    begin.resize(length);
    begin += '.';
  }

  bool is_one(std::string_view name) const {
    if (name.size() != begin.size() + kRandomDigits + kPartEnd.size()) return false;
    const std::string_view digits = name.substr(begin.size(), kRandomDigits);
    return name.starts_with(begin) && name.ends_with(kPartEnd) &&
           digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  }
};

/// Random digits, unique among processes: process numbers are equal in different containers.
std::string random_digits() {
  std::uint64_t bits = 0;
  while (::getrandom(&bits, sizeof bits, 0) != static_cast<ssize_t>(sizeof bits))
    if (errno != EINTR)
      fail(ErrorCode::kResourceExhausted, "[io] the system did not provide random bytes: {}",
           std::strerror(errno));
  return fmt::format("{:0{}x}", bits, kRandomDigits);
}

/// Removes a temporary file without a writer. A writer holds the file's lock, on any machine that shares the
/// folder. If the file system has no locks, nothing is removed.
void remove_if_abandoned(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return;
  struct stat status = {};
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
      ::flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    ::unlink(path.c_str());
  ::close(descriptor);
}

/// Resolves symbolic links of `path`, even if the target does not exist yet.
std::string target_of_links(std::string path) {
  constexpr int kMostLinks = 40;  // the system's limit
  for (int i = 0;; ++i) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) break;
    if (i == kMostLinks)
      fail(ErrorCode::kNotFound, "[io] cannot write {}: {}", shown(path), std::strerror(ELOOP));
    path = (std::filesystem::path(path).parent_path() / target).string();
  }
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(path, error);
  return error ? path : whole.string();
}

/// Copies the permissions and, if this user may, the owner of the file to be replaced.
void take_over(int descriptor, const struct stat& before) {
  if (::fchown(descriptor, before.st_uid, before.st_gid) != 0)
    static_cast<void>(::fchown(descriptor, static_cast<uid_t>(-1), before.st_gid) == 0);
  ::fchmod(descriptor, before.st_mode & 07777);
}

/// Makes the file at `path` and locks it, to mark it as being written; -1 with errno on failure.
int open_part(const std::string& path, mode_t mode) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0) return -1;
  // A process that removes leftovers may have run between the two calls, and locked or removed the file.
  struct stat status = {};
  const bool is_another_s = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!is_another_s && ::fstat(descriptor, &status) == 0 && status.st_nlink > 0) return descriptor;
  ::close(descriptor);
  errno = EEXIST;
  return -1;
}

}  // namespace

void WholeFile::remove_leftovers(const StringArgument& path) {
  const PartNames parts(path);
  std::error_code error;
  const std::filesystem::path folder = parts.folder.empty() ? "." : parts.folder;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (parts.is_one(entry.path().filename().string())) remove_if_abandoned(entry.path().string());
}

WholeFile::WholeFile(StringArgument path, Links links) {
  check_path(path);
  const bool follows = links == Links::kFollowed;
  struct stat status = {};
  const bool is_there = (follows ? ::stat : ::lstat)(path.c_str(), &status) == 0;
  if (is_there && !S_ISREG(status.st_mode))
    fail(ErrorCode::kNotFound,
         "[io] cannot write {}: it exists and is not a regular file; give the name of a file", shown(path));
  path_ = follows ? target_of_links(std::move(path)) : std::move(path);
  const PartNames parts(path_);
  constexpr mode_t kAsTheUserWants = 0666, kHidden = 0600;
  note_step("open");
  constexpr int kMostTries = 100;
  for (int i = 0; i < kMostTries && descriptor_ < 0; ++i) {
    temporary_path_ = fmt::format("{}{}{}{}", parts.folder, parts.begin, random_digits(), kPartEnd);
    descriptor_ = open_part(temporary_path_, is_there ? kHidden : kAsTheUserWants);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) refuse(errno);
  if (is_there) take_over(descriptor_, status);
}

WholeFile::~WholeFile() {
  if (descriptor_ < 0) return;
  ::unlink(temporary_path_.c_str());
  ::close(descriptor_);
}

void WholeFile::refuse(int error) const {
  const ErrorCode code = error == ENOENT || error == ENOTDIR ? ErrorCode::kNotFound
                         : error == ENOSPC || error == EDQUOT || error == EFBIG
                             ? ErrorCode::kResourceExhausted
                             : ErrorCode::kDataLoss;
  fail(code, "[io] cannot write {}: {}{}", shown(path_), std::strerror(error), write_hint(path_, error));
}

namespace {

constexpr std::size_t kDiskBlock = 4096;
constexpr std::size_t kWorthGoingDirectly = std::size_t{1} << 20;

/// The number of bytes before the first disk block that `bytes`, written at the current position, fill from
/// page-aligned memory; empty if file and memory are not aligned alike, or the gain is too small.
std::optional<std::size_t> bytes_before_block(int descriptor, std::span<const std::byte> bytes) {
  if (bytes.size() < kWorthGoingDirectly) return std::nullopt;
  const off_t position = ::lseek(descriptor, 0, SEEK_CUR);
  const std::size_t in_memory = reinterpret_cast<std::uintptr_t>(bytes.data()) % kDiskBlock;
  if (position < 0 || static_cast<std::size_t>(position) % kDiskBlock != in_memory) return std::nullopt;
  return (kDiskBlock - in_memory) % kDiskBlock;
}

/// Writes whole blocks directly from memory, bypassing the system's cache. Returns the number of bytes
/// written; 0 if the file system does not support it, and for errors, which the normal path will report.
std::size_t write_directly(int descriptor, std::span<const std::byte> blocks) {
  constexpr std::size_t kMostAtOnce = std::size_t{16} << 20;
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0 || ::fcntl(descriptor, F_SETFL, flags | O_DIRECT) != 0) return 0;
  const std::size_t size = std::min(blocks.size() / kDiskBlock * kDiskBlock, kMostAtOnce);
  const ssize_t count = ::write(descriptor, blocks.data(), size);
  ::fcntl(descriptor, F_SETFL, flags);
  return count < 0 ? 0 : static_cast<std::size_t>(count);
}

}  // namespace

void WholeFile::write(std::span<const std::byte> bytes) {
  if (const std::optional<std::size_t> before = bytes_before_block(descriptor_, bytes)) {
    write_through_cache(bytes.first(*before));
    bytes = bytes.subspan(*before);
    while (bytes.size() >= kDiskBlock) {
      note_step("write");
      const std::size_t count = write_directly(descriptor_, bytes);
      bytes = bytes.subspan(count);
      if (count == 0 || count % kDiskBlock != 0) break;
    }
  }
  write_through_cache(bytes);
}

void WholeFile::write_through_cache(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    note_step("write");
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void WholeFile::seek(std::uint64_t offset) {
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) < 0) refuse(errno);
}

void WholeFile::commit() {
  // A network or user-space file system may return EINTR, which says nothing about the disk.
  const auto must_succeed = [this](auto&& call) {
    while (call() != 0)
      if (errno != EINTR) refuse(errno);
  };
  note_step("sync");
  must_succeed([this] { return ::fsync(descriptor_); });
  note_step("rename");
  must_succeed([this] { return ::rename(temporary_path_.c_str(), path_.c_str()); });
  ::close(std::exchange(descriptor_, -1));
  // The rename is durable after the folder is synced.
  note_step("sync folder");
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  const int directory = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) refuse(errno);
  const bool is_synced = ::fsync(directory) == 0 || errno == EINVAL;  // some file systems cannot
  const int error = errno;
  ::close(directory);
  if (!is_synced) refuse(error);
}

bool is_gzip(std::span<const std::byte> bytes) {
  return bytes.size() >= 2 && bytes[0] == std::byte{0x1F} && bytes[1] == std::byte{0x8B};
}

std::vector<std::byte> gunzip(std::span<const std::byte> bytes, StringViewArgument name,
                              const ReadLimits& limits) {
  Inflater inflater;
  z_stream& stream = inflater.stream;
  std::size_t input = 0;
  std::vector<std::byte> output, chunk(std::size_t{1} << 16);
  while (true) {
    // zlib's counters have 32 bits; pass the input in parts, too.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data() + input));
    stream.avail_in = static_cast<uInt>(std::min<std::size_t>(bytes.size() - input, 1U << 30));
    stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
    stream.avail_out = static_cast<uInt>(chunk.size());
    const uInt before = stream.avail_in;
    const int code = inflate(&stream, Z_NO_FLUSH);
    input += before - stream.avail_in;
    const std::size_t count = chunk.size() - stream.avail_out;
    check_size(name, "the unpacked file", output.size() + count, limits);
    output.insert(output.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(count));
    if (code == Z_STREAM_END) {
      if (input == bytes.size()) return output;
      if (!is_gzip(bytes.subspan(input)))
        corrupt(name, input, "other bytes follow the compressed data; get the file again");
      inflateReset(&stream);
    } else if (code == Z_BUF_ERROR || (code == Z_OK && input == bytes.size() && count < chunk.size())) {
      corrupt(name, input, "the compressed file is cut off; get it again");
    } else if (code != Z_OK) {
      corrupt(name, input,
              fmt::format("the compressed data are damaged ({}); get the file again",
                          stream.msg ? stream.msg : "zlib"));
    }
  }
}

std::vector<std::byte> read_file_or_gzip(const StringArgument& path, const ReadLimits& limits) {
  std::vector<std::byte> bytes = read_file(path, limits);
  if (!is_gzip(bytes)) return bytes;
  return gunzip(bytes, path, limits);
}

std::string parse_text(std::span<const std::byte> bytes, StringViewArgument name) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::size_t mark = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = mark; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) corrupt(name, i, "the text is not UTF-8; convert it, e.g. by iconv -t UTF-8");
    if (text[i] == '\r') {
      result += '\n';
      i += i + 1 < text.size() && text[i + 1] == '\n' ? 2 : 1;
    } else {
      result += text.substr(i, length);
      i += length;
    }
  }
  return result;
}

std::string read_text_file(const StringArgument& path, const ReadLimits& limits) {
  return parse_text(read_file(path, limits), path);
}

}  // namespace cornu::inline v0::io
