#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::reduce_precision_folder {
namespace {

struct Format {
  explicit Format(const ir::Op& op)
      : exponent_bits(op.attributes().get<std::int64_t>("exponent_bits")),
        mantissa_bits(op.attributes().get<std::int64_t>("mantissa_bits")) {}
  std::int64_t exponent_bits, mantissa_bits;
};

llvm::Value* emit(const ElementCode& code) {
  const Format format(code.op());
  return code.reduce_precision(code.operand(0), format.exponent_bits, format.mantissa_bits);
}

/// The format goes to the kernel as two more operands; see reduce_precision_elements.inc.
bool add_step(eager::Builder& builder, const ir::Op& op) {
  const Format format(op);
  const ElementwiseKernel kernel = builder.kernels().elementwise(op.name(), op.operand(0).dtype());
  std::vector<eager::View> inputs = {builder.view(op.operand(0))};
  for (const std::int64_t bits : {format.exponent_bits, format.mantissa_bits}) {
    eager::View constant = builder.constant(ir::Literal::scalar(ir::DType::kI64, static_cast<double>(bits)));
    constant.dims = op.result().dims();
    constant.strides.assign(constant.dims.size(), 0);
    inputs.push_back(std::move(constant));
  }
  builder.add_kernel(kernel, inputs, builder.place(op.result()));
  return true;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "reduce_precision",
       .op_class = OpClass::kElementwise,
       .emit = emit,
       .keeps_numbers = true,
       .eager = add_step},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::reduce_precision_folder
