#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/io/byte_stream.h"
#include "cornu/io/random_access.h"

namespace cornu::inline v0::io {

/// Opens a path with a scheme ("https://host/train.tfrecord").
using OpenWithScheme = std::function<RandomAccessPointer(const std::string& path)>;

/// Lists the paths that match a shell pattern, in which "*" and "?" do not match "/"
/// ("gs://bucket/train/*.tfrecord").
using ListWithScheme = std::function<std::vector<std::string>(const std::string& pattern)>;

/// Registers functions that open paths with this scheme, in open_file, file_size and open_random_access, and
/// so in data sets of files. "http", "https" (see http/http_access.h) and "gs" (see google_storage.h) are
/// built in; registering a scheme again replaces it. With `list`, Dataset::list_files accepts patterns of the
/// scheme.
///
///     io::register_file_system("archive", [](const std::string& path) {
///       return io::keep_bytes(bytes_of(path), path);
///     });
///
/// Errors:  InvalidArgument unless the scheme is a letter followed by letters, digits, "+", "-" and ".", all
///          lower case.
/// Threads: safe.
void register_file_system(const StringArgument& scheme, OpenWithScheme open, ListWithScheme list = {});

/// Opens a path with a scheme; null for a local path, without one.
/// Errors: NotFound for a scheme that is not registered.
RandomAccessPointer open_with_scheme(const StringArgument& path);

/// Lists the paths of a pattern with a scheme; nullopt for a local path.
/// Errors: NotFound as in open_with_scheme; Unimplemented for schemes without listing.
std::optional<std::vector<std::string>> list_with_scheme(const StringArgument& pattern);

/// Reads the bytes sequentially from the front.
std::unique_ptr<ByteStream> stream_of(RandomAccessPointer bytes);

}  // namespace cornu::inline v0::io
