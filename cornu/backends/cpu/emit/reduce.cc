#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <unordered_map>

#include "cornu/backends/cpu/emit/group_emitter.h"
#include "cornu/base/check.h"
#include "cornu/ops/reduce/reduce.h"

namespace cornu::inline v0::backends::cpu {

/// Runs the reduce's body on registers.
std::vector<llvm::Value*> GroupEmitter::combine(const ir::Op& reduce, const std::vector<llvm::Value*>& accumulators,
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
    if (op->name() == "constant") {
      llvm::Value* value = emit_constant(context_, op->attributes().get<ir::Literal>("value"), 0);
      known[op->result()] = vector ? splat(value) : value;
      continue;
    }
    std::vector<llvm::Value*> operands;
    for (const ir::Value& operand : op->operands()) operands.push_back(known.at(operand));
    known[op->result()] = emit_elementwise(builder_, target_, *op, operands, group_.kind == GroupKind::kScatter);
  }
  std::vector<llvm::Value*> results;
  for (const ir::Value& result : body.results()) results.push_back(known.at(result));
  return results;
}

llvm::Value* GroupEmitter::neutral(std::string_view combiner, ir::DType dtype, int lanes) {
  llvm::Type* type = register_type(context_, dtype, lanes);
  if (combiner == "multiply") return ir::is_float(dtype) ? llvm::ConstantFP::get(type, 1) : llvm::ConstantInt::get(type, 1);
  if (combiner == "and") return llvm::Constant::getAllOnesValue(type);
  if (combiner == "add" || combiner == "or") return llvm::Constant::getNullValue(type);
  const bool largest = combiner == "maximum";
  CORNU_CHECK(largest || combiner == "minimum", "no neutral element for {}", combiner);
  if (ir::is_float(dtype)) return llvm::ConstantFP::getInfinity(type, largest);
  const auto bits = static_cast<unsigned>(ir::bit_width(dtype));
  if (ir::is_signed_integer(dtype))
    return llvm::ConstantInt::get(type, largest ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getSignedMaxValue(bits));
  return llvm::ConstantInt::get(type, largest ? llvm::APInt::getMinValue(bits) : llvm::APInt::getMaxValue(bits));
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

/// Vectors over the innermost kept loop need no work across lanes; vectors over the innermost reduced loop fit when memory runs that way.
bool GroupEmitter::should_vectorise_kept(std::size_t num_kept, bool simple) const {
  if (num_kept == 0) return false;
  if (!simple || loops_.size() == num_kept) return true;
  // Loads for each lane that does something: one a vector, or one a lane where lanes are apart.
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
    const double passes = static_cast<double>((loop.extent + target_.lanes - 1) / target_.lanes);
    return loads * passes * lanes / static_cast<double>(loop.extent);
  };
  return cost(num_kept - 1) <= cost(loops_.size() - 1);
}

void GroupEmitter::emit_reduce_group() {
  const ir::Op& reduce = *group_.op;
  const std::size_t n = reduce.results().size();
  const ReduceLoops reduce_shape = reduce_loops(reduce);
  const std::vector<std::int64_t>& kept = reduce_shape.kept;
  const std::size_t rank = group_.extents.size();
  std::vector<int> elements, inits;
  for (std::size_t i = 0; i < n; ++i) elements.push_back(expression_.add(reduce.operand(i), reduce_shape.input, false));
  for (std::size_t i = 0; i < n; ++i) inits.push_back(expression_.add(reduce.operand(n + i), {}, false));
  IndexMap result_map;
  const IndexMap identity = identity_map(rank);
  for (std::int64_t d : kept) result_map.push_back(identity[static_cast<std::size_t>(d)]);
  for (const Store& store : group_.stores)
    store_addresses_.push_back(expression_.address(plan_.buffers[static_cast<std::size_t>(store.buffer)], result_map));

  // Kept loops as the result lies in memory, reduced loops as the first tensor that is read does.
  const ir::Dims& result_strides = plan_.buffers[static_cast<std::size_t>(group_.stores[0].buffer)].strides;
  std::vector<std::size_t> kept_order, reduced_order;
  for (std::size_t i = 0; i < kept.size(); ++i) kept_order.push_back(i);
  std::stable_sort(kept_order.begin(), kept_order.end(),
                   [&](std::size_t a, std::size_t b) { return result_strides[a] > result_strides[b]; });
  for (std::size_t& i : kept_order) i = static_cast<std::size_t>(kept[i]);
  for (std::size_t d = 0; d < rank; ++d)
    if (std::find(kept.begin(), kept.end(), static_cast<std::int64_t>(d)) == kept.end()) reduced_order.push_back(d);
  for (const Node& node : expression_.nodes())
    if (node.kind == Node::Kind::kLoad && node.value.type().num_elements() > 1) {
      std::stable_sort(reduced_order.begin(), reduced_order.end(), [&](std::size_t a, std::size_t b) {
        return node.address.position.coefficients[a] > node.address.position.coefficients[b];
      });
      break;
    }
  choose_loops(kept_order);
  merge_loops(0, loops_.size());
  const std::size_t num_kept = loops_.size();
  choose_loops(reduced_order);
  merge_loops(num_kept, loops_.size());

  // Four registers side by side hide the latency of the accumulation, unless what feeds it is costly (and so hides it already).
  std::string_view combiner = n == 1 ? ops::simple_reduce_kind(reduce) : std::string_view();
  if (const auto known = {"add", "multiply", "maximum", "minimum", "and", "or"};
      std::find(known.begin(), known.end(), combiner) == known.end())
    combiner = {};
  const bool by_kept = should_vectorise_kept(num_kept, !combiner.empty());
  double cost = 0;
  for (const ir::Op* member : group_.members) cost += member == &reduce ? 1 : elementwise_cost(*member);
  const int widest = target_.lanes * (cost <= 4 ? 4 : 1);
  const bool can_vectorise_reduced = !combiner.empty() && loops_.size() > num_kept;
  if (by_kept)
    make_vector_loop(static_cast<int>(num_kept) - 1, widest);
  else if (can_vectorise_reduced)
    make_vector_loop(static_cast<int>(loops_.size()) - 1, widest);
  // Few results of many elements: slices share the outermost reduced loop, each leaves a partial result.
  if (group_.scratch_buffer >= 0 && !combiner.empty() && loops_.size() > num_kept) split_level_ = num_kept;
  if (num_kept > split_level_ || split_level_ > 0 || group_.scratch_buffer >= 0) split_outermost();
  leaves_partials_ = group_.scratch_buffer >= 0 && num_slices_ > 1 && split_level_ == num_kept;
  set_levels();
  if (vector_level_ >= 0)
    for (int node : elements) has_vector_user_[static_cast<std::size_t>(node)] = true;
  const bool lanes_are_results = vector_level_ >= 0 && vector_level_ < static_cast<int>(num_kept);
  const bool lanes_are_reduced = vector_level_ >= static_cast<int>(num_kept);
  if (lanes_are_results)
    for (int node : inits) has_vector_user_[static_cast<std::size_t>(node)] = true;

  std::vector<llvm::Value*> slots;
  for (std::size_t i = 0; i < n; ++i)
    slots.push_back(stack_slot(register_type(context_, reduce.operand(i).dtype(), vector_level_ >= 0 ? lanes_ : 1)));
  auto load_slots = [&] {
    std::vector<llvm::Value*> out;
    for (llvm::Value* slot : slots) out.push_back(builder_.CreateLoad(llvm::cast<llvm::AllocaInst>(slot)->getAllocatedType(), slot));
    return out;
  };
  auto value_of = [&](int node, bool vector) { return vector ? vector_value(node) : values_[static_cast<std::size_t>(node)]; };
  emit_level(-1);
  open_loops(0, num_kept, [&] {
    for (std::size_t i = 0; i < n; ++i)
      builder_.CreateStore(leaves_partials_ || lanes_are_reduced
                               ? neutral(combiner, reduce.operand(i).dtype(), vector_level_ >= 0 ? lanes_ : 1)
                               : value_of(inits[i], lanes_are_results),
                           slots[i]);
    open_loops(num_kept, loops_.size(), [&] {
      const std::vector<llvm::Value*> before = load_slots();
      std::vector<llvm::Value*> inputs;
      for (int node : elements) inputs.push_back(value_of(node, vector_level_ >= 0));
      const std::vector<llvm::Value*> after = combine(reduce, before, inputs);
      for (std::size_t i = 0; i < n; ++i)
        builder_.CreateStore(lanes_are_reduced && mask_ != nullptr ? builder_.CreateSelect(mask_, after[i], before[i]) : after[i],
                             slots[i]);
    });
    std::vector<llvm::Value*> results = load_slots();
    if (lanes_are_reduced) {
      results[0] = across_lanes(reduce, results[0]);
      if (!leaves_partials_) results[0] = combine(reduce, {values_[static_cast<std::size_t>(inits[0])]}, {results[0]})[0];
    }
    if (leaves_partials_) {
      llvm::Value* partial = builder_.CreateMul(slice_, integer(reduce.result().type().num_elements()));
      store_at(buffer_base(group_.scratch_buffer), builder_.CreateAdd(partial, position_of(store_addresses_[0])),
               lanes_are_results ? lane_stride(store_addresses_[0].position) : 0, results[0], reduce.operand(0).dtype());
      return;
    }
    for (std::size_t i = 0; i < n; ++i)
      store_at(buffer_base(group_.stores[i].buffer), position_of(store_addresses_[i]),
               lanes_are_results ? lane_stride(store_addresses_[i].position) : 0, results[i], reduce.operand(i).dtype());
  });
}

/// result[i] = init and then the partial results of the slices, one after the other.
void GroupEmitter::emit_reduce_finish(const Store& store, llvm::Value* partials, std::int64_t row_elements, std::int64_t num_partials) {
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
    for (const IndexMap& map : sum_maps(group_)) sum.elements.push_back(expression_.add(store.value.op()->operand(0), map, false));
    const IndexMap identity = identity_map(group_.extents.size());
    const IndexMap kept(identity.end() - static_cast<std::ptrdiff_t>(store.value.dims().size()), identity.end());
    const PlanBuffer plain{store.value.type(), ir::row_major_strides(store.value.dims()), Place::kArena, 0, 0, true};
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
        store_at(sums_[s].partials, at, 1, neutral(ops::simple_reduce_kind(*result.op()), result.dtype(), lanes), result.dtype());
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
    for (std::size_t i = 1; i < sum.elements.size(); ++i) elements = combine(reduce, {elements}, {vector_value(sum.elements[i])})[0];
    llvm::Value* const position = position_of(sum.address);
    llvm::Value* const before = load_at(sum.partials, position, 1, true, dtype);
    store_at(sum.partials, position, 1, combine(reduce, {before}, {elements})[0], dtype);
  }
}

}  // namespace cornu::inline v0::backends::cpu
