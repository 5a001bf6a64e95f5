#include "cornu/backends/cpu/elements/element_kernels.h"

#include <utility>
#include <vector>

#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/base/error.h"
#include "cornu/ir/builder.h"
#include "cornu/ops/registry.h"

namespace cornu::inline v0::backends::cpu::elements {
namespace {

/// Null where the shape rule refuses the operands.
std::unique_ptr<ScalarOp> make_op_of(const CpuOp& row, const std::vector<ir::DType>& operands,
                                     const ir::Attributes& attributes) {
  auto made = std::make_unique<ScalarOp>();
  std::vector<ir::Value> values;
  for (const ir::DType dtype : operands) values.push_back(made->function.body.add_argument({dtype, {}}));
  try {
    ir::Builder builder(made->function.body);
    made->op = &builder.create(*ops::find_op_def(row.name), std::move(values), attributes);
  } catch (const Error&) {
    return nullptr;
  }
  return made;
}

}  // namespace

std::unique_ptr<ScalarOp> make_scalar_op(const CpuOp& row, ir::DType dtype,
                                         const ir::Attributes& attributes) {
  for (const std::size_t count : {1, 2, 3})
    if (auto made = make_op_of(row, std::vector<ir::DType>(count, dtype), attributes)) return made;
  return make_op_of(row, {ir::DType::kI1, dtype, dtype}, attributes);
}

std::span<const ElementKernelRow> element_kernel_rows(IsaLevel level) {
  const auto rows = [](const ElementKernelRow* first, std::int64_t size) {
    return std::span(first, static_cast<std::size_t>(size));
  };
  switch (level) {
    case IsaLevel::kSse2: return rows(cornu_element_kernels_sse2, cornu_element_kernels_sse2_size);
    case IsaLevel::kAvx2: return rows(cornu_element_kernels_avx2, cornu_element_kernels_avx2_size);
    case IsaLevel::kAvx512: break;
  }
  return rows(cornu_element_kernels_avx512, cornu_element_kernels_avx512_size);
}

}  // namespace cornu::inline v0::backends::cpu::elements
