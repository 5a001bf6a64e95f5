#include "cornu/io/random_access.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/file.h"
#include "cornu/io/file_systems.h"

namespace cornu::inline v0::io {
namespace {

class FileAccess : public RandomAccess {
 public:
  explicit FileAccess(const std::string& path) : name_(path), file_(path) {}
  std::uint64_t size() const override { return file_.size_bytes(); }
  const std::string& name() const override { return name_; }

 protected:
  void read_inside(std::uint64_t offset, std::span<std::byte> destination) const override {
    while (!destination.empty()) {
      const ssize_t count =
          ::pread(file_.descriptor(), destination.data(), destination.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0)
        fail(ErrorCode::kDataLoss, "[io] reading {} failed: {}", shown(name_), std::strerror(errno));
      if (count == 0) corrupt(name_, offset, "the file became shorter while it was read");
      offset += static_cast<std::uint64_t>(count);
      destination = destination.subspan(static_cast<std::size_t>(count));
    }
  }

 private:
  std::string name_;
  OpenFile file_;
};

class BytesAccess : public RandomAccess {
 public:
  BytesAccess(std::span<const std::byte> bytes, std::string name) : name_(std::move(name)), bytes_(bytes) {}
  BytesAccess(std::vector<std::byte> bytes, std::string name)
      : name_(std::move(name)), kept_(std::move(bytes)), bytes_(kept_) {}
  std::uint64_t size() const override { return bytes_.size(); }
  const std::string& name() const override { return name_; }

 protected:
  void read_inside(std::uint64_t offset, std::span<std::byte> destination) const override {
    std::memcpy(destination.data(), bytes_.data() + offset, destination.size());
  }

 private:
  std::string name_;
  std::vector<std::byte> kept_;
  std::span<const std::byte> bytes_;
};

class PartAccess : public RandomAccess {
 public:
  PartAccess(RandomAccessPointer source, std::uint64_t offset, std::uint64_t size, std::string name)
      : source_(std::move(source)), offset_(offset), size_(size), name_(std::move(name)) {}
  std::uint64_t size() const override { return size_; }
  const std::string& name() const override { return name_; }

 protected:
  void read_inside(std::uint64_t offset, std::span<std::byte> destination) const override {
    source_->read(offset_ + offset, destination);
  }

 private:
  RandomAccessPointer source_;
  std::uint64_t offset_;
  std::uint64_t size_;
  std::string name_;
};

}  // namespace

void RandomAccess::read(std::uint64_t offset, std::span<std::byte> destination) const {
  if (offset > size() || destination.size() > size() - offset)
    corrupt(name(), offset,
            fmt::format("the file is cut off: {} bytes are needed here, and it has {}; get it again",
                        destination.size(), size()));
  if (!destination.empty()) read_inside(offset, destination);
}

RandomAccessPointer open_random_access(const StringArgument& path) {
  RandomAccessPointer remote = open_with_scheme(path);
  return remote != nullptr ? std::move(remote) : std::make_shared<FileAccess>(path);
}

RandomAccessPointer view_bytes(std::span<const std::byte> bytes, StringArgument name) {
  return std::make_shared<BytesAccess>(bytes, std::move(name));
}

RandomAccessPointer keep_bytes(std::vector<std::byte> bytes, StringArgument name) {
  return std::make_shared<BytesAccess>(std::move(bytes), std::move(name));
}

RandomAccessPointer part_of(RandomAccessPointer source, std::uint64_t offset, std::uint64_t size,
                            StringArgument name) {
  if (offset > source->size() || size > source->size() - offset)
    corrupt(name, offset, fmt::format("{} bytes should be here, but the file has fewer", size));
  return std::make_shared<PartAccess>(std::move(source), offset, size, std::move(name));
}

}  // namespace cornu::inline v0::io
