#include <algorithm>
#include <set>

#include "cornu/backends/cpu/kernels/bf16_gemm.h"
#include "cornu/backends/cpu/plan/dot_shape.h"
#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/backends/cpu/plan/windows.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// Rates of one core, for predictions. Only the choice of slices depends on them. They are constants, not
/// measured on this machine, so that the slices, and thus the bits, depend on shapes alone.
constexpr double kVectorOpsPerUs = 3000;  // vector instructions of elementwise loops
constexpr double kFmaPerUs = 5000;        // fused multiply-add vector instructions in a dot
constexpr double kBytesPerUs = 20000;     // 20 GB/s out of the caches
constexpr double kGroupUs = 0.02;         // entering and leaving a group
constexpr double kParallelUs = 12;        // below this a loop is not worth sharing
constexpr double kSliceUs = 6;            // target of a slice
constexpr std::int64_t kMaxSlices = 64;
constexpr std::int64_t kMaxScatterSlices = 16;  // each reads all indices

double multiply_adds(const ir::Op& dot) {
  double n = static_cast<double>(dot.result().type().num_elements());
  for (std::int64_t d : dot.attributes().get<ir::Dims>("lhs_contracting_dimensions"))
    n *= static_cast<double>(dot.operand(0).dims()[static_cast<std::size_t>(d)]);
  return n;
}

/// True if a parallel reduction should make a partial result in each slice: it has few results (contiguous
/// ones are counted in vectors) from many elements, and the order of combining is free.
bool wants_partials(const Group& group, int vector_lanes) {
  constexpr std::int64_t kFewPasses = 16;
  const ir::Op& op = *group.op;
  if (window_use(op) != WindowUse::kNone || free_combiner(op) == Combiner::kNone ||
      op.result().type().num_elements() == 0)
    return false;
  const ir::DType dtype = op.result().dtype();
  if (dtype == ir::DType::kF16 || dtype == ir::DType::kBF16)
    return false;  // partial results would be rounded
  const auto& gone = op.attributes().get<ir::Dims>("dimensions");
  const bool last_stays = std::find(gone.begin(), gone.end(), op.operand(0).rank() - 1) == gone.end();
  std::int64_t passes = op.result().type().num_elements();
  if (last_stays) {
    const std::int64_t last = op.operand(0).dims().back(), pass = 4 * vector_lanes;
    passes = passes / last * ((last + pass - 1) / pass);
  }
  return passes < kFewPasses;
}

/// True if each of many matrices fills a tile and is worth packing; otherwise emitted loops are faster.
bool fills_tiles(double rows, double columns, double terms) {
  return rows >= 8 && columns >= 16 && terms >= 8;
}

/// The product of a dot for a matrix kernel.
std::optional<MatrixProduct> product_for_kernel(const Plan& plan, const Group& group,
                                                const PlanOptions& options) {
  const bool has_kernel =
      group.op->result().dtype() == ir::DType::kF32 || has_bf16_kernel(*group.op, options);
  if (group.flops < options.matrix_dot_flops || !has_kernel) return std::nullopt;
  std::optional<MatrixProduct> product = matrix_product(dot_shape(plan, group));
  if (!product || product->batch.empty() ||
      fills_tiles(static_cast<double>(product->m), static_cast<double>(product->n),
                  static_cast<double>(product->k)))
    return product;
  return std::nullopt;
}

double num_elements(const ir::Dims& dims) {
  double n = 1;
  for (std::int64_t d : dims) n *= static_cast<double>(d);
  return n;
}

/// The maximum number of elements of one tensor that an iteration of the group's loops reads: those of a
/// window.
double most_places(const Group& group) {
  double places = 1;
  for (const ir::Op* op : group.members)
    if (classify(*op) == OpKind::kWindow) places *= num_elements(window_sizes(*op));
  return places;
}

/// The bytes that the group writes and reads.
double bytes_of(const Plan& plan, const Group& group) {
  if (group.async_part == AsyncPart::kDone) return 0;  // counted at the start of the operation
  double bytes = 0;
  for (const Store& store : group.stores) {
    const auto all =
        static_cast<double>(plan.buffers[static_cast<std::size_t>(store.buffer)].type.size_bytes());
    const bool part =
        (store.at.has_value() || (group.kind == GroupKind::kScatter && !group.fill)) && !store.is_sum;
    bytes += part ? std::min(all, num_elements(group.extents) *
                                      static_cast<double>(ir::size_bytes(store.value.dtype())))
                  : all;
  }
  std::set<const void*> seen;
  // A loop reads at most as many elements of a tensor as it has iterations (a gather from a large table).
  const bool bounded =
      group.kind == GroupKind::kLoop || group.kind == GroupKind::kReduce || group.kind == GroupKind::kScatter;
  const double touched = num_elements(group.extents) * most_places(group);
  for (const Read& read : group_reads(plan, group)) {
    if (!seen.insert(read.value.id()).second) continue;
    const auto all = static_cast<double>(read.value.type().size_bytes());
    bytes += bounded ? std::min(all, touched * static_cast<double>(ir::size_bytes(read.value.dtype()))) : all;
  }
  const bool moves_twice = group.kind == GroupKind::kRows || group.kind == GroupKind::kScatter;
  return moves_twice ? 2 * bytes : bytes;
}

/// The number of vectors that the group computes; also counts its floating-point operations.
double vector_ops_of(const Plan& plan, Group& group, const PlanOptions& options) {
  const double n = num_elements(group.extents);
  switch (group.kind) {
    case GroupKind::kLoop:
    case GroupKind::kReduce: {
      double vector_ops = 0;
      auto count = [&](const ir::Op& op) {
        vector_ops += elementwise_cost(op) * n / options.vector_lanes;
        if (ir::is_float(op.result().dtype())) group.flops += n;
      };
      if (group.kind == GroupKind::kLoop)
        walk_loop_ops(plan, group, count);
      else
        for (const ir::Op* op : group.members) count(*op);
      return vector_ops + group.bytes / 4 / options.vector_lanes;
    }
    case GroupKind::kDot:
    case GroupKind::kMatrixDot:
      group.flops = 2 * multiply_adds(*group.op);
      return group.flops / 2 / options.vector_lanes * kVectorOpsPerUs / kFmaPerUs;
    case GroupKind::kKernel:
      group.flops = kernel_flops(*group.op);
      return group.flops > 0 ? group.flops / 2 / options.vector_lanes * kVectorOpsPerUs / kFmaPerUs : 4 * n;
    case GroupKind::kReference: return 20 * n;
    case GroupKind::kScatter: return 4 * n / options.vector_lanes;
    case GroupKind::kRows:
    case GroupKind::kWhile:
    case GroupKind::kBranch:
    case GroupKind::kUpdate: break;
  }
  return 0;
}

/// Assigns a large dot to its matrix kernel, with scratch memory for f32 sums over parts of a large depth.
void choose_matrix_kernel(Plan& plan, Group& group, const PlanOptions& options) {
  const std::optional<MatrixProduct> product = product_for_kernel(plan, group, options);
  if (!product) return;
  group.kind = GroupKind::kMatrixDot;
  if (group.op->result().dtype() == ir::DType::kBF16 && product->k > kernels::kBf16Depth)
    add_scratch(plan, group,
                static_cast<std::size_t>(group.op->result().type().num_elements()) * sizeof(float));
}

/// Splits a long group into slices, and adds memory for their partial sums.
void choose_slices(Plan& plan, Group& group, const PlanOptions& options) {
  const bool can_split = group.kind != GroupKind::kReference && group.kind != GroupKind::kKernel &&
                         (group.kind != GroupKind::kScatter || can_share_scatter(*group.op)) &&
                         num_elements(group.extents) > 0;
  if (options.parallel && can_split && group.predicted_us >= kParallelUs)
    group.num_slices =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(group.predicted_us / kSliceUs), 2,
                                 group.kind == GroupKind::kScatter ? kMaxScatterSlices : kMaxSlices);
  if (const std::int64_t row_bytes = partial_sums(group).row_bytes; row_bytes > 0)
    add_scratch(plan, group, static_cast<std::size_t>(group.num_slices * row_bytes));
  if (group.kind == GroupKind::kReduce && group.num_slices > 1 &&
      wants_partials(group, options.vector_lanes)) {
    add_scratch(plan, group,
                static_cast<std::size_t>(group.num_slices) * group.op->result().type().size_bytes());
  }
}

}  // namespace

bool has_bf16_kernel(const ir::Op& op, const PlanOptions& options) {
  constexpr std::int64_t kFewColumns = 8;  // results may be stored by columns
  const bool can_multiply = options.target && options.target->has_bf16_products();
  if (!can_multiply || op.result().dtype() != ir::DType::kBF16) return false;
  if (const CpuOp* const row = find_cpu_op(op); row != nullptr && row->kernel.multiplies_bf16 != nullptr)
    return row->kernel.multiplies_bf16(op, *options.target);
  if (classify(op) != OpKind::kDot) return false;
  const double flops = 2 * multiply_adds(op);
  if (flops == 0 || flops < options.matrix_dot_flops) return false;
  const ops::DotDimensions dimensions = ops::dot_dimensions(op);
  const ir::Dims &lhs = op.operand(0).dims(), &rhs = op.operand(1).dims();
  const double terms = num_elements(ops::extents(lhs, dimensions.lhs_contracting)),
               matrices = num_elements(ops::extents(lhs, dimensions.lhs_batching)),
               rows = num_elements(lhs) / terms / matrices, columns = num_elements(rhs) / terms / matrices;
  return columns > kFewColumns && (matrices == 1 || fills_tiles(rows, columns, terms));
}

void estimate(Plan& plan, const PlanOptions& options) {
  for_each_group(plan, [&](Group& group) {
    if (is_control(group.kind)) return;  // only the groups inside take time
    group.bytes = bytes_of(plan, group);
    const double vector_ops = vector_ops_of(plan, group, options);
    if (group.kind == GroupKind::kDot) choose_matrix_kernel(plan, group, options);
    group.predicted_us = kGroupUs + std::max(vector_ops / kVectorOpsPerUs, group.bytes / kBytesPerUs);
    choose_slices(plan, group, options);
  });
}

}  // namespace cornu::inline v0::backends::cpu
