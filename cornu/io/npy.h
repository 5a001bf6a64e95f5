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
/// Errors:  those of read_file; DataLoss that names file and position for what is no such file, an array of
///          Python objects (see parse_npy_lists), structured or text elements, more than 64 axes, or another
///          length than the header says; ResourceExhausted beyond the limit.
Array read_npy(const StringArgument& path, const ReadLimits& limits = {});
Array parse_npy(std::span<const std::byte> bytes, StringViewArgument name, const ReadLimits& limits = {});

/// What an array's file holds and where, for readers of single rows.
struct StoredArray {
  ElementType type = ElementType::kU8;
  std::vector<std::int64_t> dims;
  RandomAccessPointer elements;  // row-major
  bool other_order = false;      // their bytes are not in this machine's order
};
/// Errors:  as parse_npy, but for the limit and for truth values, which nobody has read yet; DataLoss for an
///          array in Fortran order, too.
StoredArray open_npy(RandomAccessPointer bytes);

/// Writes an array as numpy.save does, byte for byte: version 1, C order, this machine's byte order. The file
/// is there whole or not at all.
///
/// Errors:  InvalidArgument for elements that do not fill the extents, or more than 64 axes; those of
///          WholeFile.
void write_npy(const StringArgument& path, const ArrayView& array);
/// What stands before the elements. Errors: as above.
std::string npy_header(const ArrayView& array);

/// Reads a one-dimensional array of Python objects of which each is a list of integers, as NumPy stores it:
/// pickled.
///
/// Nothing in the file is executed: a reader of our own takes the few opcodes that such an array needs, knows
/// NumPy's array, dtype and reconstruction by name, and refuses everything else by its name (see pickle.h).
/// The limit is of the memory that the lists take.
IntegerLists parse_npy_lists(std::span<const std::byte> bytes, StringViewArgument name,
                             const ReadLimits& limits = {});

}  // namespace cornu::inline v0::io
