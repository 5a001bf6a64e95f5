#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::examples {

/// Rows of the form of Criteo's data: advertisements that were shown, and whether they were clicked.
struct CriteoRows {
  Tensor counts;  // [rows, 13] f32: log(1 + count)
  Tensor ids;     // [rows, number of tables] i32: row numbers of the tables
  Tensor clicks;  // [rows, 1] f32: 0 or 1
};

/// Makes rows whose ids follow Zipf's law in each table. The probability of a click follows from the counts,
/// from a hidden number for each id, and from the products of these numbers of neighbouring tables.
CriteoRows make_criteo_rows(std::int64_t num_rows, std::span<const std::int64_t> table_sizes,
                            std::uint64_t seed);

/// The first rows of Criteo's file for Kaggle, train.txt: a label, 13 counts and 26 hexadecimal numbers, with
/// tabs between them, each of which may be missing. An id is the hexadecimal number modulo the table's size;
/// missing ones are 0.
/// Errors: NotFound for a file that does not exist; InvalidArgument for a line of another form, with its
///         number.
CriteoRows read_criteo_rows(const std::string& path, std::int64_t num_rows,
                            std::span<const std::int64_t> table_sizes);

}  // namespace cornu::inline v0::examples
