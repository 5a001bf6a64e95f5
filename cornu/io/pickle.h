#pragma once

#include "cornu/io/array.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::io {

/// Reads NumPy's pickle of a one-dimensional object array of lists of integers (protocols 2 to 5), up to and
/// including the STOP opcode.
///
/// A pickle is a program for a stack machine that can call anything. This reader is not such a machine: it
/// interprets the opcodes that build numbers, texts, tuples and lists, four names (NumPy's ndarray, dtype and
/// _reconstruct, and _codecs.encode, which protocol 2 uses for bytes), and two kinds of value built with
/// them: a dtype of objects and the array. Nothing is imported, looked up or called.
/// Errors:  DataLoss, with the position, for every other opcode and name (with its name), for a stack that
///          does not fit, and for a file whose lists are repeated by reference until they are larger than the
///          file, or are more than `num_lists`; ResourceExhausted as soon as the result takes more memory
///          than the limit.
IntegerLists parse_pickled_lists(ByteReader& reader, std::int64_t num_lists, const ReadLimits& limits = {});

}  // namespace cornu::inline v0::io
