#include <algorithm>

#include "cornu/backends/cpu/plan/fuser.h"
#include "cornu/backends/cpu/plan/windows.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::backends::cpu::fusing {

namespace {

/// True if all elements of a window belong to the same sums when the first `num_gone` dimensions are reduced.
bool goes_window_by_window(const ir::Dims& tile, std::size_t num_gone) {
  return std::all_of(tile.begin() + static_cast<std::ptrdiff_t>(num_gone), tile.end(),
                     [](std::int64_t extent) { return extent == 1; });
}

}  // namespace

/// True if a loop over the elements of this reduction can also accumulate its sums: the first dimensions are
/// reduced, and there are few sums compared with the elements.
bool Fuser::can_sum_in_passing(const Op& reduce) const {
  constexpr std::int64_t kMostSums = 2048, kFewestElements = 16 * 1024;
  if (window_use(reduce) != WindowUse::kNone) return false;
  const Combiner combiner = free_combiner(reduce);
  if (combiner != Combiner::kSum && combiner != Combiner::kMaximum && combiner != Combiner::kMinimum)
    return false;
  const Value elements = reduce.operand(0);
  if (elements.dtype() != ir::DType::kF32 && elements.dtype() != ir::DType::kF64) return false;
  const ir::Dims& dims = elements.dims();
  const auto& gone = reduce.attributes().get<ir::Dims>("dimensions");
  if (gone.empty() || gone.size() >= dims.size() ||
      *std::max_element(gone.begin(), gone.end()) + 1 != static_cast<std::int64_t>(gone.size()))
    return false;
  const std::int64_t count = reduce.result().type().num_elements(), all = elements.type().num_elements();
  return dims.back() >= options.vector_lanes && count <= kMostSums && all >= kFewestElements &&
         all / count >= options.vector_lanes;
}

/// The loop clusters that make the elements of a reduction, or the inputs of these elements.
std::set<int> Fuser::loops_that_make(int reduce) const {
  const Cluster& cluster = clusters[static_cast<std::size_t>(reduce)];
  const ir::Dims& dims = cluster.root->operand(0).dims();
  std::set<int> loops;
  for (const Op* member : cluster.ops)
    for (const Value& operand : member->operands()) {
      if (operand.op() == nullptr || operand.dims() != dims || operand.block() != &block) continue;
      const auto found = cluster_of.find(operand.op());
      if (found != cluster_of.end() && found->second != reduce &&
          clusters[static_cast<std::size_t>(found->second)].root == nullptr)
        loops.insert(found->second);
    }
  return loops;
}

/// True if a cluster must run after `first` and before `last`: then one that `last` needs is such a cluster.
bool Fuser::runs_between(int first, int last) const {
  const std::set<int>& needs = clusters[static_cast<std::size_t>(last)].needs;
  return std::any_of(needs.begin(), needs.end(), [&](int c) {
    return c != first && clusters[static_cast<std::size_t>(c)].before.contains(first);
  });
}

bool Fuser::can_host_sums(int host, int reduce) const {
  const Cluster& loop = clusters[static_cast<std::size_t>(host)];
  const Cluster& cluster = clusters[static_cast<std::size_t>(reduce)];
  const Value elements = cluster.root->operand(0);
  if (loop.dims != elements.dims() || loop.ops.size() + cluster.ops.size() > kMaxGroupOps ||
      loop.before.contains(reduce))
    return false;
  if (std::any_of(cluster.ops.begin(), cluster.ops.end(),
                  [&](const Op* member) { return viewed_clusters(*member).contains(host); }))
    return false;
  if (runs_between(host, reduce)) return false;
  if (loop.tile.empty()) return true;
  const std::size_t num_gone = cluster.root->attributes().get<ir::Dims>("dimensions").size();
  return free_combiner(*cluster.root) == Combiner::kSum && goes_window_by_window(loop.tile, num_gone) &&
         is_zero_behind_windows(elements, loop.tile);
}

/// The loop cluster that can accumulate a reduction: it makes the elements, the sums fit into its loops (they
/// run along the last dimension), and no input of the reduction depends on the cluster. -1: none.
int Fuser::sum_host(int reduce) const {
  if (!can_sum_in_passing(*clusters[static_cast<std::size_t>(reduce)].root)) return -1;
  for (const int host : loops_that_make(reduce))
    if (can_host_sums(host, reduce)) return host;
  return -1;
}

/// True if all elements outside the windows are zero (or there are none): a sum may skip them.
bool Fuser::is_zero_behind_windows(Value v, const ir::Dims& tile) const {
  bool covered = v.dims().size() == tile.size();
  for (std::size_t d = 0; d < tile.size(); ++d) covered = covered && v.dims()[d] % tile[d] == 0;
  if (covered) return true;
  const Value base = behind_views(v);
  const Op* const op = base.op();
  if (op == nullptr) return false;
  if (ops::is_constant(op->result(0)))
    return op->result().type().num_elements() == 1 && op->attributes().get<ir::Literal>("value").at(0) == 0;
  if (base != v) return false;  // a view moves elements, including zeros
  // pattern: a choice between two values of which both are zero there
  if (op->name() == "select")
    return is_zero_behind_windows(op->operand(1), tile) && is_zero_behind_windows(op->operand(2), tile);
  return is_tiled(*op) && has_plain_windows(*op) && window_sizes(*op) == tile &&
         is_zero_behind_windows(op->operand(2), tile);
}

/// Merges reductions into the loops that make their elements, which saves reading them again.
void Fuser::attach_sums() {
  if (!options.fuse) return;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Op* const root = clusters[c].root;
    if (root == nullptr || classify(*root) != OpKind::kReduce || clusters[c].merged) continue;
    if (const int host = sum_host(static_cast<int>(c)); host >= 0) absorb(host, static_cast<int>(c));
  }
}

}  // namespace cornu::inline v0::backends::cpu::fusing
