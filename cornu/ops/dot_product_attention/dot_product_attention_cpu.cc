#include "cornu/backends/cpu/attention/attention.h"
#include "cornu/backends/cpu/op/cpu_op.h"

namespace cornu::inline v0::backends::cpu::dot_product_attention_folder {

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "cornu.dot_product_attention",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = attention::make_kernel, .serves = attention::serves, .flops = attention::flops}},
      {.name = "cornu.dot_product_attention_gradient",
       .op_kind = OpKind::kKernel,
       .kernel = {.make = attention::make_gradient_kernel,
                  .serves = attention::serves,
                  .flops = attention::gradient_flops}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::dot_product_attention_folder
