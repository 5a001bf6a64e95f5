#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/io/array.h"
#include "cornu/io/file.h"
#include "cornu/io/random_access.h"

namespace cornu::inline v0::io {

/// Reads an array in NumPy's .npy format (versions 1 to 3): booleans, integers and floating-point numbers of
/// either byte order, in C or Fortran order; the result is row-major.
///
/// Errors:  those of read_file; DataLoss with file and position for other content, an array of Python objects
///          (see parse_npy_lists), structured or text elements, more than 64 axes, or a length that differs
///          from the header; ResourceExhausted beyond the limit.
Array read_npy(const StringArgument& path, const ReadLimits& limits = {});
Array parse_npy(std::span<const std::byte> bytes, StringViewArgument name, const ReadLimits& limits = {});

/// The type, extents and position of an array in a file, for readers of single rows.
struct StoredArray {
  ElementType type = ElementType::kU8;
  std::vector<std::int64_t> dims;
  RandomAccessPointer elements;  // row-major
  bool other_order = false;      // true if their bytes are not in this machine's order
};
/// Errors:  those of parse_npy, except its limit and its check of truth values, which are not read here;
///          DataLoss for an array in Fortran order, too.
StoredArray open_npy(RandomAccessPointer bytes);

/// Writes an array exactly as numpy.save does: version 1, C order, this machine's byte order. The file is
/// written atomically.
///
/// Errors:  InvalidArgument if the number of elements does not match the extents, or for more than 64 axes;
///          those of WholeFile.
void write_npy(const StringArgument& path, const ArrayView& array);
/// The bytes before the elements. Errors: those of write_npy for the array.
std::string npy_header(const ArrayView& array);

/// Reads a one-dimensional array of Python objects, each a list of integers, as NumPy stores it: pickled.
///
/// Nothing in the file is executed: Cornu's own reader interprets only the few opcodes that such an array
/// needs, recognizes NumPy's array, dtype and reconstruction by name, and rejects everything else with its
/// name (see pickle.h). The limit applies to the memory of the lists.
IntegerLists parse_npy_lists(std::span<const std::byte> bytes, StringViewArgument name,
                             const ReadLimits& limits = {});

}  // namespace cornu::inline v0::io
