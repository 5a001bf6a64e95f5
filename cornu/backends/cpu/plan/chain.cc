#include <algorithm>
#include <map>
#include <numeric>

#include "cornu/backends/cpu/plan/access.h"
#include "cornu/backends/cpu/plan/passes.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::int64_t kFewestSlices = 8, kMostSlices = 128;
/// Bytes of a slice: they stay in the second cache between the groups. A constant, because sums are cut by
/// slices and their bits must depend on shapes alone.
constexpr double kSliceBytes = 512 << 10;

/// The use of a buffer by a group. `by_rows`: slice i of any number of equal slices of the outermost loop uses
/// slice i of the buffer's elements only.
struct Use {
  int buffer = 0;
  bool writes = false, by_rows = false;
};

/// True if iteration i of the outermost loop uses only elements [i n, (i + 1) n) of a row-major buffer, where
/// n is its size divided by the loop's extent.
bool goes_by_rows(const Index& position, const ir::Dims& extents, std::int64_t num_elements) {
  if (!position.dynamic.empty() || position.coefficients.size() != extents.size()) return false;
  const std::int64_t row = position.coefficients[0];
  if (row <= 0 || row * extents[0] != num_elements) return false;
  std::int64_t least = position.constant, most = position.constant;
  for (std::size_t l = 1; l < extents.size(); ++l) {
    const std::int64_t way = position.coefficients[l] * (extents[l] - 1);
    (way < 0 ? least : most) += way;
  }
  return least >= 0 && most < row;
}

/// The position in a buffer of these strides, at `map`.
Index position_at(const ir::Dims& strides, const IndexMap& map, std::size_t num_loops) {
  Index out{std::vector<std::int64_t>(num_loops, 0), 0, {}};
  for (std::size_t d = 0; d < map.size(); ++d) {
    out.dynamic.insert(out.dynamic.end(), map[d].dynamic.begin(), map[d].dynamic.end());
    for (std::size_t l = 0; l < map[d].coefficients.size() && l < num_loops; ++l)
      out.coefficients[l] += strides[d] * map[d].coefficients[l];
    out.constant += strides[d] * map[d].constant;
  }
  return out;
}

bool is_row_major(const ir::Dims& dims, const ir::Dims& strides) {
  return strides == ir::row_major_strides(dims);
}

Use use_of(const Plan& plan, const Group& group, const Read& read) {
  Use use{.buffer = plan.buffer_of.at(read.value)};
  const ir::Dims strides = plan.strides(read.value);
  const std::int64_t size = read.value.type().num_elements();
  if (read.linear)
    use.by_rows = is_row_major(read.value.dims(), strides) && goes_by_rows(read.map[0], group.extents, size);
  else if (read.map.size() == strides.size() && !read.map.empty())
    use.by_rows = goes_by_rows(position_at(strides, read.map, group.extents.size()), group.extents, size);
  return use;
}

/// The map of the results of a group that may be part of a chain; empty if it may not.
std::optional<IndexMap> result_map(const Group& group) {
  if (group.num_slices <= 1 || group.extents.empty() || group.extents[0] <= 1) return std::nullopt;
  const IndexMap identity = identity_map(group.extents.size());
  if (const auto* loop = group.as<LoopGroup>())
    return loop->tile.empty() ? std::optional(identity) : std::nullopt;
  if (!group.is<ReduceGroup>() || group.scratch_buffer >= 0) return std::nullopt;
  const ReduceLoops loops = reduce_loops(*group.op);
  if (loops.extents != group.extents || loops.kept.empty() || loops.kept[0] != 0) return std::nullopt;
  IndexMap map;
  for (const std::int64_t d : loops.kept) map.push_back(identity[static_cast<std::size_t>(d)]);
  return map;
}

/// The uses of a group that may be part of a chain: all its results go by rows, except sums. Empty for others.
std::vector<Use> uses_of(const Plan& plan, const Group& group) {
  const std::optional<IndexMap> map = result_map(group);
  if (!map) return {};
  std::vector<Use> uses;
  bool has_rows = false;
  for (const Store& store : group.stores) {
    const PlanBuffer& buffer = plan.buffers[static_cast<std::size_t>(store.buffer)];
    if (store.is_sum) {
      uses.push_back({store.buffer, true, false});
      continue;
    }
    if (store.at || buffer.strides.size() != map->size() ||
        !goes_by_rows(position_at(buffer.strides, *map, group.extents.size()), group.extents,
                      buffer.type.num_elements()))
      return {};
    uses.push_back({store.buffer, true, true});
    has_rows = true;
  }
  if (!has_rows) return {};
  for (const Read& read : group_reads(plan, group)) uses.push_back(use_of(plan, group, read));
  return uses;
}

/// Groups one after the other whose slices can run one after the other.
class Chain {
 public:
  explicit Chain(const Plan& plan) : plan_(&plan) {}

  /// Adds the group, if its slice i needs nothing of other slices of the groups before and changes nothing that
  /// they use, and if it uses what they used.
  bool add(Group& group) {
    const std::vector<Use> uses = uses_of(*plan_, group);
    if (uses.empty()) return false;
    bool shares = groups_.empty();
    for (const Use& use : uses) {
      const auto found = uses_.find(use.buffer);
      if (found == uses_.end()) continue;
      const Use& before = found->second;
      if ((before.writes || use.writes) && !(before.by_rows && use.by_rows)) return false;
      shares = shares || (before.by_rows && use.by_rows);
    }
    const std::int64_t extent = std::gcd(extent_, group.extents[0]);
    if (!shares || num_slices_of(extent, 0) == 0) return false;
    for (const Use& use : uses) {
      const auto [at, is_new] = uses_.emplace(use.buffer, use);
      at->second.writes |= use.writes;
      at->second.by_rows &= use.by_rows;
      if (is_new && use.by_rows)
        bytes_ += static_cast<double>(plan_->buffers[static_cast<std::size_t>(use.buffer)].type.size_bytes());
    }
    extent_ = extent;
    groups_.push_back(&group);
    return true;
  }

  /// Marks the groups, if there are several.
  void finish(Plan& plan) const {
    if (groups_.size() < 2) return;
    const std::int64_t num_slices = num_slices_of(extent_, bytes_);
    for (Group* group : groups_) {
      group->chain = Group::ChainIds{groups_.front()->id, groups_.back()->id};
      group->num_slices = num_slices;
      if (const std::int64_t row_bytes = partial_sums(*group).row_bytes; row_bytes > 0) {
        PlanBuffer& scratch = plan.buffers[static_cast<std::size_t>(group->scratch_buffer)];
        scratch.type.dims[0] = num_slices * row_bytes;
      }
    }
  }

 private:
  /// Equal slices of all outermost loops: the fewest of at most kSliceBytes; 0 if there are none.
  static std::int64_t num_slices_of(std::int64_t extent, double bytes) {
    std::int64_t best = 0;
    for (std::int64_t n = kFewestSlices; n <= std::min(extent, kMostSlices); ++n) {
      if (extent % n != 0) continue;
      best = n;
      if (bytes / static_cast<double>(n) <= kSliceBytes) break;
    }
    return best;
  }

  const Plan* plan_;
  std::vector<Group*> groups_;
  std::map<int, Use> uses_;  // by buffer
  std::int64_t extent_ = 0;  // the greatest common divisor of the outermost loops
  double bytes_ = 0;
};

void chain(Plan& plan, std::vector<Group>& groups) {
  Chain chain_of_groups(plan);
  for (Group& group : groups) {
    for (std::vector<Group>& region : group.regions) chain(plan, region);
    if (chain_of_groups.add(group)) continue;
    chain_of_groups.finish(plan);
    chain_of_groups = Chain(plan);
    chain_of_groups.add(group);
  }
  chain_of_groups.finish(plan);
}

}  // namespace

void chain_groups(Plan& plan, const PlanOptions& options) {
  if (options.parallel && options.fuse) chain(plan, plan.groups);
}

}  // namespace cornu::inline v0::backends::cpu
