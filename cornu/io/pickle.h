#pragma once

#include "cornu/io/array.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::io {

/// Reads what NumPy pickles for a one-dimensional object array of lists of integers (protocols 2 to 5), up to
/// and with the STOP opcode.
///
/// A pickle is a program for a stack machine that can call anything. This reader is no such machine: it knows
/// the opcodes that build numbers, texts, tuples and lists, four names (NumPy's ndarray, dtype and
/// _reconstruct, and _codecs.encode, by which protocol 2 spells bytes), and two shapes of value that may be
/// built with them: a dtype of objects and the array. Nothing is imported, looked up or called.
/// Errors:  DataLoss, with the position, for every other opcode and name (by its name), for a stack that does
///          not fit, and for a file whose lists are repeated by reference until they are larger than the
///          file, or are more than `num_lists`; ResourceExhausted as soon as what it builds takes more memory
///          than the limit.
IntegerLists parse_pickled_lists(ByteReader& reader, std::int64_t num_lists, const ReadLimits& limits = {});

}  // namespace cornu::inline v0::io
