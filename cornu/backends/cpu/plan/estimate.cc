#include <algorithm>
#include <set>

#include "cornu/backends/cpu/kernels/bf16_gemm.h"
#include "cornu/backends/cpu/plan/access.h"
#include "cornu/backends/cpu/plan/dot_shape.h"
#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/backends/cpu/plan/windows.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// Rates of one core, for predictions. Only the choice of slices depends on them. They are constants, not
/// measured on this machine, so that the slices, and thus the bits, depend on shapes alone.
constexpr double kBytesPerUs = 20000;  // 20 GB/s out of the caches
constexpr double kGroupUs = 0.02;      // entering and leaving a group
constexpr double kParallelUs = 12;     // below this a loop is not worth sharing
constexpr double kSliceUs = 6;         // target of a slice
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
    passes = passes / last * divide_up(last, pass);
  }
  return passes < kFewPasses;
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
template <typename Kind>
double bytes_of(const Plan& plan, const Group& group, const Kind& kind) {
  if (const auto* kernel = group.as<KernelGroup>();
      kernel != nullptr && kernel->async_part == AsyncPart::kDone)
    return 0;  // counted at the start of the operation
  double bytes = 0;
  for (const Store& store : group.stores) {
    const auto all =
        static_cast<double>(plan.buffers[static_cast<std::size_t>(store.buffer)].type.size_bytes());
    const bool part = (store.at.has_value() || kind.writes_part()) && !store.is_sum;
    bytes += part ? std::min(all, num_elements(group.extents) *
                                      static_cast<double>(ir::size_bytes(store.value.dtype())))
                  : all;
  }
  std::set<const void*> seen;
  // A loop reads at most as many elements of a tensor as it has iterations (a gather from a large table).
  const double touched = num_elements(group.extents) * most_places(group);
  for (const Read& read : group_reads(plan, group)) {
    if (!seen.insert(read.value.id()).second) continue;
    const auto all = static_cast<double>(read.value.type().size_bytes());
    bytes += kind.kReadsElements
                 ? std::min(all, touched * static_cast<double>(ir::size_bytes(read.value.dtype())))
                 : all;
  }
  return kind.kMovesTwice ? 2 * bytes : bytes;
}

/// Assigns a large dot to its matrix kernel, with scratch memory for f32 sums of parts of a large depth.
void choose_matrix_kernel(Plan& plan, Group& group, const PlanOptions& options) {
  const std::optional<MatrixProduct> product = product_for_kernel(plan, group, options);
  if (!product) return;
  group.kind = MatrixDotGroup{{}, *product};
  const bool is_bf16 = group.op->result().dtype() == ir::DType::kBF16;
  const std::int64_t of_bf16 =
      product->k > kernels::kBf16Depth ? group.op->result().type().num_elements() : 0;
  if (const std::int64_t floats = is_bf16 ? of_bf16 : partial_product_floats(*product); floats > 0)
    add_scratch(plan, group, static_cast<std::size_t>(floats) * sizeof(float));
}

/// The most slices of a group. Each slice of a scatter reads all indices and skips updates of others, so there
/// are no more than threads need; no bit depends on their number. Those that also fill a tensor have as many as
/// keep what they fill in a cache.
std::int64_t most_slices(const Group& group, const PlanOptions& options) {
  const std::int64_t most = std::visit([](const auto& kind) { return kind.kMaxSlices; }, group.kind);
  const auto* scatter = group.as<ScatterGroup>();
  if (scatter == nullptr || scatter->fill) return most;
  return options.num_threads == 1 ? 1 : std::min<std::int64_t>(most, 4 * std::int64_t{options.num_threads});
}

/// Splits a long group into slices, and adds memory for their partial sums.
void choose_slices(Plan& plan, Group& group, const PlanOptions& options) {
  const std::int64_t max_slices = most_slices(group, options);
  const bool can_split = max_slices > 1 && (!group.is<ScatterGroup>() || can_share_scatter(*group.op)) &&
                         num_elements(group.extents) > 0;
  if (options.parallel && can_split && group.predicted_us >= kParallelUs)
    group.num_slices =
        std::clamp<std::int64_t>(static_cast<std::int64_t>(group.predicted_us / kSliceUs), 2, max_slices);
  if (const std::int64_t row_bytes = partial_sums(group).row_bytes; row_bytes > 0)
    add_scratch(plan, group, static_cast<std::size_t>(group.num_slices * row_bytes));
  if (group.is<ReduceGroup>() && group.num_slices > 1 && wants_partials(group, options.vector_lanes)) {
    add_scratch(plan, group,
                static_cast<std::size_t>(group.num_slices) * group.op->result().type().size_bytes());
  }
}

}  // namespace

void estimate(Plan& plan, const PlanOptions& options) {
  for_each_group(plan, [&](Group& group) {
    if (is_control(group)) return;  // only the groups inside take time
    group.bytes = std::visit([&](const auto& kind) { return bytes_of(plan, group, kind); }, group.kind);
    const GroupWork work = group_work(plan, group, options);
    group.flops = work.flops;
    if (group.is<DotGroup>()) choose_matrix_kernel(plan, group, options);
    group.predicted_us = kGroupUs + std::max(work.vector_ops / kVectorOpsPerUs, group.bytes / kBytesPerUs);
    choose_slices(plan, group, options);
  });
}

}  // namespace cornu::inline v0::backends::cpu
