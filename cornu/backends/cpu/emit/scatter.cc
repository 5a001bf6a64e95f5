#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "cornu/backends/cpu/emit/group_emitter.h"
#include "cornu/backends/cpu/plan/access.h"
#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr std::int64_t kUpdatesAhead = 16;

// Rows of large tables, which loops read and change by numbers of rows. Memory answers several requests at a
// time, but a processor alone looks only some hundred instructions ahead.
constexpr std::size_t kLeastTableBytes = std::size_t{4} << 20;  // smaller tables stay in the caches
constexpr std::int64_t kMostRowBytes = 4096;                    // the processor reads long rows ahead itself
constexpr std::int64_t kMostBytes = std::int64_t{256} << 10;    // of a slice: half of a small second cache
constexpr std::int64_t kMostBytesAhead = std::int64_t{64} << 10;
constexpr std::int64_t kRowsAhead = 16;
constexpr std::int64_t kLine = 64;

std::int64_t row_bytes(const Node& start, const Node& load) {
  return start.stride * static_cast<std::int64_t>(ir::size_bytes(load.value.dtype()));
}

}  // namespace

/// Emits the open loops above `depth` again, for a different choice of the vector loop.
void GroupEmitter::emit_open_levels(std::size_t depth) {
  const std::vector<llvm::Value*> indices = loop_index_;
  set_levels();
  std::copy(indices.begin(), indices.end(), loop_index_.begin());
  emit_level(-1);
  for (std::size_t level = 0; level < depth; ++level) emit_level(static_cast<int>(level));
}

/// Lists the indices of the loop at `level` in [first, end) whose start, less `begin`, is below `extent`, one
/// after the other at `list`, which has room for a vector more; returns their number. AVX-512 handles a
/// vector of starts at a time; other levels avoid a branch for each start, because the slice of an update
/// cannot be predicted.
llvm::Value* GroupEmitter::list_updates(std::size_t level, int start, llvm::Value* begin, llvm::Value* extent,
                                        llvm::Value* first, llvm::Value* end, llvm::Value* list) {
  llvm::Type* const i32 = builder_.getInt32Ty();
  const int window_level = vector_level_, window_lanes = lanes_;
  vector_level_ = target_.isa == IsaLevel::kAvx512 ? static_cast<int>(level) : -1;
  lanes_ = vector_level_ >= 0 ? target_.lanes : 1;
  emit_open_levels(level);
  llvm::Value* const count = stack_slot(builder_.getInt64Ty());
  builder_.CreateStore(integer(0), count);
  counted_loop(first, end, lanes_, [&](llvm::Value* index) {
    loop_index_[level] = index;
    mask_ = lanes_ == 1 ? nullptr : masked_by_end(index, end);
    emit_level(static_cast<int>(level));
    llvm::Value* const at = builder_.CreateSub(
        lanes_ == 1 ? values_[static_cast<std::size_t>(start)] : vector_value(start), splat(begin));
    llvm::Value* const is_own = builder_.CreateICmpULT(at, splat(extent));
    llvm::Value* const known = builder_.CreateLoad(builder_.getInt64Ty(), count);
    llvm::Value* numbers = splat(builder_.CreateTrunc(index, i32));
    llvm::Value* found = nullptr;
    if (lanes_ == 1) {
      found = builder_.CreateZExt(is_own, builder_.getInt64Ty());
    } else {
      llvm::Value* const own = builder_.CreateAnd(is_own, mask_);
      numbers = builder_.CreateAdd(numbers, lane_numbers(i32));
      numbers = builder_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_compress, {numbers->getType()},
                                         {numbers, llvm::Constant::getNullValue(numbers->getType()), own});
      llvm::Value* const bits =
          builder_.CreateBitCast(own, builder_.getIntNTy(static_cast<unsigned>(lanes_)));
      found = builder_.CreateZExt(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits),
                                  builder_.getInt64Ty());
    }
    builder_.CreateAlignedStore(numbers, builder_.CreateInBoundsGEP(i32, list, known), llvm::Align(4));
    builder_.CreateStore(builder_.CreateAdd(known, found), count);
  });
  mask_ = nullptr;
  vector_level_ = window_level;
  lanes_ = window_lanes;
  return builder_.CreateLoad(builder_.getInt64Ty(), count);
}

/// The batch loops, down to `inner`, over those updates only whose start, less `begin`, is below `extent`: a
/// block of the innermost loop at a time, first which they are, then these.
/// `look_ahead`, if it is there, receives the loop's index of a later one of them.
void GroupEmitter::walk_own_updates(std::size_t inner, int start, llvm::Value* begin, llvm::Value* extent,
                                    const Body& body, const std::function<void(llvm::Value*)>& look_ahead) {
  constexpr std::int64_t kBlock = 4096;
  llvm::Value* const count = integer(loops_[inner].extent);
  llvm::Value* const list = stack_slot(
      llvm::ArrayType::get(builder_.getInt32Ty(), static_cast<std::uint64_t>(kBlock + target_.lanes)));
  open_loops(0, inner, [&] {
    counted_loop(integer(0), count, kBlock, [&](llvm::Value* first) {
      llvm::Value* const end = builder_.CreateBinaryIntrinsic(
          llvm::Intrinsic::smin, builder_.CreateAdd(first, integer(kBlock)), count);
      llvm::Value* const found = list_updates(inner, start, begin, extent, first, end, list);
      emit_open_levels(inner);
      const auto index_at = [&](llvm::Value* place) {
        llvm::Value* const number = builder_.CreateInBoundsGEP(builder_.getInt32Ty(), list, place);
        return builder_.CreateZExt(builder_.CreateLoad(builder_.getInt32Ty(), number), builder_.getInt64Ty());
      };
      counted_loop(integer(0), found, 1, [&](llvm::Value* place) {
        if (look_ahead)
          look_ahead(index_at(builder_.CreateBinaryIntrinsic(
              llvm::Intrinsic::smin, builder_.CreateAdd(place, integer(kUpdatesAhead)),
              builder_.CreateSub(found, integer(1)))));
        loop_index_[inner] = index_at(place);
        emit_level(static_cast<int>(inner));
        body();
      });
    });
  });
}

/// The value of the input in these rows of it.
void GroupEmitter::fill_rows(const ir::Literal& fill, const ir::Dims& input, llvm::Value* first_row,
                             llvm::Value* num_rows) {
  const Store& store = group_.stores[0];
  const int lanes = lanes_;
  const std::int64_t row = ir::row_major_strides(input)[0];
  llvm::Value* const begin = builder_.CreateMul(first_row, integer(row));
  llvm::Value* const count = builder_.CreateMul(num_rows, integer(row));
  llvm::Value* const end = builder_.CreateAdd(begin, count);
  llvm::Value* const full = builder_.CreateAdd(begin, builder_.CreateAnd(count, integer(-target_.lanes)));
  auto write = [&](llvm::Value* at) {
    store_at(buffer_base(store.buffer), at, 1, splat(emit_constant(context_, fill, 0)), store.value.dtype());
  };
  lanes_ = target_.lanes;
  counted_loop(begin, full, lanes_, write);
  lanes_ = 1;
  counted_loop(full, end, 1, write);
  lanes_ = lanes;
}

/// A scatter's loops over the updates: those of the batch first, then those of a window.
struct GroupEmitter::ScatterLoops {
  const ir::Op& op;
  ScatterShape shape;
  std::vector<int> updates, starts;  // nodes
  std::size_t num_batch = 0;         // loops
  bool checks_window = false;        // windows may lie partly outside
  llvm::Value* own_begin = nullptr;  // of the dimension that slices share

  std::size_t num_results() const { return op.results().size(); }
  std::size_t shared() const { return shape.shared.value_or(0); }
  const ir::Dims& input() const { return op.operand(0).dims(); }
};

GroupEmitter::ScatterLoops GroupEmitter::make_scatter_loops() {
  ScatterLoops scatter{.op = *group_.op, .shape = scatter_shape(*group_.op)};
  const std::size_t n = scatter.num_results();
  for (const ScatterShape::Start& start : scatter.shape.starts)
    scatter.starts.push_back(expression_.add_offset(scatter.op.operand(n), start.map, -1, 1));
  for (std::size_t i = 0; i < n; ++i)
    scatter.updates.push_back(
        expression_.add(scatter.op.operand(n + 1 + i), identity_map(group_.extents.size()), false));
  for (const Store& store : group_.stores)
    store_addresses_.push_back(
        expression_.address(plan_.buffers[static_cast<std::size_t>(store.buffer)], scatter.shape.target));

  scatter.checks_window =
      std::any_of(scatter.shape.starts.begin(), scatter.shape.starts.end(),
                  [](const ScatterShape::Start& start) { return start.window_extent > 1; });
  choose_loops(scatter.shape.batch);
  merge_loops(0, loops_.size());
  scatter.num_batch = loops_.size();
  choose_loops(scatter.shape.window);
  if (!scatter.checks_window) merge_loops(scatter.num_batch, loops_.size());
  if (!scatter.checks_window && loops_.size() > scatter.num_batch)
    make_vector_loop(static_cast<int>(loops_.size()) - 1, target_.lanes);
  store_nodes_ = scatter.updates;

  if (group_.num_slices > 1 && scatter.shape.shared) {
    const std::int64_t extent = scatter.input()[scatter.shape.starts[scatter.shared()].dimension];
    chunk_ = (extent + group_.num_slices - 1) / group_.num_slices;
    num_slices_ = divide_up(extent, chunk_);
    split_level_ = loops_.size();  // no loop is split
  }
  scatter.own_begin = builder_.CreateMul(slice_, integer(chunk_));
  return scatter;
}

/// The body where the condition holds; null: everywhere.
void GroupEmitter::emit_when(llvm::Value* condition, const Body& body) {
  if (condition == nullptr) return body();
  auto* inside = llvm::BasicBlock::Create(context_, "inside", function_);
  auto* after = llvm::BasicBlock::Create(context_, "skip", function_);
  builder_.CreateCondBr(condition, inside, after);
  builder_.SetInsertPoint(inside);
  body();
  builder_.CreateBr(after);
  builder_.SetInsertPoint(after);
}

/// The extent of this slice in the dimension that slices share.
llvm::Value* GroupEmitter::own_extent(llvm::Value* own_begin, std::int64_t extent) {
  return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, integer(chunk_),
                                        builder_.CreateSub(integer(extent), own_begin));
}

/// 0 <= start + window index < extent, for the starts that a window is one element wide along, or for the
/// others. Null: no such start.
llvm::Value* GroupEmitter::is_in_range(const ScatterLoops& scatter, bool of_windows) {
  llvm::Value* all = nullptr;
  for (std::size_t s = 0; s < scatter.shape.starts.size(); ++s) {
    const ScatterShape::Start& start = scatter.shape.starts[s];
    if ((start.window_extent > 1) != of_windows) continue;
    llvm::Value* at = values_[static_cast<std::size_t>(scatter.starts[s])];
    for (std::size_t l = scatter.num_batch; of_windows && l < loops_.size(); ++l)
      if (loops_[l].dimensions.front() == static_cast<std::size_t>(start.window_dimension))
        at = builder_.CreateAdd(at, loop_index_[l]);
    llvm::Value* extent = integer(scatter.input()[start.dimension]);
    if (num_slices_ > 1 && s == scatter.shared()) {
      at = builder_.CreateSub(at, scatter.own_begin);
      extent = own_extent(scatter.own_begin, scatter.input()[start.dimension]);
    }
    llvm::Value* inside = builder_.CreateICmpULT(at, extent);
    all = all == nullptr ? inside : builder_.CreateAnd(all, inside);
  }
  return all;
}

/// Combines the update, or a register of it, with what is at its target.
void GroupEmitter::apply_update(const ScatterLoops& scatter) {
  std::vector<llvm::Value*> positions, current, next;
  for (std::size_t i = 0; i < scatter.num_results(); ++i) {
    const Store& store = group_.stores[i];
    const ir::Dims& strides = plan_.buffers[static_cast<std::size_t>(store.buffer)].strides;
    llvm::Value* position = position_of(store_addresses_[i]);
    for (std::size_t s = 0; s < scatter.starts.size(); ++s)
      position = builder_.CreateAdd(position,
                                    builder_.CreateMul(values_[static_cast<std::size_t>(scatter.starts[s])],
                                                       integer(strides[scatter.shape.starts[s].dimension])));
    positions.push_back(position);
    current.push_back(load_at(buffer_base(store.buffer), position, lane_stride(store_addresses_[i].position),
                              vector_level_ >= 0, store.value.dtype()));
    next.push_back(vector_level_ >= 0 ? vector_value(scatter.updates[i])
                                      : values_[static_cast<std::size_t>(scatter.updates[i])]);
  }
  const std::vector<llvm::Value*> combined = combine(scatter.op, current, next);
  for (std::size_t i = 0; i < scatter.num_results(); ++i)
    store_at(buffer_base(group_.stores[i].buffer), positions[i], lane_stride(store_addresses_[i].position),
             combined[i], group_.stores[i].value.dtype());
}

/// True if the updates change rows of large tables, each by a number of its own.
bool GroupEmitter::changes_table_rows(const ScatterLoops& scatter) const {
  if (group_.as<ScatterGroup>()->fill || scatter.num_batch != 1 || scatter.starts.size() != 1 ||
      scatter.shape.starts[0].dimension != 0 || scatter.checks_window)
    return false;
  return std::ranges::any_of(group_.stores,
                             [&](const Store& store) { return is_table_of_rows(store.buffer); });
}

/// Calls look_ahead for a later index of a loop, which is open.
void GroupEmitter::at_later_index(std::size_t level, const std::function<void(llvm::Value*)>& look_ahead) {
  llvm::Value* const index = loop_index_[level];
  look_ahead(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                            builder_.CreateAdd(index, integer(kUpdatesAhead)),
                                            integer(loops_[level].extent - 1)));
  loop_index_[level] = index;
  emit_level(static_cast<int>(level));
}

/// Walks the updates in row-major order of their batch dimensions, so that equal indices combine in the
/// specified order; inside a window all targets differ, and lanes run along its last dimension. The order is
/// part of the result, so slices do not share the updates: each looks at all of them and applies those whose
/// target is in its part of one dimension of the input.
void GroupEmitter::emit_scatter_group(const ScatterGroup& group) {
  const ScatterLoops scatter = make_scatter_loops();
  const ir::Dims& input = scatter.input();
  auto apply = [&] {
    emit_when(is_in_range(scatter, false), [&] {
      open_loops(scatter.num_batch, loops_.size(), [&] {
        emit_when(scatter.checks_window ? is_in_range(scatter, true) : nullptr,
                  [&] { apply_update(scatter); });
      });
    });
  };
  if (group.fill)
    fill_rows(*group.fill, input, scatter.own_begin,
              num_slices_ == 1 ? integer(input[0]) : own_extent(scatter.own_begin, input[0]));
  emit_open_levels(0);
  const std::size_t inner = scatter.num_batch - 1;
  std::function<void(llvm::Value*)> look_ahead;
  if (changes_table_rows(scatter))
    look_ahead = [&](llvm::Value* index) { prefetch_update(inner, index, scatter.starts); };
  if (num_slices_ == 1 || scatter.num_batch == 0 ||
      loops_[inner].extent > std::numeric_limits<std::int32_t>::max())
    return open_loops(0, scatter.num_batch, [&] {
      if (look_ahead) at_later_index(inner, look_ahead);
      apply();
    });
  walk_own_updates(inner, scatter.starts[scatter.shared()], scatter.own_begin,
                   own_extent(scatter.own_begin, input[scatter.shape.starts[scatter.shared()].dimension]),
                   apply, look_ahead);
}

/// True for a large tensor that is not made by the step and whose rows are short.
bool GroupEmitter::is_table_of_rows(int buffer) const {
  const PlanBuffer& table = plan_.buffers[static_cast<std::size_t>(buffer)];
  return table.space == MemorySpace::kArgument && table.type.size_bytes() >= kLeastTableBytes &&
         table.strides[0] * static_cast<std::int64_t>(ir::size_bytes(table.type.dtype)) <= kMostRowBytes;
}

/// True if the node reads rows of a large table, each by a number of its own.
bool GroupEmitter::reads_table_rows(const Node& node) const {
  if (node.kind != Node::Kind::kLoad || node.address.dynamic.size() != 1 || !is_table_of_rows(node.buffer))
    return false;
  const Node& start = expression_.nodes()[static_cast<std::size_t>(node.address.dynamic[0])];
  return start.stride == plan_.buffers[static_cast<std::size_t>(node.buffer)].strides[0] &&
         start.level >= 0 && !start.is_vector;
}

/// The loops that choose the rows that a node reads.
std::vector<bool> GroupEmitter::row_loops(const Node& load) const {
  const auto number = static_cast<std::size_t>(load.address.dynamic[0]);
  std::vector<bool> all;
  for (int l = 0; l <= expression_.nodes()[number].level; ++l)
    all.push_back(expression_.varies_along(loops_[static_cast<std::size_t>(l)].dimensions)[number]);
  return all;
}

/// Starts to load the table rows of this slice into the second cache before the loops use the first one. If
/// they are too many, the loops of next_rows_ do so for the rows of a later iteration.
void GroupEmitter::prefetch_rows() {
  for (const Node& node : expression_.nodes())
    if (reads_table_rows(node)) prefetch_rows(node);
}

void GroupEmitter::prefetch_rows(const Node& load) {
  const Node& start = expression_.nodes()[static_cast<std::size_t>(load.address.dynamic[0])];
  const std::vector<bool> opened = row_loops(load);
  // The bytes of an iteration of each loop, from the innermost on, and those of the whole slice.
  std::int64_t size_bytes = row_bytes(start, load);
  std::optional<std::size_t> level;
  for (std::size_t l = opened.size(); l-- > 0;) {
    if (!opened[l]) continue;
    if (size_bytes <= kMostBytesAhead && static_cast<int>(l) != vector_level_) level = l;
    size_bytes *= l == split_level_ && num_slices_ > 1 ? chunk_ : loops_[l].extent;
  }
  if (size_bytes <= kMostBytes)
    open_some_loops(0, opened.size(), opened, [&] { prefetch_row(load); });
  else if (level.has_value())
    next_rows_[*level].push_back(static_cast<int>(&load - expression_.nodes().data()));
}

/// In an iteration of a loop: prefetches the rows of the next one, or of a later one if each has one row.
void GroupEmitter::prefetch_next_rows(std::size_t level, llvm::Value* index, llvm::Value* end) {
  const auto found = next_rows_.find(level);
  if (found == next_rows_.end()) return;
  for (const int node : found->second) {
    const Node& load = expression_.nodes()[static_cast<std::size_t>(node)];
    const std::vector<bool> opened = row_loops(load);
    const bool has_many = std::find(opened.begin() + static_cast<std::ptrdiff_t>(level) + 1, opened.end(),
                                    true) != opened.end();
    loop_index_[level] = builder_.CreateBinaryIntrinsic(
        llvm::Intrinsic::smin, builder_.CreateAdd(index, integer(has_many ? 1 : kRowsAhead)),
        builder_.CreateSub(end, integer(1)));
    emit_level(static_cast<int>(level));
    open_some_loops(level + 1, opened.size(), opened, [&] { prefetch_row(load); });
  }
  loop_index_[level] = index;
}

/// Opens loops like open_loops, except those on which nothing in the body depends.
void GroupEmitter::open_some_loops(std::size_t level, std::size_t end, const std::vector<bool>& opened,
                                   const Body& body) {
  if (level == end) return body();
  const auto inside = [&](llvm::Value* index) {
    loop_index_[level] = index;
    emit_level(static_cast<int>(level));
    open_some_loops(level + 1, end, opened, body);
  };
  if (!opened[level]) return inside(integer(0));
  const auto [first, last] = bounds_of(level);
  counted_loop(first, last, 1, inside);
}

void GroupEmitter::prefetch_row(const Node& load) {
  const auto number = static_cast<std::size_t>(load.address.dynamic[0]);
  llvm::Value* const row = builder_.CreateInBoundsGEP(memory_type(context_, load.value.dtype()),
                                                      buffer_base(load.buffer), values_[number]);
  prefetch_lines(row, row_bytes(expression_.nodes()[number], load), false);
}

void GroupEmitter::prefetch_lines(llvm::Value* row, std::int64_t size, bool to_write) {
  constexpr std::uint32_t kSecondCache = 2, kData = 1;
  const auto prefetch = [&](std::int64_t offset) {
    llvm::Value* const address =
        builder_.CreateConstGEP1_64(builder_.getInt8Ty(), row, static_cast<std::uint64_t>(offset));
    builder_.CreateIntrinsic(llvm::Intrinsic::prefetch, {builder_.getPtrTy()},
                             {address, builder_.getInt32(to_write ? 1 : 0), builder_.getInt32(kSecondCache),
                              builder_.getInt32(kData)});
  };
  for (std::int64_t offset = 0; offset < size; offset += kLine) prefetch(offset);
  if (size % kLine != 0) prefetch(size - 1);  // rows begin within a line
}

/// Starts to load what the update at `index` of a loop reads and changes: rows of the target, and of a large
/// tensor of updates, of which a slice applies some only.
void GroupEmitter::prefetch_update(std::size_t level, llvm::Value* index, std::span<const int> starts) {
  loop_index_[level] = index;
  emit_level(static_cast<int>(level));
  std::int64_t window = 1;
  for (std::size_t l = level + 1; l < loops_.size(); ++l) {
    loop_index_[l] = integer(0);
    window *= loops_[l].extent;
  }
  const auto prefetch = [&](int buffer, llvm::Value* position, std::int64_t elements, bool to_write) {
    const ir::DType dtype = plan_.buffers[static_cast<std::size_t>(buffer)].type.dtype;
    prefetch_lines(builder_.CreateGEP(memory_type(context_, dtype), buffer_base(buffer), position),
                   elements * static_cast<std::int64_t>(ir::size_bytes(dtype)), to_write);
  };
  for (const Store& store : group_.stores) {
    if (!is_table_of_rows(store.buffer)) continue;
    const std::int64_t stride = plan_.buffers[static_cast<std::size_t>(store.buffer)].strides[0];
    llvm::Value* const row = values_[static_cast<std::size_t>(starts[0])];
    // Another process may have read the row: its copy is removed now, not at the store.
    prefetch(store.buffer, builder_.CreateMul(row, integer(stride)), stride, true);
  }
  for (const Node& node : expression_.nodes()) {
    if (node.kind != Node::Kind::kLoad || !node.address.dynamic.empty() ||
        node.level <= static_cast<int>(level) || node.address.position.coefficients.empty() ||
        node.address.position.coefficients[loops_[level].dimensions.back()] != window ||
        plan_.buffers[static_cast<std::size_t>(node.buffer)].type.size_bytes() < kLeastTableBytes ||
        window * static_cast<std::int64_t>(ir::size_bytes(node.value.dtype())) > kMostRowBytes)
      continue;
    prefetch(node.buffer, position_of(node.address), window, false);
  }
}

}  // namespace cornu::inline v0::backends::cpu
