#include "cornu/io/zip.h"

#include <minizip/unzip.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/undefined.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/crc32.h"

namespace cornu::inline v0::io {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;
/// A decompressed size that is always accepted, at any ratio: arrays of zeros are data, too.
constexpr std::uint64_t kAlwaysFine = std::uint64_t{64} << 20;
/// The same limit for texts, whose parsed form is many times larger.
constexpr std::uint64_t kAlwaysFineText = std::uint64_t{1} << 20;

/// The checksum that zip stores for a member.
std::uint32_t sum_of(const RandomAccess& bytes) {
  std::uint32_t sum = 0;
  std::vector<std::byte> chunk(std::size_t{1} << 18);  // fits in a core's cache
  for (std::uint64_t done = 0; done < bytes.size();) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), bytes.size() - done));
    bytes.read(done, std::span(chunk).first(size));
    sum = crc32(std::span(chunk).first(size), sum);
    done += size;
  }
  return sum;
}

}  // namespace

struct ZipFile::Archive {
  /// The source of an archive for minizip's callbacks.
  struct ZipSource {
    RandomAccessPointer bytes;
    std::uint64_t position = 0;

    static voidpf open(voidpf opaque, const void*, int) { return opaque; }
    static uLong read(voidpf, voidpf stream, void* buffer, uLong size) {
      auto& self = *static_cast<ZipSource*>(stream);
      const std::uint64_t count = std::min<std::uint64_t>(size, self.bytes->size() - self.position);
      try {
        self.bytes->read(self.position, {static_cast<std::byte*>(buffer), count});
      } catch (...) {  // minizip sees the end of the file
        return 0;
      }
      self.position += count;
      return static_cast<uLong>(count);
    }
    static uLong write(voidpf, voidpf, const void*, uLong) { return 0; }
    static ZPOS64_T tell(voidpf, voidpf stream) { return static_cast<ZipSource*>(stream)->position; }
    static long seek(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
      auto& self = *static_cast<ZipSource*>(stream);
      const std::uint64_t base = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                                 : origin == ZLIB_FILEFUNC_SEEK_CUR ? self.position
                                                                    : self.bytes->size();
      if (base > self.bytes->size() || offset > self.bytes->size() - base) return -1;
      self.position = base + offset;
      return 0;
    }
    static int close(voidpf, voidpf) { return 0; }
    static int error(voidpf, voidpf) { return 0; }

    zlib_filefunc64_def functions() { return {open, read, write, tell, seek, close, error, this}; }
  };

  struct ZipCloser {
    void operator()(void* file) const { unzClose(file); }
  };

  struct Member {
    unz64_file_pos position;
    unz_file_info64 info;
  };

  ReadLimits limits;
  ZipSource source;
  std::unique_ptr<void, ZipCloser> zip;
  std::vector<std::string> order;
  std::map<std::string, Member, std::less<>> members;

  const std::string& name() const { return source.bytes->name(); }

  void open(const std::string& kind) {
    zlib_filefunc64_def functions = source.functions();
    zip.reset(unzOpen2_64(name().c_str(), &functions));
    if (zip == nullptr)
      corrupt(name(), 0,
              fmt::format("not {} file, or one that is cut off: it has no directory of a zip archive; get it "
                          "again",
                          kind));
    check_end();
    for (int code = unzGoToFirstFile(zip.get()); code != UNZ_END_OF_LIST_OF_FILE;
         code = unzGoToNextFile(zip.get())) {
      Member member = {};
      if (code != UNZ_OK || unzGetFilePos64(zip.get(), &member.position) != UNZ_OK) damaged();
      const std::string member_name = entry_name(&member.info);
      order.push_back(member_name);
      if (!members.emplace(member_name, member).second)
        corrupt(name(), source.position, fmt::format("two members are named \"{}\"", member_name));
    }
  }

  /// Rejects an archive that is cut off inside its last number, which minizip accepts.
  void check_end() const {
    constexpr std::uint64_t kEndBytes = 22;
    constexpr std::array<std::byte, 4> kEndMark = {std::byte{'P'}, std::byte{'K'}, std::byte{5},
                                                   std::byte{6}};
    unz_global_info64 about = {};
    if (unzGetGlobalInfo64(zip.get(), &about) != UNZ_OK) damaged();
    const std::uint64_t from_end = kEndBytes + about.size_comment;
    std::array<std::byte, 4> mark = {};
    if (from_end <= source.bytes->size()) source.bytes->read(source.bytes->size() - from_end, mark);
    if (mark != kEndMark) damaged();
  }

  [[noreturn]] void damaged() const {
    corrupt(name(), source.position, "the archive's directory is damaged; get the file again");
  }

  /// The name of the archive's current entry.
  std::string entry_name(unz_file_info64* info) const {
    constexpr uLong kLongestName = 4096;
    std::string entry(kLongestName, '\0');
    if (unzGetCurrentFileInfo64(zip.get(), info, entry.data(), kLongestName, nullptr, 0, nullptr, 0) !=
        UNZ_OK)
      damaged();
    entry.resize(std::min<uLong>(info->size_filename, kLongestName));
    return entry;
  }

  const Member& find(std::string_view wanted) const {
    const auto found = members.find(wanted);
    if (found == members.end())
      fail(ErrorCode::kNotFound, "[io] {} has no member \"{}\"; it has: {}", name(), shown(wanted),
           shown(fmt::format("{}", fmt::join(order, ", "))));
    const unz_file_info64& info = found->second.info;
    if ((info.flag & 1) != 0)
      corrupt(name(), source.position, fmt::format("{} is encrypted, which is not supported", wanted));
    if (info.compression_method != 0 && info.compression_method != Z_DEFLATED)
      corrupt(name(), source.position,
              fmt::format("{} is compressed by method {}; only stored and deflated members are read", wanted,
                          info.compression_method));
    // The ratio below relies on it.
    if (info.compressed_size > source.bytes->size())
      corrupt(name(), source.position,
              fmt::format("{} should have {} bytes here, more than the whole archive; get it again", wanted,
                          info.compressed_size));
    return found->second;
  }

  /// Errors: ResourceExhausted if the claimed decompressed size exceeds the limit of a member.
  void check_unpacked(std::string_view wanted, const Member& member, std::uint64_t always_fine) const {
    constexpr std::uint64_t kLargestRatio = 100;
    const std::uint64_t size_bytes = member.info.uncompressed_size;
    check_size(name(), wanted, size_bytes, limits);
    if (size_bytes > always_fine && size_bytes / kLargestRatio > member.info.compressed_size)
      fail(ErrorCode::kResourceExhausted,
           "[io] {}: {} unpacks to more than {} times its size, {} bytes of {}: this is not an archive of "
           "data",
           shown(name()), shown(wanted), kLargestRatio, size_bytes, member.info.compressed_size);
  }

  void go_to(std::string_view wanted, const Member& member) const {
    unz64_file_pos position = member.position;
    if (unzGoToFilePos64(zip.get(), &position) != UNZ_OK || unzOpenCurrentFile(zip.get()) != UNZ_OK)
      corrupt(name(), source.position, fmt::format("{} cannot be read; get the file again", wanted));
  }

  /// Makes space for `size` bytes. Memory follows the actual data: at most twice the bytes present, or 64
  /// MiB.
  void make_room(std::vector<std::byte>& bytes, std::size_t size, std::uint64_t claimed,
                 std::string_view member) const {
    if (size <= bytes.capacity()) return;
    const std::uint64_t most = std::max<std::uint64_t>(kAlwaysFine, 2 * bytes.capacity());
    const std::uint64_t wanted = std::max<std::uint64_t>(size, std::min(most, claimed));
    with_host_memory(
        CheckedSize(wanted),
        [&] { return fmt::format("[io] {}: the unpacked {}", shown(name()), shown(member)); },
        [&] { bytes.reserve(wanted); });
  }

  /// Decompresses a member. The size in the directory is only a claim: memory grows with the actual output.
  /// minizip verifies checksums only if the size is right.
  std::vector<std::byte> unpack(std::string_view wanted, const Member& member,
                                std::uint64_t always_fine = kAlwaysFine) const {
    check_unpacked(wanted, member, always_fine);
    go_to(wanted, member);
    std::vector<std::byte> bytes;
    int count = 0;
    do {
      const std::size_t done = bytes.size();
      // Read one more byte than expected, to detect a longer member.
      const std::size_t room =
          std::min<std::uint64_t>(kChunk, member.info.uncompressed_size - done + std::uint64_t{1});
      make_room(bytes, done + room, member.info.uncompressed_size + 1, wanted);
      bytes.resize(done + room);
      count = unzReadCurrentFile(zip.get(), bytes.data() + done, static_cast<unsigned>(room));
      bytes.resize(done + static_cast<std::size_t>(std::max(count, 0)));
      if (bytes.size() > member.info.uncompressed_size) break;
    } while (count > 0);
    const bool sums_agree = unzCloseCurrentFile(zip.get()) == UNZ_OK;
    if (count < 0 || !sums_agree || bytes.size() != member.info.uncompressed_size)
      corrupt(name(), source.position, fmt::format("{} is damaged or cut off; get the file again", wanted));
    return bytes;
  }

  /// The bytes of a stored member.
  RandomAccessPointer stored(std::string_view wanted, const Member& member) const {
    go_to(wanted, member);
    const std::uint64_t offset = unzGetCurrentFileZStreamPos64(zip.get());
    unzCloseCurrentFile(zip.get());
    if (member.info.compressed_size != member.info.uncompressed_size)
      corrupt(name(), offset, fmt::format("{} is stored, but its two sizes differ", wanted));
    RandomAccessPointer part = part_of(source.bytes, offset, member.info.uncompressed_size,
                                       fmt::format("{}[{}]", name(), shown(wanted)));
    if (sum_of(*part) != member.info.crc)
      corrupt(name(), offset, fmt::format("{} is damaged: its checksum differs; get the file again", wanted));
    return part;
  }
};

// NOLINTNEXTLINE(performance-unnecessary-value-param): the interface; a few bytes, once a file
ZipFile::ZipFile(RandomAccessPointer bytes, std::string kind, const ReadLimits& limits)
    : archive_(std::make_unique<Archive>()) {
  archive_->limits = limits;
  archive_->source.bytes = std::move(bytes);
  archive_->open(kind);
}
ZipFile::~ZipFile() = default;
ZipFile::ZipFile(ZipFile&& other) noexcept = default;

const std::string& ZipFile::name() const { return require_defined(archive_, "zip file").name(); }
const ReadLimits& ZipFile::limits() const { return require_defined(archive_, "zip file").limits; }
std::vector<std::string> ZipFile::members() const { return require_defined(archive_, "zip file").order; }
bool ZipFile::contains(std::string_view member) const {
  return require_defined(archive_, "zip file").members.contains(member);
}
ZipFile::Member ZipFile::about(std::string_view member) const {
  const unz_file_info64& info = require_defined(archive_, "zip file").find(member).info;
  return {.size_bytes = info.uncompressed_size, .is_stored = info.compression_method == 0};
}
std::vector<std::byte> ZipFile::read(std::string_view member) const {
  const Archive& archive = require_defined(archive_, "zip file");
  return archive.unpack(member, archive.find(member));
}
std::string ZipFile::read_text(std::string_view member) const {
  const Archive& archive = require_defined(archive_, "zip file");
  const std::vector<std::byte> bytes = archive.unpack(member, archive.find(member), kAlwaysFineText);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
RandomAccessPointer ZipFile::open(std::string_view member) const {
  const Archive& archive = require_defined(archive_, "zip file");
  const Archive::Member& found = archive.find(member);
  if (found.info.compression_method == 0) return archive.stored(member, found);
  return keep_bytes(archive.unpack(member, found), fmt::format("{}[{}]", archive.name(), shown(member)));
}

}  // namespace cornu::inline v0::io
