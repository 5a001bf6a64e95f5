#include "cornu/base/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/environment.h"
#include "cornu/base/log_formatted.h"

namespace cornu::inline v0 {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".entry", kTemporarySuffix = ".new";
constexpr std::time_t kAbandonedSeconds = 3600;  // an older temporary file belongs to a process that died

struct Header {
  char magic[8] = {'c', 'o', 'r', 'n', 'u', 'e', '0', '1'};  // the last two: version of the header
  char key[DiskCache::kKeyLength] = {};
  std::uint64_t length = 0;
  std::uint64_t checksum = 0;  // of the bytes
};
static_assert(sizeof(Header) == 88, "no padding goes to the file");

/// FNV-1a: detects damage. The folder's owner and mode protect against manipulation.
std::uint64_t checksum_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  File& operator=(File&&) = delete;
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

bool is_only_ours(const struct stat& info) {
  return info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

void warn_once(const std::string& folder, const struct stat& info) {
  static std::atomic<bool> said{false};
  if (said.exchange(true)) return;
  log_warning(
      "[disk_cache] compiled code is not kept in {}: the folder {}. Set CORNU_CACHE_DIR to another one, or "
      "to off.",
      folder, info.st_uid != geteuid() ? "belongs to somebody else" : "may be written by others");
}

/// Makes the folder and missing parents, for the user alone. Makes nothing below a folder that belongs to
/// another user except root.
void make_folder(const fs::path& folder) {
  struct stat info;
  if (stat(folder.c_str(), &info) == 0 || folder.parent_path() == folder) return;
  make_folder(folder.parent_path());
  if (stat(folder.parent_path().c_str(), &info) != 0 || (info.st_uid != geteuid() && info.st_uid != 0))
    return;
  mkdir(folder.c_str(), 0700);  // the result shows when the folder is opened
}

File open_folder(const std::string& folder) {
  if (folder.empty()) return File(-1);
  File opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat info;
  if (!opened || fstat(opened.get(), &info) != 0) return File(-1);
  if (is_only_ours(info)) return opened;
  warn_once(folder, info);
  return File(-1);
}

bool is_key(std::string_view text) {
  return text.size() == DiskCache::kKeyLength && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

void check_key(const std::string& key) {
  if (!is_key(key))
    invalid_argument("[disk_cache] a key is {} hexadecimal digits in lower case; got \"{}\"",
                     DiskCache::kKeyLength, key);
}

std::string file_name(const std::string& key) { return key + std::string(kSuffix); }

bool read_all(int file, char* to, std::size_t size) {
  while (size > 0) {
    const ssize_t count = read(file, to, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool write_all(int file, const char* from, std::size_t size) {
  while (size > 0) {
    const ssize_t count = write(file, from, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    from += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

struct Entry {
  std::string name;
  std::uint64_t size_bytes = 0;
  timespec used{};
};

/// The entries of a folder; also removes temporary files of dead processes.
std::vector<Entry> list_entries(const File& folder) {
  std::vector<Entry> entries;
  const int copy = openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const listing = copy < 0 ? nullptr : fdopendir(copy);
  if (listing == nullptr) {
    if (copy >= 0) close(copy);
    return entries;
  }
  while (const dirent* const item = readdir(listing)) {
    const std::string_view name = item->d_name;
    if (name.size() <= DiskCache::kKeyLength || !is_key(name.substr(0, DiskCache::kKeyLength))) continue;
    const bool is_temporary = name.ends_with(kTemporarySuffix);
    if (!is_temporary && name.substr(DiskCache::kKeyLength) != kSuffix) continue;
    struct stat info;
    if (fstatat(folder.get(), item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode))
      continue;
    if (!is_temporary) {
      Entry& entry = entries.emplace_back();
      entry.name = name;
      entry.size_bytes = static_cast<std::uint64_t>(info.st_size);
      entry.used = info.st_mtim;
    } else if (info.st_mtim.tv_sec + kAbandonedSeconds < std::time(nullptr)) {
      unlinkat(folder.get(), item->d_name, 0);
    }
  }
  closedir(listing);
  return entries;
}

DiskCache::Contents sum(const std::vector<Entry>& entries) {
  DiskCache::Contents contents;
  contents.num_entries = entries.size();
  for (const Entry& entry : entries) contents.size_bytes += entry.size_bytes;
  return contents;
}

/// Removes the least recently used entries until a quarter of the space is free, if there are more than the
/// options allow. Returns what is left.
DiskCache::Contents make_room(const File& folder, const DiskCacheOptions& options) {
  std::vector<Entry> entries = list_entries(folder);
  DiskCache::Contents left = sum(entries);
  if (left.size_bytes <= options.most_bytes && left.num_entries <= options.most_entries) return left;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const Entry& entry : entries) {
    if (left.size_bytes <= options.most_bytes / 4 * 3 && left.num_entries <= options.most_entries / 4 * 3)
      break;
    unlinkat(folder.get(), entry.name.c_str(), 0);
    left.size_bytes -= entry.size_bytes;
    --left.num_entries;
  }
  return left;
}

}  // namespace

struct DiskCache::Room {
  std::mutex mutex;
  std::uint64_t num_entries = 0;
  std::uint64_t size_bytes = 0;

  /// Takes the room of an entry. False if there is none.
  bool take(std::uint64_t bytes) {
    const std::lock_guard lock(mutex);
    if (num_entries == 0 || size_bytes < bytes) return false;
    --num_entries;
    size_bytes -= bytes;
    return true;
  }
  /// Half of what the limits leave: other processes may write, too.
  void set(const DiskCacheOptions& most, const Contents& used) {
    const auto half = [](std::uint64_t limit, std::uint64_t value) {
      return value < limit ? (limit - value) / 2 : 0;
    };
    const std::lock_guard lock(mutex);
    num_entries = half(most.most_entries, used.num_entries);
    size_bytes = half(most.most_bytes, used.size_bytes);
  }
};

DiskCache::DiskCache(DiskCacheOptions options)
    : options_(std::move(options)), room_(std::make_shared<Room>()) {
  std::error_code error;
  if (!options_.folder.empty())
    options_.folder = fs::absolute(options_.folder, error).lexically_normal().string();
  if (error || environment::has_more_rights_than_its_caller()) options_.folder.clear();
}

std::optional<std::string> DiskCache::get(const std::string& key) const {
  check_key(key);
  const File folder = open_folder(options_.folder);
  if (!folder) return std::nullopt;
  const File file(
      openat(folder.get(), file_name(key).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info;
  if (!file || fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode) || !is_only_ours(info))
    return std::nullopt;
  Header header;
  if (!read_all(file.get(), reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  const bool is_whole = std::memcmp(header.magic, Header().magic, sizeof header.magic) == 0 &&
                        key.compare(0, key.size(), header.key, sizeof header.key) == 0 &&
                        header.length <= options_.most_bytes &&
                        header.length + sizeof header == static_cast<std::uint64_t>(info.st_size);
  if (!is_whole) return std::nullopt;
  std::string bytes(header.length, '\0');
  if (!read_all(file.get(), bytes.data(), bytes.size()) || checksum_of(bytes) != header.checksum)
    return std::nullopt;
  futimens(file.get(), nullptr);
  return bytes;
}

void DiskCache::put(const std::string& key, std::string_view bytes) const {
  check_key(key);
  if (options_.folder.empty() || bytes.size() + sizeof(Header) > options_.most_bytes / 4) return;
  make_folder(options_.folder);
  const File folder = open_folder(options_.folder);
  if (!folder) return;
  static std::atomic<unsigned> count{0};
  const std::string temporary = fmt::format("{}.{}.{}{}", key, getpid(), count++, kTemporarySuffix);
  Header header;
  std::memcpy(header.key, key.data(), sizeof header.key);
  header.length = bytes.size();
  header.checksum = checksum_of(bytes);
  bool is_written = false;
  {
    const File file(
        openat(folder.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    is_written = file && write_all(file.get(), reinterpret_cast<const char*>(&header), sizeof header) &&
                 write_all(file.get(), bytes.data(), bytes.size());
  }
  if (is_written)
    is_written = renameat(folder.get(), temporary.c_str(), folder.get(), file_name(key).c_str()) == 0;
  if (!is_written) unlinkat(folder.get(), temporary.c_str(), 0);
  if (!room_->take(bytes.size() + sizeof header)) room_->set(options_, make_room(folder, options_));
}

DiskCache::Contents DiskCache::contents() const {
  const File folder = open_folder(options_.folder);
  return folder ? sum(list_entries(folder)) : Contents{};
}

DiskCache::Contents DiskCache::clear() const {
  const File folder = open_folder(options_.folder);
  if (!folder) return {};
  const std::vector<Entry> entries = list_entries(folder);
  for (const Entry& entry : entries) unlinkat(folder.get(), entry.name.c_str(), 0);
  return sum(entries);
}

}  // namespace cornu::inline v0
