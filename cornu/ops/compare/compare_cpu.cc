#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::compare_folder {
namespace {

const std::string& direction(const ir::Op& op) {
  return op.attributes().get<std::string>("comparison_direction");
}

std::vector<ir::Attributes> attributes(ir::DType dtype) {
  const char* const type = ir::is_float(dtype)            ? "FLOAT"
                           : ir::is_signed_integer(dtype) ? "SIGNED"
                                                          : "UNSIGNED";
  std::vector<ir::Attributes> all;
  for (const char* const name : {"EQ", "NE", "GE", "GT", "LE", "LT"})
    all.push_back({{"comparison_direction", std::string(name)}, {"compare_type", std::string(type)}});
  return all;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "compare",
       .op_kind = OpKind::kElementwise,
       .emit =
           [](const ElementCode& code) {
             return code.compare(direction(code.op()), code.operand(0), code.operand(1));
           },
       .kernels_from_code = {.attributes = attributes,
                             .variant = [](const ir::Op& op) { return std::string_view(direction(op)); }}},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::compare_folder
