#include "cornu/io/npz.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <set>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/undefined.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/npy.h"

namespace cornu::inline v0::io {
struct NpzFile::Archive {
  /// minizip reads an archive through these: from memory, bounded.
  struct MemoryStream {
    std::span<const std::byte> bytes;
    std::uint64_t position = 0;

    static voidpf open(voidpf opaque, const void*, int) { return opaque; }
    static uLong read(voidpf, voidpf stream, void* buffer, uLong size) {
      auto& self = *static_cast<MemoryStream*>(stream);
      const std::uint64_t count = std::min<std::uint64_t>(size, self.bytes.size() - self.position);
      if (count > 0) std::memcpy(buffer, self.bytes.data() + self.position, count);
      self.position += count;
      return static_cast<uLong>(count);
    }
    static uLong write(voidpf, voidpf, const void*, uLong) { return 0; }
    static ZPOS64_T tell(voidpf, voidpf stream) { return static_cast<MemoryStream*>(stream)->position; }
    static long seek(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
      auto& self = *static_cast<MemoryStream*>(stream);
      const std::uint64_t base = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                                 : origin == ZLIB_FILEFUNC_SEEK_CUR ? self.position
                                                                    : self.bytes.size();
      if (base > self.bytes.size() || offset > self.bytes.size() - base) return -1;
      self.position = base + offset;
      return 0;
    }
    static int close(voidpf, voidpf) { return 0; }
    static int error(voidpf, voidpf) { return 0; }

    zlib_filefunc64_def functions() { return {open, read, write, tell, seek, close, error, this}; }
  };

  struct ZipCloser {
    void operator()(void* archive) const { unzClose(archive); }
  };

  std::vector<std::byte> owned;
  std::string name;
  ReadLimits limits;
  MemoryStream stream;
  std::unique_ptr<void, ZipCloser> zip;

  void open() {
    zlib_filefunc64_def functions = stream.functions();
    zip.reset(unzOpen2_64(name.c_str(), &functions));
    if (zip == nullptr)
      corrupt(name, 0,
              "not an .npz file, or one that is cut off: it has no directory of a zip archive; get it again");
  }

  /// The entry where the archive stands: its name and how it is stored.
  std::string entry_name(unz_file_info64* info) const {
    constexpr uLong kLongestName = 4096;
    std::string entry(kLongestName, '\0');
    if (unzGetCurrentFileInfo64(zip.get(), info, entry.data(), kLongestName, nullptr, 0, nullptr, 0) !=
        UNZ_OK)
      corrupt(name, stream.position, "the archive's directory is damaged; get the file again");
    entry.resize(std::min<uLong>(info->size_filename, kLongestName));
    return entry;
  }

  /// Calls f(name) for each entry until it says true. False when it never did.
  template <typename F>
  bool find_entry(F&& f) const {
    for (int code = unzGoToFirstFile(zip.get()); code != UNZ_END_OF_LIST_OF_FILE;
         code = unzGoToNextFile(zip.get())) {
      if (code != UNZ_OK)
        corrupt(name, stream.position, "the archive's directory is damaged; get the file again");
      unz_file_info64 info = {};
      if (f(entry_name(&info), info)) return true;
    }
    return false;
  }

  std::vector<std::byte> unpack(std::string_view array_name) const {
    const std::string wanted = std::string(array_name) + ".npy";
    std::vector<std::string> there;
    unz_file_info64 info = {};
    const bool found = find_entry([&](const std::string& entry, const unz_file_info64& entry_info) {
      info = entry_info;
      there.push_back(entry);
      return entry == wanted;
    });
    if (!found)
      fail(ErrorCode::kNotFound, "[io] {} has no array \"{}\"; it has: {}", name, array_name,
           fmt::join(there, ", "));
    if ((info.flag & 1) != 0)
      corrupt(name, stream.position, fmt::format("{} is encrypted, which is not supported", wanted));
    if (info.compression_method != 0 && info.compression_method != Z_DEFLATED)
      corrupt(name, stream.position,
              fmt::format("{} is compressed by method {}; NumPy stores or deflates", wanted,
                          info.compression_method));
    check_size(name, wanted, info.uncompressed_size, limits);
    return read_entry(wanted, info.uncompressed_size);
  }

  /// The size that the directory names is a claim: memory grows with what really comes out. minizip compares
  /// sums only where that is the size.
  std::vector<std::byte> read_entry(const std::string& wanted, std::uint64_t size_bytes) const {
    if (unzOpenCurrentFile(zip.get()) != UNZ_OK)
      corrupt(name, stream.position, fmt::format("{} cannot be read; get the file again", wanted));
    constexpr unsigned kChunk = 1U << 16;
    std::vector<std::byte> bytes;
    int count = 0;
    do {
      const std::size_t done = bytes.size();
      bytes.resize(done + kChunk);
      count = unzReadCurrentFile(zip.get(), bytes.data() + done, kChunk);
      bytes.resize(done + static_cast<std::size_t>(std::max(count, 0)));
      if (std::cmp_greater(bytes.size(), limits.max_size_bytes)) break;
    } while (count > 0);
    const bool sums_agree = unzCloseCurrentFile(zip.get()) == UNZ_OK;
    check_size(name, wanted, bytes.size(), limits);
    if (count < 0 || !sums_agree || bytes.size() != size_bytes)
      corrupt(name, stream.position, fmt::format("{} is damaged or cut off; get the file again", wanted));
    return bytes;
  }

  std::string where(std::string_view array_name) const { return name + "[" + std::string(array_name) + "]"; }
};

NpzFile::NpzFile(std::span<const std::byte> bytes, std::string name, const ReadLimits& limits)
    : archive_(std::make_unique<Archive>()) {
  archive_->name = std::move(name);
  archive_->limits = limits;
  archive_->stream.bytes = bytes;
  archive_->open();
}

NpzFile::NpzFile(const std::string& path, const ReadLimits& limits) : archive_(std::make_unique<Archive>()) {
  archive_->name = path;
  archive_->limits = limits;
  archive_->owned = read_file(path, limits);
  archive_->stream.bytes = archive_->owned;
  archive_->open();
}

NpzFile::~NpzFile() = default;
NpzFile::NpzFile(NpzFile&& other) noexcept = default;
const NpzFile::Archive& NpzFile::archive() const { return require_defined(archive_, "npz file"); }

std::vector<std::string> NpzFile::names() const {
  std::vector<std::string> result;
  archive().find_entry([&](const std::string& entry, const unz_file_info64&) {
    result.push_back(entry.ends_with(".npy") ? entry.substr(0, entry.size() - 4) : entry);
    return false;
  });
  return result;
}

Array NpzFile::read(std::string_view array_name) const {
  return parse_npy(archive().unpack(array_name), archive().where(array_name), archive().limits);
}

namespace {

/// minizip writes an archive through these.
struct FileStream {
  WholeFile file;
  std::uint64_t position = 0;
  std::uint64_t end = 0;
  std::exception_ptr error = {};  // no exception crosses minizip

  explicit FileStream(const std::string& path) : file(path) {}

  static voidpf open(voidpf opaque, const void*, int) { return opaque; }
  static uLong read(voidpf, voidpf, void*, uLong) { return 0; }
  static uLong write(voidpf, voidpf stream, const void* buffer, uLong size) {
    auto& self = *static_cast<FileStream*>(stream);
    try {
      self.file.write({static_cast<const std::byte*>(buffer), size});
    } catch (...) {
      self.error = std::current_exception();
      return 0;
    }
    self.position += size;
    self.end = std::max(self.end, self.position);
    return size;
  }
  static ZPOS64_T tell(voidpf, voidpf stream) { return static_cast<FileStream*>(stream)->position; }
  static long seek(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
    auto& self = *static_cast<FileStream*>(stream);
    self.position = offset + (origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                              : origin == ZLIB_FILEFUNC_SEEK_CUR ? self.position
                                                                 : self.end);
    try {
      self.file.seek(self.position);
    } catch (...) {
      self.error = std::current_exception();
      return -1;
    }
    return 0;
  }
  static int close(voidpf, voidpf) { return 0; }
  static int has_error(voidpf, voidpf stream) {
    return static_cast<FileStream*>(stream)->error != nullptr ? 1 : 0;
  }

  zlib_filefunc64_def functions() { return {open, read, write, tell, seek, close, has_error, this}; }
};

struct OpenZip {
  explicit OpenZip(FileStream& stream) {
    zlib_filefunc64_def functions = stream.functions();
    zip = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
    if (zip == nullptr) fail(ErrorCode::kResourceExhausted, "[io] zlib has no memory");
  }
  ~OpenZip() { close(); }
  OpenZip(const OpenZip&) = delete;
  OpenZip& operator=(const OpenZip&) = delete;
  bool close() { return zip == nullptr || zipClose(std::exchange(zip, nullptr), nullptr) == ZIP_OK; }
  zipFile zip = nullptr;
};

bool write_entry(zipFile zip, const std::string& name, const ArrayView& array, bool compressed) {
  const std::string header = npy_header(array);
  zip_fileinfo info = {};  // the date that NumPy gives all: files of the same arrays are the same
  info.tmz_date.tm_year = 1980;
  info.tmz_date.tm_mday = 1;
  constexpr uLong kMadeByVersion = 20, kNamesAreUtf8 = 1U << 11;
  constexpr std::uint64_t kLargestZip32Entry = 0xF0000000;  // what is compressed may grow a little
  const int is_large = header.size() + array.data.size() > kLargestZip32Entry ? 1 : 0;
  if (zipOpenNewFileInZip4_64(zip, (name + ".npy").c_str(), &info, nullptr, 0, nullptr, 0, nullptr,
                              compressed ? Z_DEFLATED : 0, Z_DEFAULT_COMPRESSION, 0, -MAX_WBITS,
                              DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nullptr, 0, kMadeByVersion, kNamesAreUtf8,
                              is_large) != ZIP_OK)
    return false;
  bool is_written = zipWriteInFileInZip(zip, header.data(), static_cast<unsigned>(header.size())) == ZIP_OK;
  constexpr std::size_t kLargestPart = std::size_t{1} << 30;  // minizip counts in 32 bits
  for (std::span<const std::byte> rest = array.data; is_written && !rest.empty();) {
    const std::size_t size = std::min(rest.size(), kLargestPart);
    is_written = zipWriteInFileInZip(zip, rest.data(), static_cast<unsigned>(size)) == ZIP_OK;
    rest = rest.subspan(size);
  }
  return zipCloseFileInZip(zip) == ZIP_OK && is_written;
}

void check_entry_names(std::span<const std::pair<std::string, ArrayView>> arrays) {
  std::set<std::string_view> names;
  for (const auto& [name, array] : arrays) {
    bool is_text = !name.empty() && name.find('\0') == std::string::npos;
    for (std::size_t i = 0; is_text && i < name.size();) {
      const std::size_t length = utf8_length(name, i);
      is_text = length > 0;
      i += length;
    }
    if (!is_text)
      invalid_argument("[io] the name of an array in an .npz file must be a text in UTF-8; array {} has none",
                       names.size());
    if (!names.insert(name).second) invalid_argument("[io] two arrays are named \"{}\"", shown(name));
  }
}

}  // namespace

void write_npz(const std::string& path, std::span<const std::pair<std::string, ArrayView>> arrays,
               const WriteNpzOptions& options) {
  check_entry_names(arrays);
  FileStream stream(path);
  OpenZip archive(stream);
  bool is_written = true;
  for (const auto& [name, array] : arrays)
    is_written = is_written && write_entry(archive.zip, name, array, options.compressed);
  is_written = archive.close() && is_written;
  if (stream.error != nullptr) std::rethrow_exception(stream.error);
  if (!is_written)
    fail(ErrorCode::kResourceExhausted,
         "[io] cannot write {}: the archive could not be made; is there memory?", shown(path));
  stream.file.commit();
}

IntegerLists NpzFile::read_lists(std::string_view array_name) const {
  return parse_npy_lists(archive().unpack(array_name), archive().where(array_name), archive().limits);
}

}  // namespace cornu::inline v0::io
