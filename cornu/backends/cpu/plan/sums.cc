#include <algorithm>

#include "cornu/backends/cpu/plan/fuser.h"
#include "cornu/backends/cpu/plan/windows.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::backends::cpu::fusing {

namespace {

/// Whether all elements of a window go into the same sums when the first `num_gone` dimensions go.
bool goes_window_by_window(const ir::Dims& tile, std::size_t num_gone) {
  return std::all_of(tile.begin() + static_cast<std::ptrdiff_t>(num_gone), tile.end(),
                     [](std::int64_t extent) { return extent == 1; });
}

}  // namespace

/// The loop cluster that can combine the elements of a reduction in passing: it makes them, the sums fit
/// beside its loops (they run along the last dimension), and nothing that the reduction needs waits for the
/// cluster. -1: none.
int Fuser::sum_host(int reduce) const {
  constexpr std::int64_t kMostSums = 2048, kFewestElements = 16 * 1024;
  const Cluster& cluster = clusters[static_cast<std::size_t>(reduce)];
  const Op& op = *cluster.root;
  if (window_use(op) != WindowUse::kNone) return -1;
  const Combiner combiner = free_combiner(op);
  const auto combiners = {Combiner::kSum, Combiner::kMaximum, Combiner::kMinimum};
  const Value elements = op.operand(0);
  const ir::DType dtype = elements.dtype();
  if (std::find(combiners.begin(), combiners.end(), combiner) == combiners.end() ||
      (dtype != ir::DType::kF32 && dtype != ir::DType::kF64))
    return -1;
  const ir::Dims& dims = elements.dims();
  const auto& gone = op.attributes().get<ir::Dims>("dimensions");
  // The first dimensions go, the last stay.
  if (gone.empty() || gone.size() >= dims.size() ||
      *std::max_element(gone.begin(), gone.end()) + 1 != static_cast<std::int64_t>(gone.size()))
    return -1;
  const std::int64_t count = op.result().type().num_elements(), all = elements.type().num_elements();
  if (dims.back() < options.vector_lanes || count > kMostSums || all < kFewestElements ||
      all / count < options.vector_lanes)
    return -1;
  std::set<int> hosts;  // of the elements, or of what they are made from
  for (const Op* member : cluster.ops)
    for (const Value& operand : member->operands())
      if (operand.op() != nullptr && operand.dims() == dims && operand.block() == &block)
        if (const auto found = cluster_of.find(operand.op());
            found != cluster_of.end() && found->second != reduce)
          if (clusters[static_cast<std::size_t>(found->second)].kind == GroupKind::kLoop)
            hosts.insert(found->second);
  for (int host : hosts) {
    const Cluster& loop = clusters[static_cast<std::size_t>(host)];
    if (loop.dims != dims || loop.ops.size() + cluster.ops.size() > kMaxGroupOps ||
        loop.before.contains(reduce))
      continue;
    if (std::any_of(cluster.ops.begin(), cluster.ops.end(),
                    [&](const Op* member) { return viewed_clusters(*member).contains(host); }))
      continue;
    bool between = false;
    for (std::size_t c = 0; c < clusters.size() && !between; ++c)
      between = static_cast<int>(c) != host && clusters[c].before.contains(host) &&
                cluster.before.contains(static_cast<int>(c));
    if (between) continue;
    if (!loop.tile.empty() && !(combiner == Combiner::kSum && goes_window_by_window(loop.tile, gone.size()) &&
                                is_zero_behind_windows(elements, loop.tile)))
      continue;
    return host;
  }
  return -1;
}

/// Whether the elements that lie in no window are zero (or there are none): a sum may leave them out.
bool Fuser::is_zero_behind_windows(Value v, const ir::Dims& tile) const {
  bool covered = v.dims().size() == tile.size();
  for (std::size_t d = 0; d < tile.size(); ++d) covered = covered && v.dims()[d] % tile[d] == 0;
  if (covered) return true;
  const Value base = behind_views(v);
  const Op* const op = base.op();
  if (op == nullptr) return false;
  if (ops::is_constant(op->result(0)))
    return op->result().type().num_elements() == 1 && op->attributes().get<ir::Literal>("value").at(0) == 0;
  if (base != v) return false;  // a view moves elements, and zeros with them
  // pattern: a choice between two values of which both are zero there
  if (op->name() == "select")
    return is_zero_behind_windows(op->operand(1), tile) && is_zero_behind_windows(op->operand(2), tile);
  return is_tiled(*op) && has_plain_windows(*op) && window_sizes(*op) == tile &&
         is_zero_behind_windows(op->operand(2), tile);
}

/// Reductions join the loops that make what they combine, which saves reading it again.
void Fuser::attach_sums() {
  if (!options.fuse) return;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    if (clusters[c].kind != GroupKind::kReduce || clusters[c].merged) continue;
    if (const int host = sum_host(static_cast<int>(c)); host >= 0) absorb(host, static_cast<int>(c));
  }
}

}  // namespace cornu::inline v0::backends::cpu::fusing
