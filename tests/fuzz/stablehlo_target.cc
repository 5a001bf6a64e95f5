#include "tests/fuzz/program.h"

namespace cornu::inline v0::fuzz {

void stablehlo(Bytes bytes) { read_program(bytes); }

}  // namespace cornu::inline v0::fuzz
