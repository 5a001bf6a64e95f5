#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/io/byte_stream.h"
#include "cornu/io/random_access.h"

namespace cornu::inline v0::io {

/// What opens a path with a scheme ("https://host/train.tfrecord").
using OpenWithScheme = std::function<RandomAccessPointer(const std::string& path)>;

/// The paths that fit a pattern of the shell, in which "*" and "?" fit no "/"
/// ("gs://bucket/train/*.tfrecord").
using ListWithScheme = std::function<std::vector<std::string>(const std::string& pattern)>;

/// Makes paths with this scheme be opened so, in open_file, file_size and open_random_access,
/// and thereby in data sets of files. There are "http" and "https" (see http/http_access.h) and "gs" (see
/// google_storage.h); one that is registered again is replaced. Where `list` is given, Dataset::list_files
/// takes patterns of the scheme.
///
///     io::register_file_system("archive", [](const std::string& path) {
///       return io::keep_bytes(bytes_of(path), path);
///     });
///
/// Errors:  InvalidArgument unless the scheme is letters, digits, "+", "-" and "." behind a letter,
///          all lower case.
/// Threads: safe.
void register_file_system(const StringArgument& scheme, OpenWithScheme open, ListWithScheme list = {});

/// Null for a path of this machine: one without a scheme.
/// Errors: NotFound for a scheme that nobody registered.
RandomAccessPointer open_with_scheme(const StringArgument& path);

/// Nothing for a path of this machine.
/// Errors: NotFound as open_with_scheme; Unimplemented for schemes that are not listed.
std::optional<std::vector<std::string>> list_with_scheme(const StringArgument& pattern);

/// The bytes from the front on.
std::unique_ptr<ByteStream> stream_of(RandomAccessPointer bytes);

}  // namespace cornu::inline v0::io
