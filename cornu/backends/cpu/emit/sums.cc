#include "cornu/backends/cpu/emit/group_emitter.h"
#include "cornu/ops/reduce/reduce.h"

namespace cornu::inline v0::backends::cpu {

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
