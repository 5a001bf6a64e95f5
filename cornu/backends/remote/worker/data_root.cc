#include "cornu/backends/remote/worker/data_root.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/printable.h"
#include "cornu/io/byte_reader.h"

namespace cornu::inline v0::backends::remote {
namespace {

class DescriptorAccess final : public io::RandomAccess {
 public:
  DescriptorAccess(Descriptor file, std::uint64_t size, std::string name)
      : file_(std::move(file)), size_(size), name_(std::move(name)) {}
  std::uint64_t size() const override { return size_; }
  const std::string& name() const override { return name_; }

 protected:
  void read_inside(std::uint64_t offset, std::span<std::byte> destination) const override {
    while (!destination.empty()) {
      const ssize_t count =
          ::pread(file_.number(), destination.data(), destination.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0)
        fail(ErrorCode::kDataLoss, "[worker] reading {} failed: {}", name_, std::strerror(errno));
      if (count == 0) io::corrupt(name_, offset, "the file became shorter while it was read");
      offset += static_cast<std::uint64_t>(count);
      destination = destination.subspan(static_cast<std::size_t>(count));
    }
  }

 private:
  Descriptor file_;
  std::uint64_t size_;
  std::string name_;
};

constexpr std::size_t kMostBytes = 4096;  // of a path

[[noreturn]] void refuse(std::string_view path, std::string_view why) {
  invalid_argument("[worker] \"{}\" {}: give a path below the worker's --data-root, as \"digits/train.npz\"",
                   io::shown(path), why);
}

[[noreturn]] void refuse_missing(std::string_view path, int error) {
  if (error == ELOOP || error == EMLINK) refuse(path, "leads through a link");
  const bool is_missing = error == ENOENT || error == ENOTDIR;
  fail(is_missing ? ErrorCode::kNotFound : ErrorCode::kDataLoss,
       "[worker] there is no file \"{}\" below the worker's --data-root: {}", io::shown(path),
       std::strerror(error));
}

/// "a/b/c": {"a", "b", "c"}.
std::vector<std::string> parts_of(const std::string& path) {
  if (path.empty()) refuse(path, "is not a path");
  if (path.size() > kMostBytes) refuse(path, "is too long");
  if (path.find('\0') != std::string::npos) refuse(path, "has a NUL in it");
  if (path.front() == '/') refuse(path, "is absolute");
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
    if (parts.back() == "..") refuse(path, "goes up");
    if (parts.back().empty() || parts.back() == ".") refuse(path, "has an empty part");
  }
  return parts;
}

/// The folder of the path's last part.
Descriptor folder_of(int root, const std::string& path, const std::vector<std::string>& parts) {
  constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  Descriptor folder(::openat(root, ".", kFolder));
  for (std::size_t i = 0; i + 1 < parts.size() && folder.number() >= 0; ++i) {
    Descriptor next(::openat(folder.number(), parts[i].c_str(), kFolder));
    struct stat status = {};
    const int error = errno;
    // With O_DIRECTORY a link is reported as no folder.
    const bool is_link = next.number() < 0 &&
                         ::fstatat(folder.number(), parts[i].c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                         S_ISLNK(status.st_mode);
    if (next.number() < 0) refuse_missing(path, is_link ? ELOOP : error);
    folder = std::move(next);
  }
  if (folder.number() < 0) refuse_missing(path, errno);
  return folder;
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

DataRoot::DataRoot(const std::string& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (folder_.number() < 0)
    invalid_argument({.argument = "data_root"}, "[worker] --data-root \"{}\" is not a readable folder: {}",
                     folder, std::strerror(errno));
}

io::RandomAccessPointer DataRoot::open(const std::string& path) const {
  const std::vector<std::string> parts = parts_of(path);
  const Descriptor folder = folder_of(folder_.number(), path, parts);
  // Does not wait for the writer of a pipe.
  Descriptor file(
      ::openat(folder.number(), parts.back().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status = {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) refuse_missing(path, errno);
  if (!S_ISREG(status.st_mode))
    fail(ErrorCode::kNotFound, "[worker] \"{}\" is not a regular file; give the path of one file",
         io::shown(path));
  return std::make_shared<DescriptorAccess>(std::move(file), static_cast<std::uint64_t>(status.st_size),
                                            path);
}

PlaceToWrite DataRoot::place_to_write(const std::string& path) const {
  const std::vector<std::string> parts = parts_of(path);
  if (printable(path) != path) refuse(path, "has control characters in it");
  Descriptor folder = folder_of(folder_.number(), path, parts);
  struct stat status = {};
  if (::fstatat(folder.number(), parts.back().c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
      !S_ISREG(status.st_mode))
    refuse(path, "exists and is not a regular file");
  return {std::move(folder), path};
}

std::string PlaceToWrite::path() const {
  return fmt::format("/proc/self/fd/{}/{}", folder_.number(), path_.substr(path_.rfind('/') + 1));
}

std::string PlaceToWrite::with_given_path(std::string text) const {
  const std::string from = path();
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + path_.size()))
    text.replace(at, from.size(), path_);
  return text;
}

}  // namespace cornu::inline v0::backends::remote
