#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cornu/backends/cpu/plan/access.h"
#include "cornu/backends/cpu/plan/passes.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// Strides for dimensions listed from outermost to innermost.
ir::Dims strides_of(const ir::Dims& dims, const std::vector<std::size_t>& outer_to_inner) {
  ir::Dims strides(dims.size());
  std::int64_t stride = 1;
  for (std::size_t i = outer_to_inner.size(); i-- > 0;) {
    strides[outer_to_inner[i]] = stride;
    stride *= dims[outer_to_inner[i]];
  }
  return strides;
}

/// True if a reduction that reads a tensor at `map` combines each row separately: it reduces the last
/// dimension, and its results run along the dimension before.
bool combines_each_row(const ReduceLoops& loops, const IndexMap& map) {
  const auto runs_along = [&](const Index& index, bool kept) {
    bool runs = false;
    for (std::size_t l = 0; l < index.coefficients.size(); ++l) {
      if (index.coefficients[l] == 0 || loops.extents[l] == 1) continue;
      if ((std::count(loops.kept.begin(), loops.kept.end(), static_cast<std::int64_t>(l)) > 0) != kept)
        return false;
      runs = true;
    }
    return runs;
  };
  return map.size() >= 2 && runs_along(map.back(), false) && runs_along(map[map.size() - 2], true);
}

/// For each buffer: true if a reduction combines each of its rows separately.
std::vector<bool> find_combined_rows(const Plan& plan) {
  std::vector<bool> combined(plan.buffers.size());
  for_each_group(plan, [&](const Group& group, int) {
    if (!group.is<ReduceGroup>()) return;
    const ReduceLoops loops = reduce_loops(*group.op);
    for (const Read& read : group_reads(plan, group))
      if (!read.linear && combines_each_row(loops, read.map))
        combined[static_cast<std::size_t>(plan.buffer_of.at(read.value))] = true;
  });
  return combined;
}

/// The buffers of its shape that each loop walks along, for the loops that walk a buffer stored by column.
std::vector<std::vector<std::size_t>> find_walks(const Plan& plan, const std::vector<bool>& by_column) {
  std::vector<std::vector<std::size_t>> walks;
  for_each_group(plan, [&](const Group& group, int) {
    if (!group.is<LoopGroup>()) return;
    std::vector<std::size_t> walked;
    const auto walk = [&](int buffer) {
      if (plan.buffers[static_cast<std::size_t>(buffer)].type.dims == group.extents)
        walked.push_back(static_cast<std::size_t>(buffer));
    };
    for (const Store& store : group.stores) {
      const auto buffer = static_cast<std::size_t>(store.buffer);
      if (!store.at)
        walk(store.buffer);
      else if (plan.buffers[buffer].type.dims.size() == group.extents.size())
        walked.push_back(buffer);  // a part of it
    }
    for (const Read& read : group_reads(plan, group))
      if (!read.linear && is_identity(read.map, group.extents)) walk(plan.buffer_of.at(read.value));
    if (std::any_of(walked.begin(), walked.end(), [&](std::size_t b) { return by_column[b]; }))
      walks.push_back(std::move(walked));
  });
  return walks;
}

/// Makes buffers row-major that loops walk along beside a row-major one. Each such buffer is looked at once.
void spread_row_major(const std::vector<std::vector<std::size_t>>& walks,
                      const std::vector<bool>& combined_rows, std::vector<bool>& by_column) {
  std::unordered_map<std::size_t, std::vector<std::size_t>> walks_of;  // by buffer
  std::vector<std::size_t> row_major;
  for (std::size_t w = 0; w < walks.size(); ++w)
    for (const std::size_t b : walks[w])
      if (std::vector<std::size_t>& all = walks_of[b]; all.empty() || all.back() != w) all.push_back(w);
  for (const auto& [b, all] : walks_of)
    if (!by_column[b]) row_major.push_back(b);
  while (!row_major.empty()) {
    const std::size_t next = row_major.back();
    row_major.pop_back();
    for (const std::size_t w : walks_of.at(next))
      for (const std::size_t b : walks[w]) {
        if (!by_column[b] || combined_rows[b]) continue;
        by_column[b] = false;
        row_major.push_back(b);
      }
  }
}

}  // namespace

/// Layout assignment: row-major, except that an arena tensor [rows, few] with far more rows than columns
/// (class scores) is stored column by column, so that loops use full vectors of rows instead of a few lanes
/// of columns. Exception: a loop also traverses a tensor of the same shape that must stay row-major (a weight
/// and its gradient); one flat loop over both is faster then. But a tensor that a reduction combines row by
/// row (a softmax) is stored by column even then: the gain of the reduction exceeds the cost of strided
/// access to the other tensor.
///
/// The last bits of such a reduction depend on the layout: along columns it adds one element after another,
/// within a row by halves of a vector. The layout does not depend on how a program returns a result computed
/// from the tensor (as an output, or in stacked outputs of many steps), so such programs give the same bits.
/// Conditions that may differ between two programs, each of which keeps the tensor row-major: the tensor's
/// location (an argument, an output or a stacked output); its producer (a kernel, a reference op, a control
/// op, an update that fills it, or a block whose result it is); and a use as an operand of a kernel, of a
/// reference op, of a control op, or of a reshape without an index map (row_major_only, see
/// Fuser::force_operands_of).
void assign_layouts(Plan& plan, const PlanOptions& options) {
  auto is_narrow = [&](const PlanBuffer& buffer) {
    const ir::Dims& dims = buffer.type.dims;
    return dims.size() >= 2 && dims.back() * 2 <= options.vector_lanes && dims[dims.size() - 2] > dims.back();
  };
  auto is_fixed = [](const PlanBuffer& buffer) {
    return buffer.space != MemorySpace::kArena || buffer.row_major_only;
  };
  std::vector<bool> by_column(plan.buffers.size());
  for (std::size_t i = 0; i < plan.buffers.size(); ++i)
    by_column[i] = is_narrow(plan.buffers[i]) && !is_fixed(plan.buffers[i]);
  spread_row_major(find_walks(plan, by_column), find_combined_rows(plan), by_column);
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    PlanBuffer& buffer = plan.buffers[i];
    std::vector<std::size_t> nesting(buffer.type.dims.size());
    std::iota(nesting.begin(), nesting.end(), 0);
    if (by_column[i]) std::swap(nesting[nesting.size() - 1], nesting[nesting.size() - 2]);
    buffer.strides = strides_of(buffer.type.dims, nesting);
  }
}

}  // namespace cornu::inline v0::backends::cpu
