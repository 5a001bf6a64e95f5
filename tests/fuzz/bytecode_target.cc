#include "tests/fuzz/program.h"

namespace cornu::inline v0::fuzz {

/// Portable artifacts in MLIR bytecode; content without its first bytes would be read as text.
void bytecode(Bytes bytes) { read_program(bytes); }

}  // namespace cornu::inline v0::fuzz
