#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "cornu/backends/cpu/emit/group_emitter.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {
llvm::Value* buffer_address(llvm::IRBuilderBase& builder, const PlanBuffer& buffer,
                            llvm::function_ref<llvm::Value*(ContextField)> load) {
  const auto table_entry = [&](ContextField table) {
    llvm::Value* const slot = builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), load(table),
                                                                 static_cast<std::uint64_t>(buffer.index));
    return builder.CreateLoad(builder.getPtrTy(), slot);
  };
  switch (buffer.space) {
    case MemorySpace::kArena:
      return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load(ContextField::kArena),
                                                buffer.offset);
    case MemorySpace::kArgument: return table_entry(ContextField::kArguments);
    case MemorySpace::kOutput: {
      llvm::Value* const offset =
          builder.CreateMul(load(ContextField::kStep), builder.getInt64(buffer.type.size_bytes()));
      return builder.CreateInBoundsGEP(builder.getInt8Ty(), table_entry(ContextField::kOutputs), offset);
    }
    case MemorySpace::kConstant: break;
  }
  CORNU_CHECK(false, "the context does not know where constants are");
  return nullptr;
}

llvm::Value* GroupEmitter::context_field(ContextField field) {
  llvm::Value*& value = fields_[static_cast<std::size_t>(field)];
  if (value == nullptr) {
    const bool is_pointer =
        field != ContextField::kNumRows && field != ContextField::kNumSteps && field != ContextField::kStep;
    llvm::Value* address = entry_builder_.CreateConstInBoundsGEP1_64(
        entry_builder_.getInt64Ty(), step_context_, static_cast<std::uint64_t>(field));
    value = entry_builder_.CreateLoad(
        is_pointer ? static_cast<llvm::Type*>(entry_builder_.getPtrTy()) : entry_builder_.getInt64Ty(),
        address);
  }
  return value;
}

llvm::Value* GroupEmitter::buffer_base(int id) {
  llvm::Value*& base = bases_[id];
  if (base != nullptr) return base;
  const PlanBuffer& buffer = plan_.buffers[static_cast<std::size_t>(id)];
  if (table_ != nullptr)
    base = buffer_from_table(buffer);
  else if (buffer.space == MemorySpace::kConstant)
    base = data_.constants[static_cast<std::size_t>(buffer.index)];
  else
    base = buffer_address(entry_builder_, buffer, [&](ContextField field) { return context_field(field); });
  return base;
}

/// A number of the group that is not part of its code.
llvm::Value* GroupEmitter::from_table(std::int64_t number) {
  llvm::Value* const address = entry_builder_.CreateConstInBoundsGEP1_64(
      entry_builder_.getInt64Ty(), context_field(ContextField::kTable), table_->size());
  table_->push_back(number);
  return entry_builder_.CreateLoad(entry_builder_.getInt64Ty(), address);
}

llvm::Value* GroupEmitter::buffer_from_table(const PlanBuffer& buffer) {
  llvm::Type* const pointer = entry_builder_.getPtrTy();
  const auto entry_of = [&](ContextField addresses) {
    llvm::Value* const slot =
        entry_builder_.CreateInBoundsGEP(pointer, context_field(addresses), from_table(buffer.index));
    return entry_builder_.CreateLoad(pointer, slot);
  };
  switch (buffer.space) {
    case MemorySpace::kArena:
      return entry_builder_.CreateInBoundsGEP(entry_builder_.getInt8Ty(), context_field(ContextField::kArena),
                                              from_table(static_cast<std::int64_t>(buffer.offset)));
    case MemorySpace::kArgument: return entry_of(ContextField::kArguments);
    case MemorySpace::kOutput: {
      llvm::Value* const base = entry_of(ContextField::kOutputs);
      llvm::Value* const offset = entry_builder_.CreateMul(context_field(ContextField::kStep),
                                                           entry_builder_.getInt64(buffer.type.size_bytes()));
      return entry_builder_.CreateInBoundsGEP(entry_builder_.getInt8Ty(), base, offset);
    }
    case MemorySpace::kConstant: break;
  }
  const std::byte* const data = plan_.constants[static_cast<std::size_t>(buffer.index)].bytes().data();
  return entry_builder_.CreateIntToPtr(from_table(reinterpret_cast<std::int64_t>(data)), pointer);
}

llvm::Value* GroupEmitter::stack_slot(llvm::Type* type) { return entry_builder_.CreateAlloca(type); }

llvm::Value* GroupEmitter::lane_numbers(llvm::Type* type) {
  std::vector<llvm::Constant*> numbers;
  numbers.reserve(static_cast<std::size_t>(lanes_));
  for (int i = 0; i < lanes_; ++i)
    numbers.push_back(llvm::ConstantInt::get(type, static_cast<std::uint64_t>(i)));
  return llvm::ConstantVector::get(numbers);
}

/// Offsets of lanes that are `stride` elements apart; in 32 bits, of which a gather takes twice as many,
/// unless they overflow.
llvm::Value* GroupEmitter::lane_offsets(std::int64_t stride) {
  const std::int64_t furthest = (lanes_ - 1) * (stride < 0 ? -stride : stride);
  llvm::IntegerType* type =
      furthest <= std::numeric_limits<std::int32_t>::max() ? builder_.getInt32Ty() : builder_.getInt64Ty();
  return builder_.CreateMul(lane_numbers(type),
                            splat(llvm::ConstantInt::get(type, static_cast<std::uint64_t>(stride), true)));
}

/// A constant whose value LLVM is not to know.
llvm::Value* GroupEmitter::hidden(llvm::Value* constant) {
  llvm::Value* slot = stack_slot(constant->getType());
  entry_builder_.CreateStore(constant, slot, true);
  return entry_builder_.CreateLoad(constant->getType(), slot, true);
}

llvm::Value* GroupEmitter::masked_by_end(llvm::Value* index, llvm::Value* end) {
  // Where LLVM 19 sees that only the first lane is left, it makes masks of one lane (v1i1), for some of which
  // it has no AVX-512 instruction and ends the process.
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(end);
      known != nullptr && known->getSExtValue() % lanes_ == 1)
    end = hidden(end);
  llvm::Value* left = builder_.CreateTrunc(builder_.CreateSub(end, index), builder_.getInt32Ty());
  return builder_.CreateICmpSLT(lane_numbers(builder_.getInt32Ty()), splat(left));
}

/// The distance between lanes of the vector loop, in elements.
std::int64_t GroupEmitter::lane_stride(const Affine& affine) const {
  return vector_level_ < 0
             ? 0
             : affine.coefficients[loops_[static_cast<std::size_t>(vector_level_)].dimensions.back()];
}

llvm::Value* GroupEmitter::position_of(const Address& address) {
  llvm::Value* position = integer(address.position.constant);
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    const std::int64_t c = address.position.coefficients.empty()
                               ? 0
                               : address.position.coefficients[loops_[l].dimensions.back()];
    if (c != 0) position = builder_.CreateAdd(position, builder_.CreateMul(loop_index_[l], integer(c)));
  }
  for (int offset : address.dynamic)
    if (!expression_.nodes()[static_cast<std::size_t>(offset)].is_vector)
      position = builder_.CreateAdd(position, values_[static_cast<std::size_t>(offset)]);
  return position;
}

/// A dynamic start in elements, clamped as StableHLO specifies for its type.
llvm::Value* GroupEmitter::offset_of(const Node& node) {
  llvm::Value* start = values_[static_cast<std::size_t>(node.operands[0])];
  llvm::Type* type = start->getType()->getWithNewType(builder_.getInt64Ty());
  auto number = [&](std::int64_t v) {
    return llvm::ConstantInt::get(type, static_cast<std::uint64_t>(v), true);
  };
  const bool is_signed = ir::is_signed_integer(node.value.dtype());
  start = is_signed ? builder_.CreateSExt(start, type) : builder_.CreateZExt(start, type);
  if (node.max >= 0) {
    if (is_signed) start = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, start, number(0));
    start = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, start, number(node.max));
  } else if (node.value.dtype() == ir::DType::kU64) {  // beyond i64 is outside, not negative
    start = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, start, number(INT64_MAX));
  }
  return node.stride == 1 ? start : builder_.CreateMul(start, number(node.stride));
}

/// Lanes from positions of their own.
llvm::Value* GroupEmitter::load_gathered(llvm::Value* base, llvm::Value* positions, ir::DType dtype) {
  llvm::Type* element = memory_type(context_, dtype);
  llvm::Type* type = llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes_));
  llvm::Value* mask = mask_ != nullptr ? mask_
                                       : llvm::Constant::getAllOnesValue(llvm::FixedVectorType::get(
                                             builder_.getInt1Ty(), static_cast<unsigned>(lanes_)));
  llvm::Value* addresses = builder_.CreateInBoundsGEP(element, base, positions);
  llvm::Value* value = builder_.CreateMaskedGather(type, addresses, llvm::Align(ir::size_bytes(dtype)), mask,
                                                   llvm::Constant::getNullValue(type));
  return from_memory(builder_, target_, value, dtype);
}

/// Lanes that are `stride` elements apart, 2 to most_parts(): from whole vectors, the last of which ends with the last
/// lane's element. A gather takes longer, and for small elements one load a lane.
llvm::Value* GroupEmitter::load_every(llvm::Type* element, llvm::Value* address, std::int64_t stride,
                                      llvm::Align align) {
  const std::int64_t last_start = stride * lanes_ - lanes_ - (stride - 1);
  llvm::Type* type = llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes_));
  llvm::Value* result = nullptr;
  std::vector<int> indices(static_cast<std::size_t>(lanes_), -1);
  for (std::int64_t part = 0; part < stride; ++part) {
    const std::int64_t start = part + 1 < stride ? part * lanes_ : last_start;
    bool is_read = false;
    for (int lane = 0; lane < lanes_; ++lane) {
      const std::int64_t at = lane * stride;
      int& index = indices[static_cast<std::size_t>(lane)];
      if (index >= 0) index = lane;  // of `result`
      if (std::min<std::int64_t>(at / lanes_, stride - 1) != part) continue;
      index = static_cast<int>(at - start) + (result == nullptr ? 0 : lanes_);
      is_read = true;
    }
    if (!is_read) continue;
    llvm::Value* const from =
        builder_.CreateConstInBoundsGEP1_64(element, address, static_cast<std::uint64_t>(start));
    llvm::Value* const vector = builder_.CreateAlignedLoad(type, from, align);
    result = result == nullptr ? builder_.CreateShuffleVector(vector, indices)
                               : builder_.CreateShuffleVector(result, vector, indices);
  }
  return result;
}

/// The same for the lanes of the mask: elements between are not read.
llvm::Value* GroupEmitter::load_every_masked(llvm::Type* element, llvm::Value* address, std::int64_t stride,
                                             llvm::Align align) {
  llvm::Type* type = llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes_));
  llvm::Value* const none = llvm::Constant::getNullValue(mask_->getType());
  llvm::Value* result = nullptr;
  for (std::int64_t part = 0; part < stride; ++part) {
    const auto num_lanes = static_cast<std::size_t>(lanes_);
    std::vector<int> reads(num_lanes, lanes_), indices(num_lanes, -1);  // lanes_: of `none`
    for (int lane = 0; lane < lanes_; ++lane) {
      if (result != nullptr && lane * stride < part * lanes_) indices[static_cast<std::size_t>(lane)] = lane;
      const std::int64_t at = lane * stride - part * lanes_;
      if (at < 0 || at >= lanes_) continue;
      reads[static_cast<std::size_t>(at)] = lane;
      indices[static_cast<std::size_t>(lane)] = static_cast<int>(at) + (result == nullptr ? 0 : lanes_);
    }
    llvm::Value* const from =
        builder_.CreateConstInBoundsGEP1_64(element, address, static_cast<std::uint64_t>(part * lanes_));
    llvm::Value* const vector =
        builder_.CreateMaskedLoad(type, from, align, builder_.CreateShuffleVector(mask_, none, reads),
                                  llvm::Constant::getNullValue(type));
    result = result == nullptr ? builder_.CreateShuffleVector(vector, indices)
                               : builder_.CreateShuffleVector(result, vector, indices);
  }
  return result;
}

llvm::Value* GroupEmitter::reversed(llvm::Value* vector) {
  std::vector<int> indices(static_cast<std::size_t>(lanes_));
  for (int lane = 0; lane < lanes_; ++lane) indices[static_cast<std::size_t>(lane)] = lanes_ - 1 - lane;
  return builder_.CreateShuffleVector(vector, indices);
}

/// All lanes that are `stride` elements apart by whole vectors, backwards if it is negative; null if they are
/// better gathered.
llvm::Value* GroupEmitter::load_near(llvm::Type* element, llvm::Value* address, std::int64_t stride,
                                     llvm::Align align) {
  if (stride == 0 || std::abs(stride) > most_parts()) return nullptr;
  if (mask_ != nullptr) {
    const bool has_masks = target_.isa == IsaLevel::kAvx512 && element->getPrimitiveSizeInBits() >= 32;
    return has_masks && stride > 1 ? load_every_masked(element, address, stride, align) : nullptr;
  }
  if (stride < 0)
    address = builder_.CreateConstInBoundsGEP1_64(element, address,
                                                  static_cast<std::uint64_t>(stride * (lanes_ - 1)));
  llvm::Value* value = nullptr;
  if (std::abs(stride) == 1)
    value = builder_.CreateAlignedLoad(llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes_)),
                                       address, align);
  else
    value = load_every(element, address, std::abs(stride), align);
  return stride < 0 ? reversed(value) : value;
}

/// The number of stores from number `first` on that write the elements between them: parts of complex numbers, for
/// example. 1: a store by itself.
std::size_t GroupEmitter::num_interleaved(std::size_t first) const {
  const Address& address = store_addresses_[first];
  const std::int64_t count = lane_stride(address.position);
  if (mask_ != nullptr || vector_level_ < 0 || count < 2 || count > most_parts() ||
      first + static_cast<std::size_t>(count) > store_nodes_.size())
    return 1;
  for (std::int64_t i = 1; i < count; ++i) {
    const std::size_t next = first + static_cast<std::size_t>(i);
    const Address& other = store_addresses_[next];
    if (group_.stores[next].buffer != group_.stores[first].buffer || !other.dynamic.empty() ||
        !address.dynamic.empty() || other.position.coefficients != address.position.coefficients ||
        other.position.constant != address.position.constant + i)
      return 1;
  }
  return static_cast<std::size_t>(count);
}

/// Stores `count` values by turns, 2 to most_parts().
void GroupEmitter::store_interleaved(std::size_t first, std::size_t count) {
  const ir::DType dtype = moved_as(group_.stores[first].value.dtype());
  const auto lanes = static_cast<std::size_t>(lanes_);
  std::vector<llvm::Value*> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(to_memory(builder_, target_, vector_value(store_nodes_[first + i]), dtype));
  llvm::Type* const element = memory_type(context_, dtype);
  llvm::Value* const address = builder_.CreateInBoundsGEP(element, buffer_base(group_.stores[first].buffer),
                                                          position_of(store_addresses_[first]));
  for (std::size_t part = 0; part < count; ++part) {
    // The lanes of one value after the other.
    llvm::Value* vector = nullptr;
    std::vector<int> indices(lanes, -1);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t at = part * lanes + lane;
        if (indices[lane] >= 0) indices[lane] = static_cast<int>(lane);  // of `vector`
        if (at % count == i) indices[lane] = static_cast<int>(at / count + (vector == nullptr ? 0 : lanes));
      }
      vector = vector == nullptr ? builder_.CreateShuffleVector(values[i], indices)
                                 : builder_.CreateShuffleVector(vector, values[i], indices);
    }
    builder_.CreateAlignedStore(vector, builder_.CreateConstInBoundsGEP1_64(element, address, part * lanes),
                                align_of(dtype));
  }
}

llvm::Value* GroupEmitter::load_at(llvm::Value* base, llvm::Value* position, std::int64_t stride,
                                   bool is_vector, ir::DType dtype) {
  llvm::Type* element = memory_type(context_, dtype);
  const llvm::Align align = align_of(dtype);
  llvm::Value* address = builder_.CreateInBoundsGEP(element, base, position);
  llvm::Value* value = nullptr;
  if (!is_vector) {
    value = builder_.CreateAlignedLoad(element, address, align);
  } else {
    llvm::Type* type = llvm::FixedVectorType::get(element, static_cast<unsigned>(lanes_));
    if (stride == 1) {
      value = mask_ == nullptr ? static_cast<llvm::Value*>(builder_.CreateAlignedLoad(type, address, align))
                               : builder_.CreateMaskedLoad(type, address, align, mask_,
                                                           llvm::Constant::getNullValue(type));
    } else if (value = load_near(element, address, stride, align); value == nullptr) {
      llvm::Value* offsets = lane_offsets(stride);
      llvm::Value* addresses = builder_.CreateInBoundsGEP(element, address, offsets);
      llvm::Value* mask = mask_ != nullptr ? mask_
                                           : llvm::Constant::getAllOnesValue(llvm::FixedVectorType::get(
                                                 builder_.getInt1Ty(), static_cast<unsigned>(lanes_)));
      value = builder_.CreateMaskedGather(type, addresses, align, mask, llvm::Constant::getNullValue(type));
    }
  }
  return from_memory(builder_, target_, value, dtype);
}

void GroupEmitter::store_at(llvm::Value* base, llvm::Value* position, std::int64_t stride, llvm::Value* value,
                            ir::DType dtype) {
  llvm::Type* element = memory_type(context_, dtype);
  const llvm::Align align = align_of(dtype);
  llvm::Value* address = builder_.CreateInBoundsGEP(element, base, position);
  value = to_memory(builder_, target_, value, dtype);
  if (!value->getType()->isVectorTy()) {
    builder_.CreateAlignedStore(value, address, align);
  } else if (stride == 1) {
    if (mask_ == nullptr)
      builder_.CreateAlignedStore(value, address, align);
    else
      builder_.CreateMaskedStore(value, address, align, mask_);
  } else if (stride == -1 && mask_ == nullptr) {
    llvm::Value* const last =
        builder_.CreateConstInBoundsGEP1_64(element, address, static_cast<std::uint64_t>(1 - lanes_));
    builder_.CreateAlignedStore(reversed(value), last, align);
  } else {
    llvm::Value* offsets = lane_offsets(stride);
    builder_.CreateMaskedScatter(value, builder_.CreateInBoundsGEP(element, address, offsets), align, mask_);
  }
}

/// A row argument's element: the row's number comes from the step's indices.
llvm::Value* GroupEmitter::load_row(const Node& node) {
  const ir::Dims& dims = node.value.dims();
  const std::int64_t row_elements = node.value.type().num_elements() / std::max<std::int64_t>(dims[0], 1);
  llvm::Value* slot = entry_builder_.CreateConstInBoundsGEP1_64(
      entry_builder_.getPtrTy(), context_field(ContextField::kRows), static_cast<std::uint64_t>(node.buffer));
  llvm::Value* base = entry_builder_.CreateLoad(entry_builder_.getPtrTy(), slot);
  llvm::Value* first = entry_builder_.CreateMul(context_field(ContextField::kStep),
                                                entry_builder_.getInt64(static_cast<std::uint64_t>(dims[0])));
  llvm::Value* indices = entry_builder_.CreateInBoundsGEP(entry_builder_.getInt64Ty(),
                                                          context_field(ContextField::kRowIndices), first);
  int row_level = -1;
  for (std::size_t l = 0; l < loops_.size(); ++l)
    if (loops_[l].dimensions.front() == 0) row_level = static_cast<int>(l);
  llvm::Value* position = position_of(node.address);
  llvm::Value* batch_index = row_level < 0 ? integer(0) : loop_index_[static_cast<std::size_t>(row_level)];
  if (row_level >= 0 && row_level == vector_level_) {
    llvm::Value* rows = load_at(indices, batch_index, 1, true, ir::DType::kI64);
    llvm::Value* positions =
        builder_.CreateAdd(builder_.CreateMul(rows, splat(integer(row_elements))), splat(position));
    return load_gathered(base, positions, node.value.dtype());
  }
  llvm::Value* row = builder_.CreateLoad(
      builder_.getInt64Ty(), builder_.CreateInBoundsGEP(builder_.getInt64Ty(), indices, batch_index));
  position = builder_.CreateAdd(position, builder_.CreateMul(row, integer(row_elements)));
  return load_at(base, position, lane_stride(node.address.position), node.is_vector, node.value.dtype());
}

llvm::Value* GroupEmitter::load(const Node& node) {
  if (node.kind == Node::Kind::kRowLoad) return load_row(node);
  llvm::Value* positions = nullptr;  // of lanes that dynamic starts put apart
  for (int offset : node.address.dynamic)
    if (expression_.nodes()[static_cast<std::size_t>(offset)].is_vector) {
      llvm::Value* lanes = values_[static_cast<std::size_t>(offset)];
      positions = positions == nullptr ? lanes : builder_.CreateAdd(positions, lanes);
    }
  if (positions != nullptr) {
    positions = builder_.CreateAdd(positions, splat(position_of(node.address)));
    const std::int64_t stride = lane_stride(node.address.position);
    if (stride != 0)
      positions = builder_.CreateAdd(
          positions, builder_.CreateMul(lane_numbers(builder_.getInt64Ty()), splat(integer(stride))));
    return load_gathered(buffer_base(node.buffer), positions, node.value.dtype());
  }
  return load_at(buffer_base(node.buffer), position_of(node.address), lane_stride(node.address.position),
                 node.is_vector, moved_as(node.value.dtype()));
}

/// A seed differs from run to run unless the program sets it, and so do numbers that were folded with it.
/// Such numbers, as far as additions and exclusive ors can tell, are read from a table, so that the code does
/// not depend on them (and is found in the cache).
bool GroupEmitter::is_number_of_a_run(std::size_t constant) const {
  constexpr double kSmallest = 1024;  // counts and distances of shifts are less
  const ir::Value& value = expression_.nodes()[constant].value;
  if (value.dtype() != ir::DType::kU32 || data_.number_values.size() >= ModuleData::kMostNumbers)
    return false;
  if (value.op()->attributes().get<ir::Literal>("value").at(0) < kSmallest) return false;
  bool is_used = false;
  for (const Node& user : expression_.nodes()) {
    if (std::find(user.operands.begin(), user.operands.end(), static_cast<int>(constant)) ==
        user.operands.end())
      continue;
    // pattern: what counters and keys are mixed by
    if (user.kind != Node::Kind::kOp ||
        (user.value.op()->name() != "add" && user.value.op()->name() != "xor"))
      return false;
    is_used = true;
  }
  return is_used;
}

llvm::Value* GroupEmitter::constant_of(std::size_t node) {
  const auto& literal = expression_.nodes()[node].value.op()->attributes().get<ir::Literal>("value");
  if (!is_number_of_a_run(node)) return emit_constant(context_, literal, 0);
  if (table_ != nullptr)
    return entry_builder_.CreateTrunc(from_table(static_cast<std::int64_t>(literal.at(0))),
                                      entry_builder_.getInt32Ty());
  const std::size_t place = data_.number_values.size();
  data_.number_values.push_back(static_cast<std::uint32_t>(literal.at(0)));
  llvm::Value* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt32Ty(), data_.numbers, place);
  return builder_.CreateLoad(builder_.getInt32Ty(), address);
}

llvm::Value* GroupEmitter::vector_value(int node) {
  const auto i = static_cast<std::size_t>(node);
  if (expression_.nodes()[i].is_vector) return values_[i];
  if (splats_[i] == nullptr) splats_[i] = splat(values_[i]);
  return splats_[i];
}

/// The maximum, except for the sign of zeros, which costs most instructions; NaN if an operand is NaN.
llvm::Value* GroupEmitter::larger(llvm::Value* a, llvm::Value* b) {
  llvm::Value* const ordered = builder_.CreateSelect(builder_.CreateFCmpOGT(a, b), a, b);
  return builder_.CreateSelect(builder_.CreateFCmpUNO(a, a), a, ordered);
}

llvm::Value* GroupEmitter::iota_of(const Node& node) {
  llvm::Value* number = position_of(node.address);
  const ir::DType dtype = node.value.dtype();
  llvm::Type* type = register_type(context_, dtype, 1);
  if (node.is_vector) {
    llvm::Value* lanes = builder_.CreateMul(lane_numbers(builder_.getInt64Ty()),
                                            splat(integer(lane_stride(node.address.position))));
    number = builder_.CreateAdd(splat(number), lanes);
    type = register_type(context_, dtype, lanes_);
  }
  llvm::Value* const value =
      ir::is_float(dtype) ? builder_.CreateSIToFP(number, type) : builder_.CreateIntCast(number, type, true);
  return is_half(dtype) ? round_to_half(builder_, target_, value, dtype) : value;
}

/// The value of a node that is computed from operands.
llvm::Value* GroupEmitter::result_of(const Node& node) {
  std::vector<llvm::Value*> operands;
  operands.reserve(node.operands.size());
  for (int operand : node.operands)
    operands.push_back(node.is_vector ? vector_value(operand) : values_[static_cast<std::size_t>(operand)]);
  switch (node.kind) {
    case Node::Kind::kSelect: return builder_.CreateSelect(operands[0], operands[1], operands[2]);
    case Node::Kind::kAnd: return builder_.CreateAnd(operands[0], operands[1]);
    case Node::Kind::kNot: return builder_.CreateNot(operands[0]);
    case Node::Kind::kLarger: return larger(operands[0], operands[1]);
    default: return emit_elementwise(builder_, target_, *node.value.op(), operands);
  }
}

/// Emits the nodes whose deepest loop is `level`, at the builder's place: the start of that loop's body.
void GroupEmitter::emit_level(int level) {
  const std::vector<Node>& nodes = expression_.nodes();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.level != level) continue;
    switch (node.kind) {
      case Node::Kind::kLoad:
      case Node::Kind::kRowLoad: values_[i] = load(node); break;
      case Node::Kind::kConstant: values_[i] = constant_of(i); break;
      case Node::Kind::kOffset: values_[i] = offset_of(node); break;
      case Node::Kind::kIota: values_[i] = iota_of(node); break;
      default: values_[i] = result_of(node);
    }
    splats_[i] = has_vector_user_[i] && !node.is_vector ? splat(values_[i]) : nullptr;
  }
}

}  // namespace cornu::inline v0::backends::cpu
