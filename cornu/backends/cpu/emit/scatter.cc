#include <llvm/IR/Intrinsics.h>

#include <algorithm>

#include "cornu/backends/cpu/emit/group_emitter.h"
#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {

/// Walks the updates in row-major order of their batch dimensions, so that equal indices combine in the specified order; inside a window
/// all targets differ, and lanes run along its last dimension. The order is part of the result, so slices do not share the updates: each
/// walks all of them and applies those whose target lies in its part of one dimension of the input.
void GroupEmitter::emit_scatter_group() {
  const ir::Op& scatter = *group_.op;
  const std::size_t n = scatter.results().size();
  const ir::Value indices = scatter.operand(n);
  const ScatterShape shape = scatter_shape(scatter);
  const ir::Dims& input = scatter.operand(0).dims();
  std::vector<int> updates, starts;
  for (const ScatterShape::Start& start : shape.starts) starts.push_back(expression_.add_offset(indices, start.map, -1, 1));
  for (std::size_t i = 0; i < n; ++i)
    updates.push_back(expression_.add(scatter.operand(n + 1 + i), identity_map(group_.extents.size()), false));
  for (const Store& store : group_.stores)
    store_addresses_.push_back(expression_.address(plan_.buffers[static_cast<std::size_t>(store.buffer)], shape.target));

  const bool checks_window =
      std::any_of(shape.starts.begin(), shape.starts.end(), [](const ScatterShape::Start& s) { return s.window_extent > 1; });
  choose_loops(shape.batch);
  merge_loops(0, loops_.size());
  const std::size_t num_batch = loops_.size();
  choose_loops(shape.window);
  if (!checks_window) merge_loops(num_batch, loops_.size());
  if (!checks_window && loops_.size() > num_batch) make_vector_loop(static_cast<int>(loops_.size()) - 1, target_.lanes);
  set_levels();
  if (vector_level_ >= 0)
    for (int node : updates) has_vector_user_[static_cast<std::size_t>(node)] = true;

  auto when = [&](llvm::Value* condition, const Body& body) {
    if (condition == nullptr) return body();
    auto* inside = llvm::BasicBlock::Create(context_, "inside", function_);
    auto* after = llvm::BasicBlock::Create(context_, "skip", function_);
    builder_.CreateCondBr(condition, inside, after);
    builder_.SetInsertPoint(inside);
    body();
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
  };
  // The dimension that slices share: the first that every update has one index of.
  std::size_t shared = shape.starts.size();
  for (std::size_t s = shape.starts.size(); s-- > 0;)
    if (shape.starts[s].window_extent == 1) shared = s;
  if (group_.num_slices > 1 && shared < shape.starts.size()) {
    const std::int64_t extent = input[shape.starts[shared].dimension];
    chunk_ = (extent + group_.num_slices - 1) / group_.num_slices;
    num_slices_ = (extent + chunk_ - 1) / chunk_;
    split_level_ = loops_.size();  // no loop is split
  }
  // 0 <= start + window index < extent, for the starts that a window is one element wide along, or for the others.
  auto in_range = [&](bool of_windows) {
    llvm::Value* all = nullptr;
    for (std::size_t s = 0; s < shape.starts.size(); ++s) {
      const ScatterShape::Start& start = shape.starts[s];
      if ((start.window_extent > 1) != of_windows) continue;
      llvm::Value* at = values_[static_cast<std::size_t>(starts[s])];
      for (std::size_t l = num_batch; of_windows && l < loops_.size(); ++l)
        if (loops_[l].dimensions.front() == static_cast<std::size_t>(start.window_dimension)) at = builder_.CreateAdd(at, loop_index_[l]);
      llvm::Value* extent = integer(input[start.dimension]);
      if (num_slices_ > 1 && s == shared) {
        llvm::Value* begin = builder_.CreateMul(slice_, integer(chunk_));
        at = builder_.CreateSub(at, begin);
        extent = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, integer(chunk_), builder_.CreateSub(extent, begin));
      }
      llvm::Value* inside = builder_.CreateICmpULT(at, extent);
      all = all == nullptr ? inside : builder_.CreateAnd(all, inside);
    }
    return all;
  };
  emit_level(-1);
  open_loops(0, num_batch, [&] {
    when(in_range(false), [&] {
      open_loops(num_batch, loops_.size(), [&] {
        when(checks_window ? in_range(true) : nullptr, [&] {
          std::vector<llvm::Value*> positions, current, next;
          for (std::size_t i = 0; i < n; ++i) {
            const Store& store = group_.stores[i];
            const ir::Dims& strides = plan_.buffers[static_cast<std::size_t>(store.buffer)].strides;
            llvm::Value* position = position_of(store_addresses_[i]);
            for (std::size_t s = 0; s < starts.size(); ++s)
              position = builder_.CreateAdd(
                  position, builder_.CreateMul(values_[static_cast<std::size_t>(starts[s])], integer(strides[shape.starts[s].dimension])));
            positions.push_back(position);
            current.push_back(load_at(buffer_base(store.buffer), position, lane_stride(store_addresses_[i].position), vector_level_ >= 0,
                                      store.value.dtype()));
            next.push_back(vector_level_ >= 0 ? vector_value(updates[i]) : values_[static_cast<std::size_t>(updates[i])]);
          }
          const std::vector<llvm::Value*> combined = combine(scatter, current, next);
          for (std::size_t i = 0; i < n; ++i)
            store_at(buffer_base(group_.stores[i].buffer), positions[i], lane_stride(store_addresses_[i].position), combined[i],
                     group_.stores[i].value.dtype());
        });
      });
    });
  });
}

}  // namespace cornu::inline v0::backends::cpu
