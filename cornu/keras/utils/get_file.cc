#include "cornu/keras/utils/get_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/data_environment.h"
#include "cornu/base/log_formatted.h"
#include "cornu/io/digest.h"
#include "cornu/io/http/http_access.h"
#include "cornu/io/random_access.h"
#include "cornu/io/tar.h"
#include "cornu/io/zip.h"

namespace cornu::inline v0::keras::utils {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// The expected digest of a file; without a value every file is right.
struct Hash {
  std::optional<io::Digest::Algorithm> algorithm = {};
  std::string value = {};
};

Hash hash_of(const GetFileOptions& options) {
  std::string value = options.file_hash;
  for (char& c : value) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::string& algorithm = options.hash_algorithm;
  if (algorithm != "auto" && algorithm != "sha256" && algorithm != "md5")
    invalid_argument({.argument = "hash_algorithm"},
                     "[get_file] hash_algorithm must be \"auto\", \"sha256\" or \"md5\"; got \"{}\"",
                     algorithm);
  if (value.empty()) return {};
  constexpr std::size_t kMd5Digits = 32, kSha256Digits = 64;
  const bool is_md5 = algorithm == "md5" || (algorithm == "auto" && value.size() == kMd5Digits);
  if (value.size() != (is_md5 ? kMd5Digits : kSha256Digits))
    invalid_argument(
        {.argument = "file_hash"},
        "[get_file] file_hash must have {} hexadecimal digits for SHA-256, or {} for MD5; got {}",
        kSha256Digits, kMd5Digits, value.size());
  return {is_md5 ? io::Digest::Algorithm::kMd5 : io::Digest::Algorithm::kSha256, std::move(value)};
}

/// Reads all bytes in pieces.
void for_each_piece(const io::RandomAccess& bytes, const io::ByteSink& take) {
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min<std::uint64_t>(kPieceBytes, bytes.size())));
  for (std::uint64_t offset = 0; offset < bytes.size();) {
    const std::span<std::byte> part = std::span(piece).first(
        static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), bytes.size() - offset)));
    bytes.read(offset, part);
    take(part);
    offset += part.size();
  }
}

bool has_hash(const std::string& path, const Hash& hash) {
  if (!hash.algorithm.has_value()) return true;
  io::Digest digest(*hash.algorithm);
  for_each_piece(*io::open_random_access(path), [&](std::span<const std::byte> piece) { digest.add(piece); });
  return digest.hex() == hash.value;
}

/// The bytes of an address. A server without requests of parts sends the whole file at once.
io::RandomAccessPointer open_origin(const std::string& origin, const io::ReadLimits& limits) {
  constexpr std::string_view kFileScheme = "file://";
  constexpr std::int64_t kMostAtOnce = std::int64_t{1} << 28;
  if (origin.starts_with(kFileScheme)) return io::open_random_access(origin.substr(kFileScheme.size()));
  try {
    return io::open_random_access(origin);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kFailedPrecondition || !origin.starts_with("http")) throw;
  }
  const std::string text =
      io::read_http(origin, static_cast<std::size_t>(std::min(limits.max_size_bytes, kMostAtOnce)));
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  return io::keep_bytes({begin, begin + text.size()}, origin);
}

void download(const std::string& origin, const std::string& path, const Hash& hash,
              const io::ReadLimits& limits) {
  const io::RandomAccessPointer bytes = open_origin(origin, limits);
  io::check_size(origin, "the file", bytes->size(), limits);
  io::WholeFile file(path);
  io::Digest digest(hash.algorithm.value_or(io::Digest::Algorithm::kSha256));
  for_each_piece(*bytes, [&](std::span<const std::byte> piece) {
    if (hash.algorithm.has_value()) digest.add(piece);
    file.write(piece);
  });
  if (hash.algorithm.has_value())
    if (const std::string found = digest.hex(); found != hash.value)
      fail(ErrorCode::kDataLoss, {.argument = "file_hash"},
           "[get_file] {}: the file's hash is {}, and not {} as expected: it is incomplete or another file",
           origin, found, hash.value);
  file.commit();
}

/// The last part of the address' path.
std::string name_of(const std::string& origin) {
  const std::size_t scheme = origin.find("://");
  const std::size_t host = scheme == std::string::npos ? 0 : scheme + 3;
  const std::string path = origin.substr(host, origin.find_first_of("?#", host) - host);
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(slash + 1);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    fail(ErrorCode::kFailedPrecondition, "[get_file] the folder {} cannot be made: {}", folder.string(),
         error.message());
}

/// The folder of the cache, which is made if it does not exist.
std::string cache_folder_of(const GetFileOptions& options) {
  const std::optional<std::string> base =
      options.cache_dir.empty() ? environment::keras_home() : std::optional(options.cache_dir);
  if (!base.has_value() && !options.cache_subdir.starts_with("/"))
    fail(ErrorCode::kFailedPrecondition, {.argument = "cache_dir"},
         "[get_file] there is neither KERAS_HOME nor a home folder for the cache: set cache_dir");
  const fs::path folder = fs::path(base.value_or("")) / options.cache_subdir;
  make_folder(folder);
  return folder.string();
}

/// Writes the members of one archive below a folder.
class Extraction {
 public:
  Extraction(std::string archive, fs::path folder)
      : archive_(std::move(archive)), folder_(std::move(folder)) {
    make_folder(folder_);
  }

  void add_folder(const std::string& member) { make_folder(place_of(member)); }
  void add_file(const std::string& member, std::span<const std::byte> content) {
    const fs::path path = place_of(member);
    make_folder(path.parent_path());
    io::WholeFile file(path.string(), io::Links::kRefused);
    file.write(content);
    file.commit();
  }

 private:
  fs::path place_of(const std::string& member) const {
    const fs::path path = fs::path(member).lexically_normal();
    const bool leaves = path.is_absolute() || member.find('\0') != std::string::npos ||
                        member.find('\\') != std::string::npos || (!path.empty() && *path.begin() == "..");
    if (leaves)
      invalid_argument(
          "[get_file] {}: the member \"{}\" is outside of the folder to unpack into; nothing more "
          "is unpacked",
          archive_, member);
    return folder_ / path;
  }

  std::string archive_;
  fs::path folder_;
};

void extract_tar(std::span<const std::byte> bytes, const std::string& archive, Extraction& to) {
  io::read_tar(bytes, archive, [&](const io::TarMember& member) {
    if (member.kind == io::TarMember::Kind::kFolder) to.add_folder(member.path);
    if (member.kind == io::TarMember::Kind::kFile) to.add_file(member.path, member.content);
    if (member.kind == io::TarMember::Kind::kOther)
      log_warning("[get_file] {}: the member \"{}\" is a link or a device and is left out", archive,
                  member.path);
  });
}

void extract_zip(const std::string& archive, const io::ReadLimits& limits, Extraction& to) {
  const io::ZipFile zip(io::open_random_access(archive), ".zip", limits);
  for (const std::string& member : zip.members()) {
    if (member.ends_with("/"))
      to.add_folder(member);
    else
      to.add_file(member, zip.read(member));
  }
}

bool begins_as_zip(const std::string& path) {
  const io::RandomAccessPointer bytes = io::open_random_access(path);
  std::byte begin[2] = {};
  if (bytes->size() < sizeof begin) return false;
  bytes->read(0, begin);
  return begin[0] == std::byte{'P'} && begin[1] == std::byte{'K'};
}

void extract(const std::string& archive, const std::string& folder, const std::string& format,
             const io::ReadLimits& limits) {
  std::error_code unknown;
  const bool existed = fs::exists(folder, unknown);
  try {
    if (format != "tar" && begins_as_zip(archive)) {
      Extraction to(archive, folder);
      return extract_zip(archive, limits, to);
    }
    if (format != "zip") {
      const std::vector<std::byte> bytes = io::read_file_or_gzip(archive, limits);
      if (io::is_tar(bytes)) {
        Extraction to(archive, folder);
        return extract_tar(bytes, archive, to);
      }
    }
  } catch (...) {
    std::error_code ignored;
    if (!existed) fs::remove_all(folder, ignored);
    throw;
  }
  invalid_argument({.argument = "archive_format"}, "[get_file] {} is no archive of the format \"{}\"",
                   archive, format);
}

/// The paths of the downloaded file and of the folder that it is unpacked into.
struct Places {
  std::string file, folder;
};
Places places_of(const std::string& cache, const std::string& name, bool is_given) {
  const fs::path in = cache;
  const std::size_t dot = name.find('.');
  if (is_given && dot != std::string::npos)
    return {(in / name).string(), (in / (name.substr(0, dot) + "_extracted")).string()};
  return {(in / (name + "_archive")).string(), (in / name).string()};
}

}  // namespace

std::string get_file(const StringArgument& origin, const GetFileOptions& options) {
  if (origin.empty())
    invalid_argument({.argument = "origin"}, "[get_file] origin must be the address of a file; got \"\"");
  const std::string name = options.fname.empty() ? name_of(origin) : options.fname;
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos)
    invalid_argument(
        {.argument = "fname"},
        "[get_file] fname must be the name of a file without folders (the folder is cache_dir); got "
        "\"{}\"",
        name);
  if (options.archive_format != "auto" && options.archive_format != "tar" && options.archive_format != "zip")
    invalid_argument({.argument = "archive_format"},
                     "[get_file] archive_format must be \"auto\", \"tar\" or \"zip\"; got \"{}\"",
                     options.archive_format);
  const Hash hash = hash_of(options);
  const std::string cache = cache_folder_of(options);
  const Places places = places_of(cache, name, !options.fname.empty());
  const std::string path = options.extract ? places.file : (fs::path(cache) / name).string();
  std::error_code unknown;
  if (options.force_download || !fs::exists(path, unknown) || !has_hash(path, hash))
    download(origin, path, hash, options.limits);
  if (!options.extract) return path;
  extract(path, places.folder, options.archive_format, options.limits);
  return places.folder;
}

}  // namespace cornu::inline v0::keras::utils
