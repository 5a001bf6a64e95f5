#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <unordered_map>

#include "cornu/backends/cpu/emit/group_emitter.h"
#include "cornu/backends/cpu/plan/access.h"
#include "cornu/base/check.h"
#include "cornu/ops/index_space.h"

namespace cornu::inline v0::backends::cpu {

/// Runs the reduce's body on registers.
std::vector<llvm::Value*> GroupEmitter::combine(const ir::Op& reduce,
                                                const std::vector<llvm::Value*>& accumulators,
                                                const std::vector<llvm::Value*>& elements) {
  const ir::Block& body = reduce.region(0);
  const bool vector = accumulators[0]->getType()->isVectorTy();
  std::unordered_map<ir::Value, llvm::Value*, ir::ValueHash> known;
  const std::size_t n = accumulators.size();
  for (std::size_t i = 0; i < n; ++i) {
    known[body.arguments()[i]] = accumulators[i];
    known[body.arguments()[n + i]] = elements[i];
  }
  for (const auto& op : body.ops()) {
    if (ops::is_constant(op->result(0))) {
      llvm::Value* value = emit_constant(context_, op->attributes().get<ir::Literal>("value"), 0);
      known[op->result()] = vector ? splat(value) : value;
      continue;
    }
    std::vector<llvm::Value*> operands;
    for (const ir::Value& operand : op->operands()) operands.push_back(known.at(operand));
    known[op->result()] = emit_elementwise(builder_, target_, *op, operands, group_.is<ScatterGroup>());
  }
  std::vector<llvm::Value*> results;
  for (const ir::Value& result : body.results()) results.push_back(known.at(result));
  return results;
}

llvm::Value* GroupEmitter::neutral(Combiner combiner, ir::DType dtype, int lanes) {
  llvm::Type* type = register_type(context_, dtype, lanes);
  if (combiner == Combiner::kProduct)
    return ir::is_float(dtype) ? llvm::ConstantFP::get(type, 1) : llvm::ConstantInt::get(type, 1);
  if (combiner == Combiner::kAnd) return llvm::Constant::getAllOnesValue(type);
  if (combiner == Combiner::kSum || combiner == Combiner::kOr) return llvm::Constant::getNullValue(type);
  const bool largest = combiner == Combiner::kMaximum;
  CORNU_CHECK(largest || combiner == Combiner::kMinimum, "no neutral element");
  if (ir::is_float(dtype)) return llvm::ConstantFP::getInfinity(type, largest);
  const auto bits = static_cast<unsigned>(ir::bit_width(dtype));
  if (ir::is_signed_integer(dtype))
    return llvm::ConstantInt::get(
        type, largest ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getSignedMaxValue(bits));
  return llvm::ConstantInt::get(type,
                                largest ? llvm::APInt::getMinValue(bits) : llvm::APInt::getMaxValue(bits));
}

/// The lanes of an accumulator as one scalar, by halves: a fixed tree.
llvm::Value* GroupEmitter::across_lanes(const ir::Op& reduce, llvm::Value* vector) {
  int width = lanes_;
  while (width > 1) {
    width /= 2;
    std::vector<int> low(static_cast<std::size_t>(width)), high(static_cast<std::size_t>(width));
    for (int i = 0; i < width; ++i) {
      low[static_cast<std::size_t>(i)] = i;
      high[static_cast<std::size_t>(i)] = width + i;
    }
    const int before = lanes_;
    lanes_ = width;  // the width that constants in the body get
    llvm::Value* left = builder_.CreateShuffleVector(vector, low);
    llvm::Value* right = builder_.CreateShuffleVector(vector, high);
    if (width == 1) {
      left = builder_.CreateExtractElement(left, std::uint64_t{0});
      right = builder_.CreateExtractElement(right, std::uint64_t{0});
    }
    vector = combine(reduce, {left}, {right})[0];
    lanes_ = before;
  }
  return vector;
}

/// Vectors over the innermost kept loop need no work across lanes; vectors over the innermost reduced loop
/// fit when memory runs that way.
bool GroupEmitter::should_vectorise_kept(std::size_t num_kept, bool simple) const {
  if (num_kept == 0) return false;
  if (!simple || loops_.size() == num_kept) return true;
  // Loads for each lane that does something: one a vector, or one a lane where lanes are apart. Lanes a few
  // elements apart are no exception, although a few vectors load them: a layout with such lanes would be
  // added up in another order than the same rows in a worker's program.
  auto cost = [&](std::size_t level) {
    const Loop& loop = loops_[level];
    const std::vector<bool> varies = expression_.varies_along(loop.dimensions);
    const double lanes = target_.lanes;
    double loads = 0;
    for (const Node& node : expression_.nodes())
      if (node.kind == Node::Kind::kLoad) {
        const bool jumps = std::any_of(node.address.dynamic.begin(), node.address.dynamic.end(),
                                       [&](int o) { return varies[static_cast<std::size_t>(o)]; });
        const std::int64_t stride = node.address.position.coefficients[loop.dimensions.back()];
        loads += !jumps && (stride == 0 || stride == 1) ? 1 : lanes;
      }
    const std::int64_t passes = (loop.extent + target_.lanes - 1) / target_.lanes;
    return loads * static_cast<double>(passes) * lanes / static_cast<double>(loop.extent);
  };
  return cost(num_kept - 1) <= cost(loops_.size() - 1);
}

void GroupEmitter::add_reduction_nodes(Reduction& r) {
  const std::size_t n = r.op.results().size();
  const ReduceLoops shape = reduce_loops(r.op);
  for (std::size_t i = 0; i < n; ++i)
    r.elements.push_back(expression_.add(r.op.operand(i), shape.input, false));
  for (std::size_t i = 0; i < n; ++i) r.inits.push_back(expression_.add(r.op.operand(n + i), {}, false));
  const IndexMap identity = identity_map(group_.extents.size());
  IndexMap result_map;
  for (std::int64_t d : shape.kept) result_map.push_back(identity[static_cast<std::size_t>(d)]);
  for (const Store& store : group_.stores)
    store_addresses_.push_back(
        expression_.address(plan_.buffers[static_cast<std::size_t>(store.buffer)], result_map));
  r.combiner = free_combiner(r.op);
}

/// Orders kept loops by the result's layout in memory, reduced loops by that of the first tensor read.
void GroupEmitter::choose_reduction_loops(Reduction& r) {
  const std::vector<std::int64_t> kept = reduce_loops(r.op).kept;
  const ir::Dims& result_strides = plan_.buffers[static_cast<std::size_t>(group_.stores[0].buffer)].strides;
  std::vector<std::size_t> kept_order, reduced_order;
  for (std::size_t i = 0; i < kept.size(); ++i) kept_order.push_back(i);
  std::stable_sort(kept_order.begin(), kept_order.end(),
                   [&](std::size_t a, std::size_t b) { return result_strides[a] > result_strides[b]; });
  for (std::size_t& i : kept_order) i = static_cast<std::size_t>(kept[i]);
  for (std::size_t d = 0; d < group_.extents.size(); ++d)
    if (std::find(kept.begin(), kept.end(), static_cast<std::int64_t>(d)) == kept.end())
      reduced_order.push_back(d);
  for (const Node& node : expression_.nodes())
    if (node.kind == Node::Kind::kLoad && node.value.type().num_elements() > 1) {
      std::stable_sort(reduced_order.begin(), reduced_order.end(), [&](std::size_t a, std::size_t b) {
        return node.address.position.coefficients[a] > node.address.position.coefficients[b];
      });
      break;
    }
  choose_loops(kept_order);
  merge_loops(0, loops_.size());
  r.num_kept = loops_.size();
  choose_loops(reduced_order);
  merge_loops(r.num_kept, loops_.size());
}

/// Vectors along a kept or a reduced loop, and slices: of the kept loops, or of the outermost reduced one,
/// where few results have many elements and each slice leaves a partial result.
void GroupEmitter::split_reduction(Reduction& r) {
  // Four registers side by side hide the latency of the accumulation, unless what feeds it is costly (and so
  // hides it already).
  double cost = 0;
  for (const ir::Op* member : group_.members) cost += member == &r.op ? 1 : elementwise_cost(*member);
  const int widest = target_.lanes * (cost <= 4 ? 4 : 1);
  const bool has_reduced = loops_.size() > r.num_kept;
  if (should_vectorise_kept(r.num_kept, r.combiner != Combiner::kNone))
    make_vector_loop(static_cast<int>(r.num_kept) - 1, widest);
  else if (r.combiner != Combiner::kNone && has_reduced)
    make_vector_loop(static_cast<int>(loops_.size()) - 1, widest);
  if (group_.scratch_buffer >= 0 && r.combiner != Combiner::kNone && has_reduced) split_level_ = r.num_kept;
  if (r.num_kept > split_level_ || split_level_ > 0 || group_.scratch_buffer >= 0) split_outermost();
  leaves_partials_ = group_.scratch_buffer >= 0 && num_slices_ > 1 && split_level_ == r.num_kept;
  r.lanes_are_results = vector_level_ >= 0 && vector_level_ < static_cast<int>(r.num_kept);
  r.lanes_are_reduced = vector_level_ >= static_cast<int>(r.num_kept);
}

void GroupEmitter::emit_reduce_group() {
  Reduction r{*group_.op};
  add_reduction_nodes(r);
  choose_reduction_loops(r);
  split_reduction(r);
  set_levels();
  if (vector_level_ >= 0)
    for (int node : r.elements) has_vector_user_[static_cast<std::size_t>(node)] = true;
  if (r.lanes_are_results)
    for (int node : r.inits) has_vector_user_[static_cast<std::size_t>(node)] = true;
  const std::size_t n = r.op.results().size();
  const int lanes = vector_level_ >= 0 ? lanes_ : 1;
  for (std::size_t i = 0; i < n; ++i)
    r.sums.push_back(stack_slot(register_type(context_, r.op.operand(i).dtype(), lanes)));
  auto value_of = [&](int node, bool vector) {
    return vector ? vector_value(node) : values_[static_cast<std::size_t>(node)];
  };
  emit_level(-1);
  prefetch_rows();
  open_loops(0, r.num_kept, [&] {
    for (std::size_t i = 0; i < n; ++i)
      builder_.CreateStore(leaves_partials_ || r.lanes_are_reduced
                               ? neutral(r.combiner, r.op.operand(i).dtype(), lanes)
                               : value_of(r.inits[i], r.lanes_are_results),
                           r.sums[i]);
    open_loops(r.num_kept, loops_.size(), [&] {
      const std::vector<llvm::Value*> before = load_sums(r);
      std::vector<llvm::Value*> inputs;
      inputs.reserve(n);
      for (int node : r.elements) inputs.push_back(value_of(node, vector_level_ >= 0));
      const std::vector<llvm::Value*> after = combine(r.op, before, inputs);
      for (std::size_t i = 0; i < n; ++i)
        builder_.CreateStore(r.lanes_are_reduced && mask_ != nullptr
                                 ? builder_.CreateSelect(mask_, after[i], before[i])
                                 : after[i],
                             r.sums[i]);
    });
    store_reduction(r);
  });
}

std::vector<llvm::Value*> GroupEmitter::load_sums(const Reduction& r) {
  std::vector<llvm::Value*> sums;
  sums.reserve(r.sums.size());
  for (llvm::Value* slot : r.sums)
    sums.push_back(builder_.CreateLoad(llvm::cast<llvm::AllocaInst>(slot)->getAllocatedType(), slot));
  return sums;
}

/// After the reduced loops: the results of the kept loops' index, or the slice's part of them.
void GroupEmitter::store_reduction(const Reduction& r) {
  std::vector<llvm::Value*> results = load_sums(r);
  if (r.lanes_are_reduced) {
    results[0] = across_lanes(r.op, results[0]);
    if (!leaves_partials_)
      results[0] = combine(r.op, {values_[static_cast<std::size_t>(r.inits[0])]}, {results[0]})[0];
  }
  const auto stride = [&](std::size_t i) {
    return r.lanes_are_results ? lane_stride(store_addresses_[i].position) : 0;
  };
  if (leaves_partials_) {
    llvm::Value* partial = builder_.CreateMul(slice_, integer(r.op.result().type().num_elements()));
    store_at(buffer_base(group_.scratch_buffer),
             builder_.CreateAdd(partial, position_of(store_addresses_[0])), stride(0), results[0],
             r.op.operand(0).dtype());
    return;
  }
  for (std::size_t i = 0; i < results.size(); ++i)
    store_at(buffer_base(group_.stores[i].buffer), position_of(store_addresses_[i]), stride(i), results[i],
             r.op.operand(i).dtype());
}

/// result[i] = init and then the partial results of the slices, one after the other.
void GroupEmitter::emit_reduce_finish(const Store& store, llvm::Value* partials, std::int64_t row_elements,
                                      std::int64_t num_partials) {
  const ir::Op& reduce = *store.value.op();
  const ir::DType dtype = store.value.dtype();
  const std::int64_t count = store.value.type().num_elements();
  const int init = expression_.add(reduce.operand(1), {}, false);
  set_levels();
  emit_level(-1);
  llvm::Value* const result = buffer_base(store.buffer);
  llvm::Value* const start = values_[static_cast<std::size_t>(init)];
  auto pass = [&](llvm::Value* at) {
    llvm::Value* sum = splat(start);
    for (std::int64_t p = 0; p < num_partials; ++p) {
      llvm::Value* const from = builder_.CreateAdd(at, integer(p * row_elements));
      sum = combine(reduce, {sum}, {load_at(partials, from, lanes_ > 1 ? 1 : 0, lanes_ > 1, dtype)})[0];
    }
    store_at(result, at, lanes_ > 1 ? 1 : 0, sum, dtype);
  };
  lanes_ = target_.lanes;
  const std::int64_t full = count / lanes_ * lanes_;
  counted_loop(integer(0), integer(full), lanes_, pass);
  lanes_ = 1;
  counted_loop(integer(full), integer(count), 1, pass);
}

/// The nodes of what the sums combine. A sum's address is that of its result, laid out plainly.
void GroupEmitter::add_sums() {
  for (const Store& store : group_.stores) {
    if (!store.is_sum) continue;
    Sum sum;
    sum.store = &store;
    for (const IndexMap& map : sum_maps(group_))
      sum.elements.push_back(expression_.add(store.value.op()->operand(0), map, false));
    const IndexMap identity = identity_map(group_.extents.size());
    const IndexMap kept(identity.end() - static_cast<std::ptrdiff_t>(store.value.dims().size()),
                        identity.end());
    const PlanBuffer plain{
        store.value.type(), ir::row_major_strides(store.value.dims()), MemorySpace::kArena, 0, 0, true};
    sum.address = expression_.address(plain, kept);
    sums_.push_back(std::move(sum));
  }
}

/// Partial results begin with the neutral element.
void GroupEmitter::start_sums() {
  if (sums_.empty()) return;
  leaves_partials_ = true;
  const PartialSums partials = partial_sums(group_);
  llvm::Value* const row = builder_.CreateMul(slice_, integer(partials.row_bytes));
  for (std::size_t s = 0; s < sums_.size(); ++s) {
    const ir::Value result = sums_[s].store->value;
    const std::int64_t count = result.type().num_elements();
    const std::int64_t full = count / target_.lanes * target_.lanes;
    sums_[s].partials = builder_.CreateInBoundsGEP(builder_.getInt8Ty(), buffer_base(group_.scratch_buffer),
                                                   builder_.CreateAdd(row, integer(partials.offsets[s])));
    auto clear = [&](int lanes) {
      return [&, lanes](llvm::Value* at) {
        store_at(sums_[s].partials, at, 1, neutral(free_combiner(*result.op()), result.dtype(), lanes),
                 result.dtype());
      };
    };
    counted_loop(integer(0), integer(full), target_.lanes, clear(target_.lanes));
    counted_loop(integer(full), integer(count), 1, clear(1));
  }
}

/// In memory, which stays in the nearest cache: any number of sums costs no registers.
void GroupEmitter::add_to_sums() {
  for (const Sum& sum : sums_) {
    const ir::Op& reduce = *sum.store->value.op();
    const ir::DType dtype = sum.store->value.dtype();
    llvm::Value* elements = vector_value(sum.elements[0]);
    for (std::size_t i = 1; i < sum.elements.size(); ++i)
      elements = combine(reduce, {elements}, {vector_value(sum.elements[i])})[0];
    llvm::Value* const position = position_of(sum.address);
    llvm::Value* const before = load_at(sum.partials, position, 1, true, dtype);
    store_at(sum.partials, position, 1, combine(reduce, {before}, {elements})[0], dtype);
  }
}

}  // namespace cornu::inline v0::backends::cpu
