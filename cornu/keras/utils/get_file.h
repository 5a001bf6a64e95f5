#pragma once

#include <string>

#include "cornu/base/string_argument.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::keras::utils {

struct GetFileOptions {  // options/functions.toml
  /// Name of the file in the cache; empty: that of the address. With a name without a dot, archives are
  /// unpacked into a folder of this name.
  std::string fname = {};
  /// Digest that the file must have, in hexadecimal; empty: any file.
  std::string file_hash = {};
  /// Folder in cache_dir, or an absolute path.
  std::string cache_subdir = "datasets";
  /// Algorithm of file_hash: "sha256", "md5", or "auto" for the one that fits its length.
  std::string hash_algorithm = "auto";
  /// True: unpacks the archive and returns the path of the folder.
  bool extract = false;
  /// Format of the archive: "tar", also compressed by gzip, "zip", or "auto".
  std::string archive_format = "auto";
  /// Folder of the cache; empty: KERAS_HOME, or .keras in the home folder.
  std::string cache_dir = {};
  /// True: fetches the file also if it is in the cache.
  bool force_download = false;
  /// Largest size of the file, and of an archive's content.
  io::ReadLimits limits = {};
};

/// Copies a file of an address into a cache, once, and returns its path; with `extract` the path of the folder
/// that a tar (also compressed by gzip) or zip archive was unpacked into.
///
///     const std::string path = utils::get_file("https://host/mnist.npz", {.file_hash = "731c5ac602752760c8e4..."});
///
/// `origin` is an address http://, https://, file:// or of a scheme of io::register_file_system. The file is
/// complete or absent: it gets its name after its hash was compared. A cached file whose hash is wrong is
/// fetched again. Members of an archive whose paths would leave the folder are refused, links in it are left
/// out with a warning, and nothing else is written.
/// Errors:  InvalidArgument without an origin or a name, for a name with "/", an unknown algorithm or format,
///          a member outside of the folder, and a file that is no archive; DataLoss for a wrong hash;
///          FailedPrecondition if there is no folder for the cache; ResourceExhausted beyond limits; those of
///          io::open_http, io::WholeFile and io::ZipFile.
/// Source:  keras.utils.get_file.
std::string get_file(const StringArgument& origin, const GetFileOptions& options = {});

}  // namespace cornu::inline v0::keras::utils
