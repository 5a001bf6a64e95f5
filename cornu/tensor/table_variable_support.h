#pragma once

#include "cornu/backends/cpu/memory/table_file.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0::detail {

/// Size below which a step updates a table as a whole (transform::is_sparse_gradient): such a table gets all
/// of its initial values at once.
inline constexpr std::size_t kLeastSparseTableBytes = std::size_t{1} << 20;

/// A variable whose memory is a file, on the current device; see backends::cpu::TableFile.
/// Errors: those of TableFile::open; Unimplemented, with the path, unless the device is one of the CPU engine
///         of this process.
Variable table_variable(const backends::cpu::TableFileOptions& table, VariableOptions options);

}  // namespace cornu::inline v0::detail
