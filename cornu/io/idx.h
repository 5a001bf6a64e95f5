#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cornu/base/string_argument.h"
#include "cornu/io/array.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::io {

/// Reads an array in the IDX format, that of MNIST: plain or compressed by gzip, whatever the file's name.
///
/// Format:  two zero bytes, the element type (8 uint8, 9 int8, 11 int16, 12 int32, 13 float32, 14 float64),
///          the rank, the extents as big-endian 32-bit numbers, the elements in row-major order, big-endian.
/// Errors:  those of read_file; DataLoss with file and position if it is not an IDX file, or its length
///          differs from its header; ResourceExhausted beyond the limit.
Array read_idx(const StringArgument& path, const ReadLimits& limits = {});

/// Parses an array from bytes that are not compressed.
Array parse_idx(std::span<const std::byte> bytes, StringViewArgument name, const ReadLimits& limits = {});

}  // namespace cornu::inline v0::io
