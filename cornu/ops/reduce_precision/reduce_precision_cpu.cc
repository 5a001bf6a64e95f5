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
  const bool has_parameters = code.num_operands() == 3;
  const Format format(code.op());
  return code.reduce_precision(code.operand(0),
                               has_parameters ? code.operand(1) : code.parameter(format.exponent_bits),
                               has_parameters ? code.operand(2) : code.parameter(format.mantissa_bits));
}

bool add_step(eager::Builder& builder, const ir::Op& op) {
  const Format format(op);
  const ElementwiseKernel kernel = builder.kernels().find(elements::element_kernel_key(op));
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
       .kernels_from_code = {.attributes =
                                 [](ir::DType) {
                                   return std::vector<ir::Attributes>{{{"exponent_bits", std::int64_t{1}},
                                                                       {"mantissa_bits", std::int64_t{0}}}};
                                 },
                             .num_parameters = 2},
       .eager = add_step},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::reduce_precision_folder
