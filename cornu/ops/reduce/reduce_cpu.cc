#include "cornu/backends/cpu/eager/builder.h"
#include "cornu/backends/cpu/eager/folding_reduce.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/backends/cpu/plan/access.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::backends::cpu::reduce_folder {
namespace {

using eager::View;
using ir::Dims;

/// Any body of elementwise ops: halves of the reduced elements are combined, all results at once, until one
/// is left.
bool add_folding_reduce(eager::Builder& builder, const ir::Op& op, const Dims& dimensions) {
  const std::shared_ptr<const elements::ScalarFunction> body =
      elements::ScalarFunction::make(op.region(0), builder.kernels());
  if (body == nullptr) return false;
  const std::size_t count = op.results().size();
  const Dims kept = ops::remaining_dimensions(op.operand(0).rank(), dimensions);
  const Dims order = ops::concatenated(dimensions, kept);
  eager::FoldingReduce fold{.body = body};
  for (std::size_t i = 0; i < count; ++i) {
    View x = builder.view(op.operand(i));
    View turned = builder.temporary({op.operand(i).dtype(), ops::extents(x.dims, order)});
    x.dims = turned.dims;
    x.strides = ops::extents(x.strides, order);
    builder.add_copy(x, turned);
    fold.values.push_back(turned.slot);
    const View init = builder.view(op.operand(count + i));
    fold.inits.push_back(init.slot);
    fold.init_offsets.push_back(init.offset * static_cast<std::int64_t>(init.element_bytes));
    fold.element_bytes.push_back(init.element_bytes);
  }
  for (std::size_t i = 0; i < count; ++i)
    fold.scratch.push_back(
        builder.temporary({op.operand(i).dtype(), ops::extents(op.operand(i).dims(), order)}).slot);
  for (std::size_t i = 0; i < count; ++i) fold.results.push_back(builder.place(op.result(i)).slot);
  fold.num_kept = op.result().type().num_elements();
  fold.num_reduced = 1;
  for (const std::int64_t extent : ops::extents(op.operand(0).dims(), dimensions)) fold.num_reduced *= extent;
  std::vector<int> slots = fold.values;
  for (const std::vector<int>* more : {&fold.scratch, &fold.inits, &fold.results})
    slots.insert(slots.end(), more->begin(), more->end());
  builder.add_step(eager::make_step([fold](const eager::Run& run) { fold.run(run); }), slots);
  return true;
}

bool add_steps(eager::Builder& builder, const ir::Op& op) {
  const auto& dimensions = op.attributes().get<Dims>("dimensions");
  if (op.results().size() == 1) {
    const Combiner combiner = combiner_of_body(op.region(0));
    const elements::ReduceKernels kernels = builder.kernels().reduce(combiner, op.result().dtype());
    if (kernels.fold != nullptr) {
      const View x = builder.row_major(op.operand(0)), init = builder.view(op.operand(1)),
                 result = builder.place(op.result());
      builder.add_step(eager::make_reduce_step(x, init, result, dimensions, kernels),
                       {x.slot, init.slot, result.slot});
      return true;
    }
  }
  return add_folding_reduce(builder, op, dimensions);
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      {.name = "reduce",
       .op_kind = OpKind::kReduce,
       .classify =
           [](const ir::Op& op) { return has_elementwise_body(op) ? OpKind::kReduce : OpKind::kReference; },
       .falls_back = kFallsBackByBody,
       .eager = add_steps},
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::reduce_folder
