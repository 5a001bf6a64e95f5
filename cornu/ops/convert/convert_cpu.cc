#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::convert_folder {
namespace {

std::vector<ir::Attributes> attributes(ir::DType) {
  std::vector<ir::Attributes> all;
  for (auto dtype = ir::DType::kI1; dtype <= ir::DType::kF64;
       dtype = static_cast<ir::DType>(static_cast<int>(dtype) + 1))
    all.push_back({{"dtype", dtype}});
  return all;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "convert",
       .op_kind = OpKind::kElementwise,
       .emit = [](const ElementCode& code) { return code.convert(code.operand(0)); },
       .kernels_from_code = {.attributes = attributes}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::convert_folder
