#include "cornu/base/scratch_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/printable.h"

namespace cornu::inline v0 {
namespace {

/// A file descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

int open_unnamed(const std::string& folder) {
  const int made = open(folder.c_str(), O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  if (made >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return made;
  std::string name = folder + "/.cornu_scratch_XXXXXX";  // some file systems have no unnamed files
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

std::mutex& files_mutex() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}
std::vector<const void*>& files() {
  static auto& all = *new std::vector<const void*>;
  return all;
}

/// Null, with errno set, if there is no space.
std::byte* map_scratch_file(const std::string& folder, std::size_t size_bytes) {
  const Descriptor file(open_unnamed(folder));
  if (file.number() < 0) return nullptr;
  // A page without disk space that is written later would end the process by a signal if the disk is full.
  if (ftruncate(file.number(), static_cast<off_t>(size_bytes)) != 0 ||
      (fallocate(file.number(), 0, 0, static_cast<off_t>(size_bytes)) != 0 && errno != EOPNOTSUPP &&
       errno != ENOSYS))
    return nullptr;
  void* const mapped = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
}

std::shared_ptr<std::byte> memory_in_file(const std::string& folder, std::size_t size_bytes,
                                          const std::function<std::string()>& what) {
  const std::string place = folder.empty() ? "." : folder;
  std::byte* const mapped = map_scratch_file(place, size_bytes);
  if (mapped == nullptr) {
    const int error = errno;
    fail(ErrorCode::kResourceExhausted,
         "{} needs {} bytes, which memory does not have, and an unnamed file in \"{}\" cannot hold them: {}",
         what(), size_bytes, printable(place), std::strerror(error));
  }
  const std::lock_guard lock(files_mutex());
  files().push_back(mapped);
  return {mapped, [size_bytes](std::byte* memory) {
            {
              const std::lock_guard over(files_mutex());
              std::erase(files(), memory);
            }
            munmap(memory, size_bytes);
          }};
}

}  // namespace

std::shared_ptr<std::byte> scratch_memory(const std::string& folder, std::size_t size_bytes,
                                          const std::function<std::string()>& what) {
  if (static_cast<std::int64_t>(size_bytes) <= memory_budget_bytes() / 4) {
    auto* const memory = static_cast<std::byte*>(std::calloc(std::max<std::size_t>(size_bytes, 1), 1));
    if (memory != nullptr) return {memory, &std::free};
  }
  return memory_in_file(folder, size_bytes, what);
}

bool is_in_scratch_file(const void* begin) {
  const std::lock_guard lock(files_mutex());
  return std::ranges::find(files(), begin) != files().end();
}

}  // namespace cornu::inline v0
