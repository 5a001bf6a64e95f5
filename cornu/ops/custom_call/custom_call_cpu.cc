#include <algorithm>

#include "cornu/backends/cpu/linear_algebra/linear_algebra.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ops/custom_call/custom_call.h"
#include "cornu/ops/custom_call/host_call.h"

namespace cornu::inline v0::backends::cpu::custom_call_folder {
namespace {

/// Calls a function of the host program on the engine's memory.
class HostCallKernel final : public GroupKernel {
 public:
  explicit HostCallKernel(const ir::Op& op)
      : function_(ops::called_function(op)),
        num_operands_(ops::without_token(op, op.operands()).size()),
        num_results_(ops::without_token(op, op.results()).size()) {}

  std::string_view name() const override { return "host call"; }

  void run(const KernelMemory& memory, ThreadPool&) const override {
    const void* operands[kMaxKernelTensors];
    void* results[kMaxKernelTensors];
    std::copy_n(memory.operands.begin(), num_operands_, operands);
    std::copy_n(memory.results.begin(), num_results_, results);
    if (num_results_ < memory.results.size()) *memory.results.back() = std::byte{0};  // the token
    function_->call({operands, num_operands_}, {results, num_results_});
  }

 private:
  std::shared_ptr<const ops::HostFunctionEntry> function_;
  std::size_t num_operands_, num_results_;
};

bool has_kernel(const ir::Op& op) {
  if (!ops::is_host_call(op)) return has_matrix_kernel(op) && !ops::is_eigenvalue_call(op);
  return op.operands().size() <= kMaxKernelTensors && op.results().size() <= kMaxKernelTensors;
}

std::unique_ptr<GroupKernel> make_kernel(const ir::Op& op, const Target& target, int num_threads) {
  if (ops::is_host_call(op)) return std::make_unique<HostCallKernel>(op);
  return make_custom_call_kernel(op, target, num_threads);
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "custom_call",
       .op_kind = OpKind::kKernel,
       .falls_back = "eager operations of f16 and bf16; calls of the host program with more than 32 operands",
       .kernel = {.make = make_kernel, .serves = has_kernel}}};
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::custom_call_folder
