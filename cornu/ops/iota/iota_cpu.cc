#include <algorithm>
#include <numeric>

#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::iota_folder {
namespace {

using eager::View;

void fill_iota(ElementwiseKernel convert, const ir::TensorType& line, std::byte* to) {
  constexpr std::int64_t kBlock = 256;
  std::int64_t numbers[kBlock];
  const std::byte* const in = reinterpret_cast<const std::byte*>(numbers);
  const std::int64_t stride = 1;
  for (std::int64_t begin = 0; begin < line.dims[0]; begin += kBlock) {
    const std::int64_t length = std::min(kBlock, line.dims[0] - begin);
    std::iota(numbers, numbers + length, begin);
    convert(length, &in, &stride, to + static_cast<std::size_t>(begin) * ir::size_bytes(line.dtype));
  }
}

/// One axis is counted, the others repeat it.
bool add_line(eager::Builder& builder, const ir::Op& op) {
  constexpr std::size_t kMaxConstantBytes = 4096;
  const auto axis = static_cast<std::size_t>(op.attributes().get<std::int64_t>("iota_dimension"));
  const ir::TensorType line{op.result().dtype(), {op.result().dims()[axis]}};
  const ElementwiseKernel convert = builder.kernels().convert(ir::DType::kI64, line.dtype);
  View from;
  if (line.size_bytes() <= kMaxConstantBytes) {
    ir::Literal literal(line);
    fill_iota(convert, line, literal.mutable_bytes().data());
    from = builder.constant(std::move(literal));
  } else {
    from = builder.temporary(line);
    builder.add_step(eager::make_step([convert, line, slot = from.slot](const eager::Run& run) {
                       fill_iota(convert, line, run.slots[slot]);
                     }),
                     {from.slot});
  }
  View to = from;
  to.dims = op.result().dims();
  to.strides.assign(to.dims.size(), 0);
  to.strides[axis] = 1;
  builder.set_view(op.result(), std::move(to));
  return true;
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "iota", .op_kind = OpKind::kLeaf, .eager = add_line},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::iota_folder
