#include "cornu/backends/cpu/emit/step.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "cornu/backends/cpu/emit/group_emitter.h"
#include "cornu/base/check.h"

namespace cornu::backends::cpu {
namespace {

std::vector<llvm::GlobalVariable*> emit_constants(llvm::Module& module, const Plan& plan) {
  std::vector<llvm::GlobalVariable*> out;
  for (const ir::Literal& literal : plan.constants) {
    const auto bytes = literal.bytes();
    llvm::Constant* data = llvm::ConstantDataArray::getRaw(llvm::StringRef(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                                                           bytes.size(), llvm::Type::getInt8Ty(module.getContext()));
    auto* variable = new llvm::GlobalVariable(module, data->getType(), true, llvm::GlobalValue::PrivateLinkage, data, "constant");
    variable->setAlignment(llvm::Align(64));
    out.push_back(variable);
  }
  return out;
}

/// Emits the loop over steps.
class StepEmitter {
 public:
  StepEmitter(llvm::Module& module, const Plan& plan, const Target& target)
      : module_(module), plan_(plan), target_(target), builder_(module.getContext()) {}

  void emit() {
    const std::vector<llvm::GlobalVariable*> constants = emit_constants(module_, plan_);
    struct Call {
      llvm::Function* function = nullptr;
      std::int64_t num_slices = 1;
    };
    std::vector<Call> calls;
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
      const GroupKind kind = plan_.groups[g].kind;
      if (kind == GroupKind::kMatrixDot || kind == GroupKind::kReference) {
        calls.emplace_back();
        continue;
      }
      GroupEmitter emitter(plan_, plan_.groups[g], target_, module_, constants);
      llvm::Function* function = emitter.emit(fmt::format("group_{}", g));
      calls.push_back({function, emitter.num_slices()});
    }

    auto* function = llvm::Function::Create(llvm::FunctionType::get(builder_.getInt64Ty(), {builder_.getPtrTy()}, false),
                                            llvm::Function::ExternalLinkage, kStepFunctionName, module_);
    context_ = function->getArg(0);
    llvm::LLVMContext& c = module_.getContext();
    auto* entry = llvm::BasicBlock::Create(c, "entry", function);
    auto* test = llvm::BasicBlock::Create(c, "test", function);
    auto* loop = llvm::BasicBlock::Create(c, "step", function);
    auto* done = llvm::BasicBlock::Create(c, "done", function);
    builder_.SetInsertPoint(entry);
    llvm::Value* stop = builder_.CreateLoad(builder_.getPtrTy(), field(ContextField::kStop));
    llvm::Value* steps_done = builder_.CreateLoad(builder_.getPtrTy(), field(ContextField::kStepsDone));
    builder_.CreateBr(test);
    builder_.SetInsertPoint(test);
    auto* step = builder_.CreatePHI(builder_.getInt64Ty(), 2, "step");
    step->addIncoming(builder_.getInt64(0), entry);
    // A callback that failed sets num_steps to 0, so it is read anew.
    llvm::Value* num_steps = builder_.CreateLoad(builder_.getInt64Ty(), field(ContextField::kNumSteps), /*isVolatile=*/true);
    llvm::Value* asked = builder_.CreateLoad(builder_.getInt8Ty(), stop, /*isVolatile=*/true);
    llvm::Value* go_on = builder_.CreateAnd(builder_.CreateICmpSLT(step, num_steps), builder_.CreateICmpEQ(asked, builder_.getInt8(0)));
    builder_.CreateCondBr(go_on, loop, done);
    builder_.SetInsertPoint(loop);
    builder_.CreateStore(step, field(ContextField::kStep));
    write_valid_rows(step);
    for (std::size_t g = 0; g < calls.size(); ++g) {
      llvm::Value* number = builder_.getInt64(g);
      llvm::Value* before = plan_.measure ? read_ticks() : nullptr;
      if (calls[g].function == nullptr)
        call_back(plan_.groups[g].kind == GroupKind::kReference ? ContextField::kReference : ContextField::kMatrixDot, {context_, number});
      else if (calls[g].num_slices > 1)
        call_back(ContextField::kParallelFor,
                  {context_, builder_.getInt64(static_cast<std::uint64_t>(calls[g].num_slices)), calls[g].function});
      else
        builder_.CreateCall(calls[g].function, {context_, builder_.getInt64(0)});
      if (before != nullptr) add_ticks(g, before);
      if (plan_.groups[g].kind == GroupKind::kReference) leave_if_failed(done);
    }
    llvm::Value* next = builder_.CreateNSWAdd(step, builder_.getInt64(1));
    auto* publish = builder_.CreateAlignedStore(next, steps_done, llvm::Align(8));
    publish->setAtomic(llvm::AtomicOrdering::Monotonic);
    step->addIncoming(next, builder_.GetInsertBlock());
    builder_.CreateBr(test);
    builder_.SetInsertPoint(done);
    builder_.CreateRet(step);
  }

 private:
  llvm::Value* field(ContextField f) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), context_, static_cast<std::uint64_t>(f));
  }

  /// A reference kernel that threw has set num_steps to 0: no later group may work on what it did not make.
  void leave_if_failed(llvm::BasicBlock* done) {
    llvm::Value* num_steps = builder_.CreateLoad(builder_.getInt64Ty(), field(ContextField::kNumSteps), /*isVolatile=*/true);
    auto* next = llvm::BasicBlock::Create(module_.getContext(), "next", done->getParent(), done);
    builder_.CreateCondBr(builder_.CreateICmpEQ(num_steps, builder_.getInt64(0)), done, next);
    builder_.SetInsertPoint(next);
  }

  llvm::Value* read_ticks() { return builder_.CreateIntrinsic(builder_.getInt64Ty(), llvm::Intrinsic::readcyclecounter, {}); }

  void add_ticks(std::size_t group, llvm::Value* before) {
    llvm::Value* ticks = builder_.CreateLoad(builder_.getPtrTy(), field(ContextField::kTicks));
    llvm::Value* slot = builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), ticks, group);
    llvm::Value* sum = builder_.CreateAdd(builder_.CreateLoad(builder_.getInt64Ty(), slot), builder_.CreateSub(read_ticks(), before));
    builder_.CreateStore(sum, slot);
  }

  void call_back(ContextField which, llvm::ArrayRef<llvm::Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (llvm::Value* a : arguments) types.push_back(a->getType());
    llvm::Value* callee = builder_.CreateLoad(builder_.getPtrTy(), field(which));
    builder_.CreateCall(llvm::FunctionType::get(builder_.getVoidTy(), types, false), callee, arguments);
  }

  /// min(batch, max(0, num_rows - step * batch)) as i32.
  void write_valid_rows(llvm::Value* step) {
    if (plan_.valid_rows_buffer < 0) return;
    llvm::Value* rows = builder_.CreateLoad(builder_.getInt64Ty(), field(ContextField::kNumRows));
    llvm::Value* batch = builder_.getInt64(static_cast<std::uint64_t>(plan_.batch));
    llvm::Value* left = builder_.CreateSub(rows, builder_.CreateMul(step, batch));
    left = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, left, builder_.getInt64(0));
    llvm::Value* valid = builder_.CreateTrunc(builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, left, batch), builder_.getInt32Ty());
    llvm::Value* arena = builder_.CreateLoad(builder_.getPtrTy(), field(ContextField::kArena));
    const std::size_t offset = plan_.buffers[static_cast<std::size_t>(plan_.valid_rows_buffer)].offset;
    builder_.CreateStore(valid, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), arena, offset));
  }

  llvm::Module& module_;
  const Plan& plan_;
  const Target& target_;
  llvm::IRBuilder<> builder_;
  llvm::Value* context_ = nullptr;
};

}  // namespace

std::unique_ptr<llvm::Module> emit_module(llvm::LLVMContext& context, const Plan& plan, const Target& target) {
  auto module = std::make_unique<llvm::Module>(plan.name, context);
  StepEmitter(*module, plan, target).emit();
  for (llvm::Function& function : *module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr(llvm::Attribute::NoUnwind);
    if (target.isa == IsaLevel::kAvx512) {
      function.addFnAttr("prefer-vector-width", "512");
      function.addFnAttr("min-legal-vector-width", "512");
    }
  }
#ifndef NDEBUG
  std::string message;
  llvm::raw_string_ostream stream(message);
  CORNU_CHECK(!llvm::verifyModule(*module, &stream), "{}", message);
#endif
  return module;
}

}  // namespace cornu::backends::cpu
