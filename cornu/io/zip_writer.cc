#include <minizip/zip.h>
#include <zlib.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/zip.h"

namespace cornu::inline v0::io {

struct ZipWriter::Archive {
  /// The destination of an archive for minizip's callbacks.
  struct ZipTarget {
    WholeFile file;
    std::uint64_t position = 0;
    std::uint64_t end = 0;
    std::exception_ptr error = {};  // exceptions must not cross minizip

    ZipTarget(const std::string& path, Links links) : file(path, links) {}

    static voidpf open(voidpf opaque, const void*, int) { return opaque; }
    static uLong read(voidpf, voidpf, void*, uLong) { return 0; }
    static uLong write(voidpf, voidpf stream, const void* buffer, uLong size) {
      auto& self = *static_cast<ZipTarget*>(stream);
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
    static ZPOS64_T tell(voidpf, voidpf stream) { return static_cast<ZipTarget*>(stream)->position; }
    static long seek(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
      auto& self = *static_cast<ZipTarget*>(stream);
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
      return static_cast<ZipTarget*>(stream)->error != nullptr ? 1 : 0;
    }

    zlib_filefunc64_def functions() { return {open, read, write, tell, seek, close, has_error, this}; }
  };

  ZipTarget target;
  std::string path;
  zipFile zip = nullptr;

  Archive(const std::string& file_path, Links links) : target(file_path, links), path(file_path) {
    zlib_filefunc64_def functions = target.functions();
    zip = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
    if (zip == nullptr) fail(ErrorCode::kResourceExhausted, "[io] zlib could not allocate memory");
  }
  ~Archive() { close(); }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  bool close() { return zip == nullptr || zipClose(std::exchange(zip, nullptr), nullptr) == ZIP_OK; }

  void require(bool is_written) const {
    if (target.error != nullptr) std::rethrow_exception(target.error);
    if (!is_written)
      fail(ErrorCode::kResourceExhausted,
           "[io] cannot write {}: the archive could not be made; is there enough memory?", shown(path));
  }

  void write(std::span<const std::byte> rest) const {
    constexpr std::size_t kLargestPart = std::size_t{1} << 30;  // minizip counts in 32 bits
    while (!rest.empty()) {
      const std::size_t size = std::min(rest.size(), kLargestPart);
      require(zipWriteInFileInZip(zip, rest.data(), static_cast<unsigned>(size)) == ZIP_OK);
      rest = rest.subspan(size);
    }
  }
};

ZipWriter::ZipWriter(const std::string& path, Links links)
    : archive_(std::make_unique<Archive>(path, links)) {}
ZipWriter::~ZipWriter() = default;

void ZipWriter::add(const std::string& member, std::uint64_t size_bytes, bool compressed,
                    const std::function<void(const ByteSink&)>& write) {
  zip_fileinfo info = {};  // NumPy's fixed date: equal members give equal files
  info.tmz_date.tm_year = 1980;
  info.tmz_date.tm_mday = 1;
  constexpr uLong kMadeByVersion = 20, kNamesAreUtf8 = 1U << 11;
  constexpr std::uint64_t kLargestZip32Entry = 0xF0000000;  // compressed data may be slightly larger
  const int is_large = size_bytes > kLargestZip32Entry ? 1 : 0;
  archive_->require(zipOpenNewFileInZip4_64(archive_->zip, member.c_str(), &info, nullptr, 0, nullptr, 0,
                                            nullptr, compressed ? Z_DEFLATED : 0, Z_DEFAULT_COMPRESSION, 0,
                                            -MAX_WBITS, DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nullptr, 0,
                                            kMadeByVersion, kNamesAreUtf8, is_large) == ZIP_OK);
  write([&](std::span<const std::byte> bytes) { archive_->write(bytes); });
  archive_->require(zipCloseFileInZip(archive_->zip) == ZIP_OK);
}

void ZipWriter::add(const std::string& member, std::string_view text) {
  add(member, text.size(), false, [&](const ByteSink& sink) { sink(std::as_bytes(std::span(text))); });
}

void ZipWriter::commit() {
  archive_->require(archive_->close());
  archive_->target.file.commit();
}

}  // namespace cornu::inline v0::io
