#include "cornu/backends/cpu/emit/group_emitter.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// Bodies longer than this are not emitted twice (all lanes, then the tail): one masked body serves both.
constexpr std::size_t kLargeBody = 24;

std::vector<std::size_t> outermost_first(const ir::Dims& strides) {
  std::vector<std::size_t> order(strides.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return strides[a] > strides[b]; });
  return order;
}

std::vector<int> interleaving(std::size_t lanes, bool high) {
  std::vector<int> indices;
  indices.reserve(lanes);
  for (std::size_t i = 0; i < lanes; ++i)
    indices.push_back(static_cast<int>((high ? lanes / 2 : 0) + i / 2 + (i % 2 == 0 ? 0 : lanes)));
  return indices;
}

/// Transposes a square of as many vectors as they have lanes: rounds that interleave the first half of the vectors with
/// the second.
std::vector<llvm::Value*> transposed(llvm::IRBuilderBase& b, std::vector<llvm::Value*> rows) {
  const std::size_t count = rows.size();
  const std::vector<int> low = interleaving(count, false), high = interleaving(count, true);
  for (std::size_t size = 1; size < count; size *= 2) {
    std::vector<llvm::Value*> next;
    for (std::size_t i = 0; i < count / 2; ++i)
      for (const std::vector<int>* half : {&low, &high})
        next.push_back(b.CreateShuffleVector(rows[i], rows[i + count / 2], *half));
    rows = std::move(next);
  }
  return rows;
}

}  // namespace

GroupEmitter::GroupEmitter(const Plan& plan, const Group& group, const Target& target, llvm::Module& module,
                           ModuleData& data, GroupTable* table)
    : plan_(plan),
      group_(group),
      target_(target),
      module_(module),
      context_(module.getContext()),
      data_(data),
      table_(table),
      builder_(context_),
      entry_builder_(context_),
      expression_(plan, group) {}

void GroupEmitter::begin_function(const std::string& name) {
  llvm::Type* pointer = builder_.getPtrTy();
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer, builder_.getInt64Ty()}, false);
  function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module_);
  step_context_ = function_->getArg(0);
  slice_ = function_->getArg(1);
  auto* entry = llvm::BasicBlock::Create(context_, "entry", function_);
  auto* start = llvm::BasicBlock::Create(context_, "start", function_);
  entry_builder_.SetInsertPoint(entry);
  entry_builder_.SetInsertPoint(entry_builder_.CreateBr(start));
  builder_.SetInsertPoint(start);
  bases_.clear();
  fields_.assign(static_cast<std::size_t>(ContextField::kTicks) + 1, nullptr);
}

llvm::Function* GroupEmitter::emit_finish(const std::string& name, std::int64_t num_partials) {
  begin_function(name);
  const PartialSums partials = partial_sums(group_);
  std::size_t next = 0;
  for (const Store& store : group_.stores) {
    if (group_.is<ReduceGroup>()) {
      emit_reduce_finish(store, buffer_base(group_.scratch_buffer), store.value.type().num_elements(),
                         num_partials);
    } else if (store.is_sum) {
      llvm::Value* const first =
          builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), buffer_base(group_.scratch_buffer),
                                              static_cast<std::uint64_t>(partials.offsets[next++]));
      emit_reduce_finish(store, first,
                         partials.row_bytes / static_cast<std::int64_t>(ir::size_bytes(store.value.dtype())),
                         num_partials);
    }
  }
  builder_.CreateRetVoid();
  return function_;
}

llvm::Function* GroupEmitter::emit(const std::string& name) {
  begin_function(name);
  std::visit(
      Overloaded{[&](const RowsGroup&) { emit_loop_group(); }, [&](const LoopGroup&) { emit_loop_group(); },
                 [&](const ReduceGroup&) { emit_reduce_group(); }, [&](const DotGroup&) { emit_dot_group(); },
                 [&](const ScatterGroup& scatter) { emit_scatter_group(scatter); },
                 []<typename Kind>(const Kind&)
                   requires(!Kind::kIsEmitted)
                 { CORNU_CHECK(false, "not an emitted group"); }},
                 group_.kind);
  builder_.CreateRetVoid();
  return function_;
}

void GroupEmitter::emit_loop_group() {
  const IndexMap identity = identity_map(group_.extents.size());
  for (const Store& store : group_.stores) {
    if (store.is_sum) continue;
    if (const auto* rows = group_.as<RowsGroup>(); rows != nullptr)
      store_nodes_.push_back(expression_.add_row_load(store.value, rows->argument, identity));
    else  // a store into another buffer than the value's own copies it
      store_nodes_.push_back(
          expression_.add(store.value, read_map(store, group_.extents),
                          !plan_.in_memory(store.value) || plan_.buffer_of.at(store.value) == store.buffer));
    store_addresses_.push_back(expression_.address(plan_.buffers[static_cast<std::size_t>(store.buffer)],
                                                   store.at ? *store.at : identity));
  }
  add_sums();
  const PlanBuffer& first = plan_.buffers[static_cast<std::size_t>(group_.stores[0].buffer)];
  // Sums are kept for the last dimensions, along which vectors run.
  choose_loops(outermost_first(sums_.empty() ? first.strides : ir::row_major_strides(group_.extents)));
  merge_loops(0, loops_.size());
  moves_bits_ = only_copies();
  widen_copy();
  if (emit_transposed_copy()) return;
  make_vector_loop(static_cast<int>(loops_.size()) - 1, moves_bits_ ? widest_copy() : widest_computation());
  split_outermost();
  set_levels();
  emit_level(-1);
  prefetch_rows();
  start_sums();
  open_loops(0, loops_.size(), [&] {
    for (std::size_t s = 0, count = 1; s < store_nodes_.size(); s += count) {
      count = num_interleaved(s);
      count > 1 ? store_interleaved(s, count) : store_node(s);
    }
    add_to_sums();
  });
}

void GroupEmitter::store_node(std::size_t s) {
  const Store& store = group_.stores[s];
  const Address& address = store_addresses_[s];
  const int node = store_nodes_[s];
  const bool vector = vector_level_ >= 0;
  store_at(buffer_base(store.buffer), position_of(address), lane_stride(address.position),
           vector ? vector_value(node) : values_[static_cast<std::size_t>(node)],
           moved_as(store.value.dtype()));
}

/// One loop a dimension of more than one element, in this order.
void GroupEmitter::choose_loops(const std::vector<std::size_t>& dimensions) {
  for (std::size_t d : dimensions)
    if (group_.extents[d] != 1) loops_.push_back({group_.extents[d], {d}});
}

/// Joins neighbouring loops in [begin, end) through which every access walks evenly.
void GroupEmitter::merge_loops(std::size_t begin, std::size_t end) {
  std::vector<const std::vector<std::int64_t>*> walks;
  for (const Node& node : expression_.nodes())
    if (!node.address.position.coefficients.empty()) walks.push_back(&node.address.position.coefficients);
  for (const Address& address : store_addresses_) walks.push_back(&address.position.coefficients);
  for (const Sum& sum : sums_) walks.push_back(&sum.address.position.coefficients);
  for (std::size_t l = begin; l + 1 < end;) {
    const std::size_t outer = loops_[l].dimensions.back();
    const std::size_t innermost = loops_[l + 1].dimensions.back();
    const bool rows = group_.is<RowsGroup>() && (outer == 0 || innermost == 0);
    const bool even = std::all_of(walks.begin(), walks.end(), [&](const auto* w) {
      return (*w)[outer] == (*w)[innermost] * loops_[l + 1].extent;
    });
    if (rows || !even) {
      ++l;
      continue;
    }
    loops_[l].extent *= loops_[l + 1].extent;
    loops_[l].dimensions.push_back(innermost);
    loops_.erase(loops_.begin() + static_cast<std::ptrdiff_t>(l) + 1);
    --end;
    if (l > begin) --l;
  }
}

void GroupEmitter::make_vector_loop(int level, int widest) {
  vector_level_ = -1;
  lanes_ = 1;
  if (level < 0) return;
  lanes_ = static_cast<int>(std::min<std::int64_t>(
      widest, static_cast<std::int64_t>(std::bit_ceil(
                  static_cast<std::uint64_t>(loops_[static_cast<std::size_t>(level)].extent)))));
  if (lanes_ > 1) vector_level_ = level;
}

/// Slices follow from the shape and the plan's wish, never from the number of threads. They begin at multiples of `unit`
/// iterations, and of vectors.
void GroupEmitter::split_outermost(std::int64_t unit) {
  if (group_.num_slices <= 1 || split_level_ >= loops_.size()) return;
  const std::int64_t extent = loops_[split_level_].extent;
  if (vector_level_ == static_cast<int>(split_level_)) unit = lanes_;
  chunk_ = (extent + group_.num_slices - 1) / group_.num_slices;
  if (group_.chain)
    CORNU_CHECK(split_level_ == 0 && loops_[0].dimensions.front() == 0 && extent % group_.num_slices == 0,
                "{} slices of {} are not those of the chain", group_.num_slices, extent);
  else
    chunk_ = divide_up(chunk_, unit) * unit;
  num_slices_ = divide_up(extent, chunk_);
  if (num_slices_ <= 1) num_slices_ = 1;
}

void GroupEmitter::set_levels() {
  std::vector<Node>& nodes = expression_.nodes();
  has_vector_user_.assign(nodes.size(), false);
  auto level_of = [&](const Affine& affine) {
    int level = -1;
    for (std::size_t l = 0; l < loops_.size(); ++l)
      if (!affine.coefficients.empty() && affine.coefficients[loops_[l].dimensions.back()] != 0)
        level = static_cast<int>(l);
    return level;
  };
  std::vector<bool> is_vector(nodes.size(), false);
  if (vector_level_ >= 0)
    is_vector = expression_.varies_along(loops_[static_cast<std::size_t>(vector_level_)].dimensions);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Node& node = nodes[i];
    node.is_vector = is_vector[i];
    node.level = level_of(node.address.position);
    if (node.kind == Node::Kind::kRowLoad)
      for (std::size_t l = 0; l < loops_.size(); ++l)
        if (loops_[l].dimensions.front() == 0) node.level = std::max(node.level, static_cast<int>(l));
    for (int operand : node.operands)
      node.level = std::max(node.level, nodes[static_cast<std::size_t>(operand)].level);
    for (int offset : node.address.dynamic)
      node.level = std::max(node.level, nodes[static_cast<std::size_t>(offset)].level);
    if (node.is_vector)
      for (int operand : node.operands) has_vector_user_[static_cast<std::size_t>(operand)] = true;
  }
  if (vector_level_ >= 0)
    for (int node : store_nodes_) has_vector_user_[static_cast<std::size_t>(node)] = true;
  for (const Sum& sum : sums_)
    for (int node : sum.elements) has_vector_user_[static_cast<std::size_t>(node)] = true;
  values_.assign(nodes.size(), nullptr);
  splats_.assign(nodes.size(), nullptr);
  loop_index_.assign(loops_.size(), nullptr);
}

void GroupEmitter::open_loops(std::size_t level, std::size_t end, const Body& body) {
  if (level == end) return body();
  auto inside = [&] {
    emit_level(static_cast<int>(level));
    open_loops(level + 1, end, body);
  };
  if (static_cast<int>(level) == vector_level_) return vector_loop(level, inside);
  const auto [begin, end_of_loop] = bounds_of(level);
  counted_loop(begin, end_of_loop, 1, [&](llvm::Value* index) {
    prefetch_next_rows(level, index, end_of_loop);
    loop_index_[level] = index;
    inside();
  });
}

/// The first index of a loop in this slice, and the one after the last.
std::array<llvm::Value*, 2> GroupEmitter::bounds_of(std::size_t level) {
  llvm::Value* const extent = integer(loops_[level].extent);
  if (level != split_level_ || num_slices_ <= 1) return {integer(0), extent};
  llvm::Value* const begin = builder_.CreateMul(slice_, integer(chunk_));
  llvm::Value* const end = builder_.CreateAdd(begin, integer(chunk_));
  return {begin, builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, end, extent)};
}

void GroupEmitter::counted_loop(llvm::Value* begin, llvm::Value* end, std::int64_t step,
                                const std::function<void(llvm::Value*)>& body) {
  auto* before = builder_.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(context_, "loop", function_);
  auto* after = llvm::BasicBlock::Create(context_, "after", function_);
  builder_.CreateCondBr(builder_.CreateICmpSLT(begin, end), loop, after);
  builder_.SetInsertPoint(loop);
  auto* index = builder_.CreatePHI(builder_.getInt64Ty(), 2, "i");
  index->addIncoming(begin, before);
  body(index);
  llvm::Value* next = builder_.CreateNSWAdd(index, integer(step));
  index->addIncoming(next, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpSLT(next, end), loop, after);
  builder_.SetInsertPoint(after);
}

void GroupEmitter::vector_loop(std::size_t level, const Body& body) {
  auto pass = [&](llvm::Value* index, llvm::Value* mask) {
    loop_index_[level] = index;
    mask_ = mask;
    body();
    mask_ = nullptr;
  };
  const std::int64_t extent = loops_[level].extent;
  if (level == split_level_ && num_slices_ > 1) {
    llvm::Value* begin = builder_.CreateMul(slice_, integer(chunk_));
    llvm::Value* end = builder_.CreateBinaryIntrinsic(
        llvm::Intrinsic::smin, builder_.CreateAdd(begin, integer(chunk_)), integer(extent));
    llvm::Value* full =
        builder_.CreateAdd(begin, builder_.CreateAnd(builder_.CreateSub(end, begin), integer(-lanes_)));
    counted_loop(begin, full, lanes_, [&](llvm::Value* index) { pass(index, nullptr); });
    if (extent % lanes_ != 0 || chunk_ % lanes_ != 0)
      counted_loop(full, end, lanes_, [&](llvm::Value* index) { pass(index, masked_by_end(index, end)); });
    return;
  }
  const std::int64_t full = extent / lanes_ * lanes_;
  const std::int64_t num_passes = divide_up(extent, lanes_);
  std::size_t inside = 0;
  for (const Node& node : expression_.nodes()) inside += node.level >= static_cast<int>(level) ? 1U : 0U;
  if (num_passes <= 2 && (num_passes == 1 || inside <= kLargeBody)) {
    for (std::int64_t i = 0; i < extent; i += lanes_)
      pass(integer(i), i == full ? masked_by_end(integer(i), integer(extent)) : nullptr);
    return;
  }
  if (full != extent && inside > kLargeBody && num_passes <= 8) {
    counted_loop(integer(0), integer(extent), lanes_,
                 [&](llvm::Value* index) { pass(index, masked_by_end(index, integer(extent))); });
    return;
  }
  counted_loop(integer(0), integer(full), lanes_, [&](llvm::Value* index) { pass(index, nullptr); });
  if (full != extent) pass(integer(full), masked_by_end(integer(full), integer(extent)));
}

// ---- loops that only copy elements ----

/// True if the loops compute nothing. Their elements are moved as bits then.
bool GroupEmitter::only_copies() const {
  const std::vector<Node>& nodes = expression_.nodes();
  return sums_.empty() && !store_nodes_.empty() &&
         std::all_of(nodes.begin(), nodes.end(),
                     [](const Node& node) {
                       return node.kind == Node::Kind::kLoad && node.address.dynamic.empty();
                     }) &&
         std::all_of(store_addresses_.begin(), store_addresses_.end(),
                     [](const Address& address) { return address.dynamic.empty(); });
}

ir::DType GroupEmitter::moved_as(ir::DType dtype) const {
  if (!moves_bits_) return dtype;
  if (widened_ > 1) {
    const std::size_t size = ir::size_bytes(dtype) * widened_;
    return size == 2 ? ir::DType::kU16 : size == 4 ? ir::DType::kU32 : ir::DType::kU64;
  }
  if (dtype == ir::DType::kI1) return ir::DType::kU8;
  return is_half(dtype) ? ir::DType::kU16 : dtype;
}

/// The alignment of an element in memory: that of one that is not widened.
llvm::Align GroupEmitter::align_of(ir::DType dtype) const {
  return llvm::Align(ir::size_bytes(dtype) / widened_);
}

/// True if each access of the loops moves pairs of elements side by side: the innermost loop has an even, small extent.
bool GroupEmitter::moves_pairs() const {
  constexpr std::int64_t kMostElements = 8;
  if (!moves_bits_ || loops_.size() < 2) return false;
  const Loop& innermost = loops_.back();
  if (innermost.extent % 2 != 0 || innermost.extent > kMostElements) return false;
  const auto walks_pairs = [&](const Affine& affine) {
    if (affine.coefficients[innermost.dimensions.back()] != 1 || affine.constant % 2 != 0) return false;
    return std::all_of(loops_.begin(), loops_.end() - 1, [&](const Loop& loop) {
      return affine.coefficients[loop.dimensions.back()] % 2 == 0;
    });
  };
  const std::size_t size = ir::size_bytes(moved_as(group_.stores[0].value.dtype()));
  const auto& nodes = expression_.nodes();
  return size < sizeof(std::uint64_t) &&
         std::all_of(
             nodes.begin(), nodes.end(),
             [&](const Node& node) {
               return ir::size_bytes(moved_as(node.value.dtype())) == size &&
                      walks_pairs(node.address.position);
             }) &&
         std::all_of(
             store_addresses_.begin(), store_addresses_.end(),
             [&](const Address& address) { return walks_pairs(address.position); });
}

/// Makes pairs of elements, as of complex numbers, single elements of a copy.
void GroupEmitter::widen_copy() {
  while (moves_pairs()) {
    Loop& innermost = loops_.back();
    const auto halve = [&](Affine& affine) {
      affine.constant /= 2;
      for (std::size_t l = 0; l + 1 < loops_.size(); ++l)
        affine.coefficients[loops_[l].dimensions.back()] /= 2;
    };
    for (Node& node : expression_.nodes()) halve(node.address.position);
    for (Address& address : store_addresses_) halve(address.position);
    widened_ *= 2;
    innermost.extent /= 2;
    if (innermost.extent == 1) loops_.pop_back();
    merge_loops(0, loops_.size());
  }
}

/// The lanes of a copy: whole vectors of small elements too, where all lanes are side by side and masks cost nothing.
int GroupEmitter::widest_copy() const {
  std::size_t most_bytes = 4;
  if (!moves_bits_ || loops_.empty() || target_.isa != IsaLevel::kAvx512) return target_.lanes;
  const std::size_t dimension = loops_.back().dimensions.back();
  std::size_t size = 1;
  for (const Node& node : expression_.nodes()) {
    const std::int64_t stride = node.address.position.coefficients[dimension];
    if (stride != 0 && stride != 1) return target_.lanes;
    size = std::max(size, ir::size_bytes(moved_as(node.value.dtype())));
  }
  for (const Address& address : store_addresses_)
    if (address.position.coefficients[dimension] != 1) return target_.lanes;
  return target_.lanes * static_cast<int>(std::max(most_bytes / size, std::size_t{1}));
}

/// True if lanes of several vectors of this node are as simple as those of one: elements of four bytes or truth values, side by
/// side in memory, and no division of integers, which runs lane by lane.
bool GroupEmitter::may_be_wide(const Node& node, std::size_t dimension) const {
  const ir::DType dtype = node.value.dtype();
  if (dtype != ir::DType::kI1 && ir::size_bytes(dtype) != sizeof(float)) return false;
  if (node.kind == Node::Kind::kLoad)
    return node.address.dynamic.empty() && node.address.position.coefficients[dimension] == 1;
  if (node.kind == Node::Kind::kIota) return true;
  return node.kind == Node::Kind::kOp && (ir::is_float(dtype) || elementwise_cost(*node.value.op()) == 1);
}

/// The lanes of a loop that computes: several vectors side by side if one vector's instructions form a long chain, such as
/// the twenty rounds of random bits. A processor looks ahead about a hundred vector instructions, too few to
/// begin the next chain while it waits for this one.
int GroupEmitter::widest_computation() const {
  constexpr double kLongChain = 48, kFewOfFloats = 16;  // instructions
  if (!group_.is<LoopGroup>() || !sums_.empty() || loops_.empty()) return target_.lanes;
  const Loop& innermost = loops_.back();
  const std::size_t dimension = innermost.dimensions.back();
  const std::vector<bool> varies = expression_.varies_along(innermost.dimensions);
  double of_integers = 0, of_floats = 0;
  for (std::size_t i = 0; i < varies.size(); ++i) {
    const Node& node = expression_.nodes()[i];
    if (!varies[i]) continue;
    if (!may_be_wide(node, dimension)) return target_.lanes;
    if (node.kind == Node::Kind::kOp)
      (ir::is_float(node.value.dtype()) ? of_floats : of_integers) += elementwise_cost(*node.value.op());
  }
  for (const Address& address : store_addresses_)
    if (!address.dynamic.empty() || address.position.coefficients[dimension] != 1) return target_.lanes;
  if (of_integers < kLongChain) return target_.lanes;
  int side_by_side = target_.isa == IsaLevel::kAvx512 && of_floats <= kFewOfFloats ? 4 : 2;
  while (innermost.extent % (side_by_side * target_.lanes) != 0 && side_by_side > 1) side_by_side /= 2;
  return side_by_side * target_.lanes;
}

/// Emits a copy whose source runs along another loop than its result: squares of vectors, transposed in registers. The last
/// squares of a slice overlap those before. False: the loops have no such form.
bool GroupEmitter::emit_transposed_copy() {
  if (!moves_bits_ || store_nodes_.size() != 1 || loops_.size() < 2) return false;
  const Node& source = expression_.nodes()[static_cast<std::size_t>(store_nodes_[0])];
  const Affine &from = source.address.position, &to = store_addresses_[0].position;
  const auto stride_of = [&](const Affine& affine, std::size_t level) {
    return affine.coefficients[loops_[level].dimensions.back()];
  };
  const std::size_t columns = loops_.size() - 1;
  std::size_t rows = columns;
  for (std::size_t l = 0; l < columns; ++l)
    if (stride_of(from, l) == 1) rows = l;
  if (rows == columns || stride_of(to, columns) != 1 || stride_of(from, columns) <= 1) return false;
  const std::size_t size = ir::size_bytes(moved_as(source.value.dtype()));
  std::int64_t side = size > 4 ? target_.lanes / 2 : target_.lanes;
  for (const std::size_t l : {rows, columns})
    side = std::min(side,
                    static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(loops_[l].extent))));
  // Lanes that are near are read faster by the few vectors that they are in.
  const std::int64_t least_side = stride_of(from, columns) <= most_parts() ? target_.lanes : 4;
  if (side < least_side || source.buffer == group_.stores[0].buffer) return false;
  split_outermost(side);
  if (group_.chain && chunk_ < side && rows == 0) return false;
  set_levels();
  llvm::Type* const element = memory_type(context_, moved_as(source.value.dtype()));
  const llvm::Align align(size / widened_);
  llvm::Value *const in = buffer_base(source.buffer), *const out = buffer_base(group_.stores[0].buffer);
  const auto square = [&] {
    const auto at = [&](llvm::Value* base, const Address& address, std::int64_t offset) {
      llvm::Value* const position = builder_.CreateAdd(position_of(address), integer(offset));
      return builder_.CreateInBoundsGEP(element, base, position);
    };
    std::vector<llvm::Value*> vectors;
    vectors.reserve(static_cast<std::size_t>(side));
    for (std::int64_t i = 0; i < side; ++i)
      vectors.push_back(
          builder_.CreateAlignedLoad(llvm::FixedVectorType::get(element, static_cast<unsigned>(side)),
                                     at(in, source.address, i * stride_of(from, columns)), align));
    vectors = transposed(builder_, std::move(vectors));
    for (std::int64_t i = 0; i < side; ++i)
      builder_.CreateAlignedStore(vectors[static_cast<std::size_t>(i)],
                                  at(out, store_addresses_[0], i * stride_of(to, rows)), align);
  };
  open_squares(0, rows, side, square);
  return true;
}

void GroupEmitter::open_squares(std::size_t level, std::size_t rows, std::int64_t side, const Body& square) {
  if (level == loops_.size()) return square();
  const auto [begin, end] = bounds_of(level);
  const bool is_side = level == rows || level + 1 == loops_.size();
  counted_loop(begin, end, is_side ? side : 1, [&, last = end](llvm::Value* index) {
    if (is_side)
      index = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, index,
                                             builder_.CreateSub(last, integer(side)));
    loop_index_[level] = index;
    open_squares(level + 1, rows, side, square);
  });
}

}  // namespace cornu::inline v0::backends::cpu
