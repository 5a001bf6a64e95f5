#pragma once

#include <memory>
#include <vector>

#include "cornu/backends/cpu/eager/steps.h"
#include "cornu/backends/cpu/elements/scalar_function.h"

namespace cornu::inline v0::backends::cpu::eager {

/// A reduction by any body: values are [reduced, kept].
struct FoldingReduce {
  std::shared_ptr<const elements::ScalarFunction> body;
  std::int64_t num_reduced = 1, num_kept = 1;
  // One an input. The inputs' memory is overwritten.
  std::vector<int> values, scratch, inits, results;
  std::vector<std::int64_t> init_offsets;
  std::vector<std::size_t> element_bytes;

  void run(const Run& run) const;
};

}  // namespace cornu::inline v0::backends::cpu::eager
