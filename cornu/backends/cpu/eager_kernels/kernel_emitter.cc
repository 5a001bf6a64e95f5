#include "cornu/backends/cpu/eager_kernels/kernel_emitter.h"

#include <algorithm>

#include "cornu/backends/cpu/emit/elementwise.h"

namespace cornu::inline v0::backends::cpu {
namespace {

unsigned register_bytes(ir::DType dtype) {
  return is_half(dtype) ? 4 : static_cast<unsigned>(ir::size_bytes(dtype));
}

}  // namespace

KernelEmitter::KernelEmitter(llvm::Module& module, const Target& target, const ir::Op& op,
                             std::size_t num_parameters)
    : module_(module), target_(target), op_(op), builder_(module.getContext()) {
  for (const ir::Value& operand : op.operands()) operands_.push_back({operand.dtype()});
  parameters_.resize(num_parameters);
  body_ = measure_body();
}

KernelEmitter::Functions KernelEmitter::emit() {
  const unsigned register_size = static_cast<unsigned>(target_.lanes) * 4;
  unsigned widest = register_bytes(op_.result().dtype());
  auto narrowest = static_cast<unsigned>(ir::size_bytes(op_.result().dtype()));
  for (const Operand& operand : operands_) {
    widest = std::max(widest, register_bytes(operand.dtype));
    narrowest = std::min(narrowest, static_cast<unsigned>(ir::size_bytes(operand.dtype)));
  }
  if (body_.is_scalar) {
    begin_function("kernel");
    emit_elements(builder_.getInt64(0));
    end_function();
    return {function_, nullptr};
  }
  // As many as fill a register with the narrowest elements, unless the widest take too many registers.
  const unsigned most = (body_.num_instructions <= kTinyBody ? 4 : 1) * register_size / widest;
  const unsigned lanes = std::min(register_size / narrowest, most);
  begin_function("strided");
  emit_strided(lanes);
  end_function();
  llvm::Function* const strided = function_;
  begin_function("kernel");
  emit_patterns(lanes, strided);
  end_function();
  return {function_, strided};
}

KernelEmitter::Body KernelEmitter::measure_body() {
  llvm::LLVMContext& context = module_.getContext();
  std::vector<llvm::Type*> types;
  for (const Operand& operand : operands_) types.push_back(register_type(context, operand.dtype, 2));
  for (llvm::Value*& parameter : parameters_) parameter = builder_.getInt64(1);
  auto* const function = llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), types, false),
                                                llvm::Function::InternalLinkage, "body", module_);
  builder_.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : function->args()) arguments.push_back(&argument);
  compute(arguments);
  Body body;
  for (const llvm::BasicBlock& block : *function) {
    for (const llvm::Instruction& instruction : block) {
      using I = llvm::Instruction;
      const unsigned code = instruction.getOpcode();
      ++body.num_instructions;
      body.is_scalar |=
          code == I::UDiv || code == I::SDiv || code == I::URem || code == I::SRem || code == I::FRem;
    }
  }
  function->eraseFromParent();
  return body;
}

void KernelEmitter::begin_function(const std::string& name) {
  llvm::LLVMContext& context = module_.getContext();
  llvm::Type* const pointer = builder_.getPtrTy();
  llvm::Type* const number = builder_.getInt64Ty();
  function_ = llvm::Function::Create(
      llvm::FunctionType::get(builder_.getVoidTy(), {number, pointer, pointer, pointer}, false),
      llvm::Function::InternalLinkage, name, module_);
  function_->setDoesNotThrow();
  function_->setUWTableKind(llvm::UWTableKind::Default);  // for those that look at stacks
  builder_.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function_));
  out_ = function_->getArg(3);
  const auto entry = [&](unsigned table, llvm::Type* type, std::size_t k) {
    return builder_.CreateLoad(type, builder_.CreateConstInBoundsGEP1_64(type, function_->getArg(table), k));
  };
  for (std::size_t k = 0; k < parameters_.size(); ++k)
    parameters_[k] = builder_.CreateLoad(number, entry(1, pointer, operands_.size() + k));
  for (std::size_t k = 0; k < operands_.size(); ++k) {
    operands_[k].base = entry(1, pointer, k);
    operands_[k].stride = entry(2, number, k);
  }
  count_ = function_->getArg(0);
  auto* const start = llvm::BasicBlock::Create(context, "start", function_);
  done_ = llvm::BasicBlock::Create(context, "done", function_);
  builder_.CreateCondBr(builder_.CreateICmpSGT(count_, builder_.getInt64(0)), start, done_);
  builder_.SetInsertPoint(start);
}

void KernelEmitter::end_function() {
  if (builder_.GetInsertBlock()->getTerminator() == nullptr) builder_.CreateBr(done_);
  builder_.SetInsertPoint(done_);
  builder_.CreateRetVoid();
}

llvm::Value* KernelEmitter::is_stride(const Operand& operand, std::int64_t stride) {
  return builder_.CreateICmpEQ(operand.stride, builder_.getInt64(static_cast<std::uint64_t>(stride)));
}

llvm::Value* KernelEmitter::compute(std::vector<llvm::Value*> operands) {
  const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(operands[0]->getType());
  for (llvm::Value* const parameter : parameters_)
    operands.push_back(vector == nullptr ? parameter
                                         : builder_.CreateVectorSplat(vector->getNumElements(), parameter));
  return emit_elementwise(builder_, target_, op_, operands);
}

llvm::Value* KernelEmitter::load_lanes(ir::DType dtype, llvm::Value* address, unsigned lanes) {
  llvm::Type* type = memory_type(module_.getContext(), dtype);
  if (lanes > 1) type = llvm::FixedVectorType::get(type, lanes);
  llvm::Value* const value = builder_.CreateAlignedLoad(type, address, llvm::Align(ir::size_bytes(dtype)));
  return from_memory(builder_, target_, value, dtype);
}

void KernelEmitter::store_lanes(llvm::Value* value, llvm::Value* address) {
  const ir::DType dtype = op_.result().dtype();
  builder_.CreateAlignedStore(to_memory(builder_, target_, value, dtype), address,
                              llvm::Align(ir::size_bytes(dtype)));
}

/// Elements at any stride, lane by lane.
llvm::Value* KernelEmitter::gather_lanes(const Operand& operand, llvm::Value* index, unsigned lanes) {
  llvm::Type* const type = memory_type(module_.getContext(), operand.dtype);
  llvm::Value* value = llvm::PoisonValue::get(llvm::FixedVectorType::get(type, lanes));
  llvm::Value* address = element_address(operand, builder_.CreateMul(index, operand.stride));
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (lane > 0) address = builder_.CreateInBoundsGEP(type, address, operand.stride);
    value = builder_.CreateInsertElement(value, builder_.CreateLoad(type, address), lane);
  }
  return value;
}

llvm::Value* KernelEmitter::element_address(const Operand& operand, llvm::Value* index) {
  return builder_.CreateInBoundsGEP(memory_type(module_.getContext(), operand.dtype), operand.base, index);
}

llvm::Value* KernelEmitter::result_address(llvm::Value* index) {
  return builder_.CreateInBoundsGEP(memory_type(module_.getContext(), op_.result().dtype()), out_, index);
}

void KernelEmitter::loop(llvm::Value* begin, llvm::Value* end, std::uint64_t step, const Emit& body) {
  llvm::LLVMContext& context = module_.getContext();
  llvm::BasicBlock* const before = builder_.GetInsertBlock();
  auto* const inside = llvm::BasicBlock::Create(context, "loop", function_);
  auto* const after = llvm::BasicBlock::Create(context, "after", function_);
  builder_.CreateCondBr(builder_.CreateICmpSLT(begin, end), inside, after);
  builder_.SetInsertPoint(inside);
  auto* const index = builder_.CreatePHI(builder_.getInt64Ty(), 2);
  index->addIncoming(begin, before);
  body(index);
  llvm::Value* const next = builder_.CreateNSWAdd(index, builder_.getInt64(step));
  index->addIncoming(next, builder_.GetInsertBlock());
  builder_.CreateCondBr(builder_.CreateICmpSLT(next, end), inside, after);
  builder_.SetInsertPoint(after);
}

void KernelEmitter::emit_patterns(unsigned lanes, llvm::Function* strided) {
  llvm::LLVMContext& context = module_.getContext();
  const unsigned all = (1U << operands_.size()) - 1;
  const unsigned last = body_.num_instructions > kLargeBody ? all : 1;
  for (unsigned contiguous = all; contiguous >= last; --contiguous) {
    llvm::Value* fits = builder_.getTrue();
    for (std::size_t k = 0; k < operands_.size(); ++k)
      fits = builder_.CreateAnd(fits, is_stride(operands_[k], contiguous >> k & 1));
    auto* const pattern = llvm::BasicBlock::Create(context, "pattern", function_);
    auto* const others = llvm::BasicBlock::Create(context, "others", function_);
    builder_.CreateCondBr(fits, pattern, others);
    builder_.SetInsertPoint(pattern);
    emit_pattern(contiguous, lanes);
    builder_.CreateBr(done_);
    builder_.SetInsertPoint(others);
  }
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : function_->args()) arguments.push_back(&argument);
  builder_.CreateCall(strided, arguments)->setTailCallKind(llvm::CallInst::TCK_MustTail);
  builder_.CreateRetVoid();
}

/// Any strides. A function of its own, since it needs more registers than its caller may use without saving
/// them.
void KernelEmitter::emit_strided(unsigned lanes) {
  llvm::Value* const whole = rounded_down(lanes);
  loop(builder_.getInt64(0), whole, lanes, [&](llvm::Value* index) {
    std::vector<llvm::Value*> values;
    for (const Operand& operand : operands_)
      values.push_back(from_memory(builder_, target_, gather_lanes(operand, index, lanes), operand.dtype));
    store_lanes(compute(values), result_address(index));
  });
  emit_elements(whole);
}

/// The operands whose bits `contiguous` has are contiguous, the others single values. Vectors get narrower at
/// the end and do not overlap, so that an op after this one may load what this one has just stored.
void KernelEmitter::emit_pattern(unsigned contiguous, unsigned lanes) {
  llvm::LLVMContext& context = module_.getContext();
  std::vector<llvm::Value*> singles(operands_.size());
  for (std::size_t k = 0; k < operands_.size(); ++k)
    if ((contiguous >> k & 1) == 0) singles[k] = load_lanes(operands_[k].dtype, operands_[k].base, 1);
  const auto body = [&](llvm::Value* index, unsigned width) {
    std::vector<llvm::Value*> values;
    for (std::size_t k = 0; k < operands_.size(); ++k)
      values.push_back(singles[k] == nullptr
                           ? load_lanes(operands_[k].dtype, element_address(operands_[k], index), width)
                       : width == 1 ? singles[k]
                                    : builder_.CreateVectorSplat(width, singles[k]));
    store_lanes(compute(values), result_address(index));
  };
  loop(builder_.getInt64(0), rounded_down(lanes), lanes, [&](llvm::Value* index) { body(index, lanes); });
  for (unsigned width = lanes / 2; width > 0; width /= 2) {
    auto* const has = llvm::BasicBlock::Create(context, "has", function_);
    auto* const next = llvm::BasicBlock::Create(context, "next", function_);
    builder_.CreateCondBr(
        builder_.CreateICmpNE(builder_.CreateAnd(count_, builder_.getInt64(width)), builder_.getInt64(0)),
        has, next);
    builder_.SetInsertPoint(has);
    body(rounded_down(2 * width), width);
    builder_.CreateBr(next);
    builder_.SetInsertPoint(next);
  }
}

/// The number of elements, rounded down to a multiple of a power of two.
llvm::Value* KernelEmitter::rounded_down(unsigned width) {
  return builder_.CreateAnd(count_, builder_.getInt64(~(std::uint64_t{width} - 1)));
}

/// One by one, at any strides.
void KernelEmitter::emit_elements(llvm::Value* begin) {
  loop(begin, count_, 1, [&](llvm::Value* index) {
    std::vector<llvm::Value*> values;
    for (const Operand& operand : operands_)
      values.push_back(
          load_lanes(operand.dtype, element_address(operand, builder_.CreateMul(index, operand.stride)), 1));
    store_lanes(compute(values), result_address(index));
  });
}

}  // namespace cornu::inline v0::backends::cpu
