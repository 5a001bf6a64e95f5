#pragma once

#include <functional>
#include <string>

#include "cornu/io/byte_stream.h"
#include "cornu/io/random_access.h"

namespace cornu::inline v0::io {

/// What opens a path with a scheme ("https://host/train.tfrecord").
using OpenWithScheme = std::function<RandomAccessPointer(const std::string& path)>;

/// Makes paths with this scheme be opened so, in open_file, file_size and open_random_access, and thereby in data sets of files.
/// There are "http" and "https" (see http/http_access.h) and "gs" (public objects: gs://bucket/object); one that is
/// registered again is replaced.
///
///     io::register_file_system("archive", [](const std::string& path) { return io::keep_bytes(bytes_of(path), path); });
///
/// Errors:  InvalidArgument unless the scheme is letters, digits, "+", "-" and "." behind a letter, all lower case.
/// Threads: safe.
void register_file_system(const std::string& scheme, OpenWithScheme open);

/// Null for a path of this machine: one without a scheme. Errors: NotFound for a scheme that nobody registered.
RandomAccessPointer open_with_scheme(const std::string& path);

/// The bytes from the front on.
std::unique_ptr<ByteStream> stream_of(RandomAccessPointer bytes);

}  // namespace cornu::inline v0::io
