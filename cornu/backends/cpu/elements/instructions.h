#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cornu/backends/cpu/op/element_kernel.h"

namespace cornu::inline v0::backends::cpu::elements {

/// Elementwise operations, run one after the other on blocks that stay in the first cache.
class Instructions {
 public:
  struct Operand {
    bool is_register = false;
    int index = 0;  // of a register or a place
  };
  struct Instruction {
    ElementwiseKernel kernel = nullptr;
    std::vector<Operand> operands;  // one to three
    Operand result;
  };
  Instructions() = default;
  Instructions(std::vector<Instruction> list, int num_registers);

  /// n elements: place k begins at bases[k] and moves by strides[k] elements of element_bytes[k] bytes.
  void run(std::int64_t n, const std::byte* const* bases, const std::int64_t* strides,
           const std::int64_t* element_bytes) const;
  std::size_t size() const { return list_.size(); }

 private:
  std::vector<Instruction> list_;
  std::int64_t block_ = 0;  // elements; 0: all at once
};

}  // namespace cornu::inline v0::backends::cpu::elements
