#include "cornu/backends/cpu/emit/step.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <span>
#include <unordered_map>

#include "cornu/backends/cpu/emit/group_emitter.h"
#include "cornu/base/check.h"
#include "cornu/ops/custom_call/host_call.h"
#include "cornu/runtime/profiler.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// Data are declared only: where they are is known when the code is linked, and what they are is no part of
/// it.
ModuleData declare_data(llvm::Module& module, const Plan& plan, int part) {
  ModuleData data;
  const auto declare = [&](llvm::Type* type, const std::string& name, std::size_t alignment) {
    auto* variable =
        new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::ExternalLinkage, nullptr, name);
    variable->setAlignment(llvm::Align(alignment));
    return variable;
  };
  for (std::size_t i = 0; i < plan.constants.size(); ++i) {
    llvm::Type* bytes =
        llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), plan.constants[i].bytes().size());
    data.constants.push_back(
        declare(bytes, constant_name(i), ir::size_bytes(plan.constants[i].type().dtype)));
  }
  llvm::Type* table =
      llvm::ArrayType::get(llvm::Type::getInt32Ty(module.getContext()), ModuleData::kMostNumbers);
  data.numbers = declare(table, number_table_name(part), sizeof(std::uint32_t));
  return data;
}

std::string function_name(int group) { return fmt::format("group_{}", group); }
std::string finish_name(int group) { return function_name(group) + "_finish"; }

void finish_module(llvm::Module& module, const Target& target) {
  for (llvm::Function& function : module) {
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
  CORNU_CHECK(!llvm::verifyModule(module, &stream), "{}", message);
#endif
}

/// Emits the loop over steps.
class StepEmitter {
 public:
  StepEmitter(llvm::Module& module, const Plan& plan, const std::vector<GroupCode>& code, bool measure)
      : module_(module), plan_(plan), code_(code), measure_(measure), builder_(module.getContext()) {}

  void emit() {
    auto* function =
        llvm::Function::Create(llvm::FunctionType::get(builder_.getInt64Ty(), {builder_.getPtrTy()}, false),
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
    llvm::Value* num_steps =
        builder_.CreateLoad(builder_.getInt64Ty(), field(ContextField::kNumSteps), /*isVolatile=*/true);
    llvm::Value* asked = builder_.CreateLoad(builder_.getInt8Ty(), stop, /*isVolatile=*/true);
    llvm::Value* go_on = builder_.CreateAnd(builder_.CreateICmpSLT(step, num_steps),
                                            builder_.CreateICmpEQ(asked, builder_.getInt8(0)));
    builder_.CreateCondBr(go_on, loop, done);
    builder_.SetInsertPoint(loop);
    builder_.CreateStore(step, field(ContextField::kStep));
    write_valid_rows(step);
    done_ = done;
    llvm::Value* const begin = measure_ ? ticks_ = read_ticks() : nullptr;
    run_groups(plan_.groups);
    if (measure_) add_event(runtime::kStepEvent, begin, ticks_ != nullptr ? ticks_ : read_ticks());
    llvm::Value* next = builder_.CreateNSWAdd(step, builder_.getInt64(1));
    auto* publish = builder_.CreateAlignedStore(next, steps_done, llvm::Align(8));
    publish->setAtomic(llvm::AtomicOrdering::Monotonic);
    step->addIncoming(next, builder_.GetInsertBlock());
    builder_.CreateBr(test);
    builder_.SetInsertPoint(done);
    builder_.CreateRet(step);
  }

 private:
  void run_groups(const std::vector<Group>& groups) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const Group& group = groups[i];
      // A profile has the time of each group: measuring code runs them one after the other, in the same
      // slices.
      if (group.chain && !measure_) {
        const auto length = static_cast<std::size_t>(group.chain->last - group.chain->first) + 1;
        run_chain({&group, length});
        i += length - 1;
        continue;
      }
      std::visit(Overloaded{[&](const WhileGroup& loop) { run_loop(group, loop); },
                            [&](const BranchGroup& branch) { run_branch(group, branch); },
                            [&](const UpdateGroup&) { run_groups(group.regions[0]); },
                            [&]<typename Kind>(const Kind&)
                              requires(!Kind::kIsControl)
                            { run_group(group); }},
                            group.kind);
    }
  }

  /// All groups of a slice one after the other; then what they do at their ends.
  void run_chain(std::span<const Group> groups) {
    const auto id = static_cast<std::size_t>(groups.front().id);
    call_back(ContextField::kParallelFor,
              {context_, builder_.getInt64(static_cast<std::uint64_t>(code_[id].num_slices)),
               chain_function(groups)});
    for (const Group& group : groups) {
      const GroupCode& code = code_[static_cast<std::size_t>(group.id)];
      if (!code.has_finish) continue;
      if (!code.table.empty()) builder_.CreateStore(table_of(code), field(ContextField::kTable));
      builder_.CreateCall(group_function(finish_name(code.function)), {context_, builder_.getInt64(0)});
    }
  }

  /// Runs one slice of each group. Slices run at the same time and have tables of their own, so the context is
  /// copied.
  llvm::Function* chain_function(std::span<const Group> groups) {
    llvm::Function* const function = group_function(fmt::format("chain_{}", groups.front().id));
    const llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    llvm::Value* const outer = context_;
    builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", function));
    llvm::Type* const type = llvm::ArrayType::get(builder_.getInt64Ty(), sizeof(StepContext) / 8);
    context_ = builder_.CreateAlloca(type);
    builder_.CreateMemCpy(context_, llvm::Align(8), function->getArg(0), llvm::Align(8), sizeof(StepContext));
    for (const Group& group : groups) {
      const GroupCode& code = code_[static_cast<std::size_t>(group.id)];
      CORNU_CHECK(code.num_slices == group.num_slices, "{} slices, not {}", code.num_slices,
                  group.num_slices);
      if (!code.table.empty()) builder_.CreateStore(table_of(code), field(ContextField::kTable));
      builder_.CreateCall(group_function(function_name(code.function)), {context_, function->getArg(1)});
    }
    builder_.CreateRetVoid();
    context_ = outer;
    return function;
  }

  void run_group(const Group& group) {
    const auto id = static_cast<std::size_t>(group.id);
    const GroupCode& code = code_[id];
    llvm::Value* const before = measure_ && ticks_ == nullptr ? read_ticks() : ticks_;
    if (!code.table.empty()) builder_.CreateStore(table_of(code), field(ContextField::kTable));
    if (!code.is_emitted)
      call_back(group.is<ReferenceGroup>() ? ContextField::kReference : ContextField::kKernel,
                {context_, builder_.getInt64(id)});
    else if (code.num_slices > 1)
      call_back(ContextField::kParallelFor,
                {context_, builder_.getInt64(static_cast<std::uint64_t>(code.num_slices)),
                 group_function(function_name(code.function))});
    else
      builder_.CreateCall(group_function(function_name(code.function)), {context_, builder_.getInt64(0)});
    if (code.has_finish)
      builder_.CreateCall(group_function(finish_name(code.function)), {context_, builder_.getInt64(0)});
    if (measure_) add_times(id, before);
    const bool is_host_call = group.op != nullptr && ops::is_host_call(*group.op);
    if (group.is<ReferenceGroup>() || is_host_call) exit_if_failed(done_);
  }

  llvm::Value* table_of(const GroupCode& code) {
    llvm::Constant* const tables =
        module_.getOrInsertGlobal(kTablesName, llvm::ArrayType::get(builder_.getInt64Ty(), 0));
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), tables, code.table_begin);
  }

  llvm::Function* group_function(const std::string& name) {
    auto* type =
        llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy(), builder_.getInt64Ty()}, false);
    return llvm::cast<llvm::Function>(module_.getOrInsertFunction(name, type).getCallee());
  }

  llvm::BasicBlock* new_block(const char* name) {
    return llvm::BasicBlock::Create(module_.getContext(), name, builder_.GetInsertBlock()->getParent(),
                                    done_);
  }

  void enter(llvm::BasicBlock* block) {
    builder_.SetInsertPoint(block);
    ticks_ = nullptr;
  }

  /// Copies of the initial values; then condition and body in turn.
  void run_loop(const Group& group, const WhileGroup& loop) {
    run_groups(group.regions[0]);
    auto* condition = new_block("while");
    auto* body = new_block("do");
    auto* after = new_block("after");
    builder_.CreateBr(condition);
    enter(condition);
    run_groups(group.regions[1]);
    llvm::Value* holds = load_choice(loop.condition_buffer, builder_.getInt8Ty());
    builder_.CreateCondBr(builder_.CreateICmpNE(holds, builder_.getInt8(0)), body, after);
    enter(body);
    run_groups(group.regions[2]);
    builder_.CreateBr(condition);
    enter(after);
  }

  /// One region by a predicate (the first when it holds) or an index (the last when there is none of that
  /// number).
  void run_branch(const Group& group, const BranchGroup& branch) {
    const bool is_index = group.op->operand(0).dtype() != ir::DType::kI1;
    llvm::Value* choice =
        load_choice(branch.choice_buffer, is_index ? builder_.getInt32Ty() : builder_.getInt8Ty());
    if (!is_index)
      choice = builder_.CreateZExt(builder_.CreateICmpEQ(choice, builder_.getInt8(0)), builder_.getInt32Ty());
    auto* after = new_block("after");
    const std::size_t last = group.regions.size() - 1;
    auto* otherwise = new_block("branch");
    auto* choose = builder_.CreateSwitch(choice, otherwise, static_cast<unsigned>(last));
    for (std::size_t r = 0; r <= last; ++r) {
      auto* block = r == last ? otherwise : new_block("branch");
      if (r != last) choose->addCase(builder_.getInt32(static_cast<std::uint32_t>(r)), block);
      enter(block);
      run_groups(group.regions[r]);
      builder_.CreateBr(after);
    }
    enter(after);
  }

  llvm::Value* load_choice(int id, llvm::Type* type) {
    const PlanBuffer& buffer = plan_.buffers[static_cast<std::size_t>(id)];
    const auto load = [&](ContextField f) {
      return builder_.CreateLoad(
          f == ContextField::kStep ? static_cast<llvm::Type*>(builder_.getInt64Ty()) : builder_.getPtrTy(),
          field(f));
    };
    return builder_.CreateLoad(type, buffer_address(builder_, buffer, load));
  }

  llvm::Value* field(ContextField f) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), context_,
                                               static_cast<std::uint64_t>(f));
  }

  /// A reference kernel or a host call that threw has set num_steps to 0: no later group may work on what it did not make.
  void exit_if_failed(llvm::BasicBlock* done) {
    llvm::Value* num_steps =
        builder_.CreateLoad(builder_.getInt64Ty(), field(ContextField::kNumSteps), /*isVolatile=*/true);
    auto* next = llvm::BasicBlock::Create(module_.getContext(), "next", done->getParent(), done);
    builder_.CreateCondBr(builder_.CreateICmpEQ(num_steps, builder_.getInt64(0)), done, next);
    builder_.SetInsertPoint(next);
  }

  llvm::Value* read_ticks() {
    return builder_.CreateIntrinsic(builder_.getInt64Ty(), llvm::Intrinsic::readcyclecounter, {});
  }

  /// An element of an array of 64-bit integers that the context points to.
  llvm::Value* element(ContextField array, llvm::Value* index) {
    return builder_.CreateInBoundsGEP(builder_.getInt64Ty(),
                                      builder_.CreateLoad(builder_.getPtrTy(), field(array)), index);
  }

  void add_to(llvm::Value* slot, llvm::Value* value) {
    builder_.CreateStore(builder_.CreateAdd(builder_.CreateLoad(builder_.getInt64Ty(), slot), value), slot);
  }

  /// One reading of the counter ends a group and begins the next.
  void add_times(std::size_t group, llvm::Value* before) {
    ticks_ = read_ticks();
    add_to(element(ContextField::kTicks, builder_.getInt64(group)), builder_.CreateSub(ticks_, before));
    add_to(element(ContextField::kCalls, builder_.getInt64(group)), builder_.getInt64(1));
    add_event(static_cast<std::int64_t>(group), before, ticks_);
  }

  /// Events beyond the capacity are written to the position after the last.
  void add_event(std::int64_t group, llvm::Value* begin, llvm::Value* end) {
    static_assert(sizeof(runtime::ProfileEvent) == 3 * 8);
    llvm::Value* number = builder_.CreateLoad(builder_.getInt64Ty(), field(ContextField::kNumEvents));
    llvm::Value* max = builder_.CreateLoad(builder_.getInt64Ty(), field(ContextField::kMaxEvents));
    llvm::Value* place = builder_.CreateMul(
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, number, max), builder_.getInt64(3));
    llvm::Value* const values[] = {builder_.getInt64(static_cast<std::uint64_t>(group)), begin, end};
    for (std::uint64_t i = 0; i < 3; ++i)
      builder_.CreateStore(values[i],
                           element(ContextField::kEvents, builder_.CreateAdd(place, builder_.getInt64(i))));
    builder_.CreateStore(builder_.CreateAdd(number, builder_.getInt64(1)), field(ContextField::kNumEvents));
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
    llvm::Value* valid = builder_.CreateTrunc(
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, left, batch), builder_.getInt32Ty());
    llvm::Value* arena = builder_.CreateLoad(builder_.getPtrTy(), field(ContextField::kArena));
    const std::size_t offset = plan_.buffers[static_cast<std::size_t>(plan_.valid_rows_buffer)].offset;
    builder_.CreateStore(valid, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), arena, offset));
  }

  llvm::Module& module_;
  const Plan& plan_;
  const std::vector<GroupCode>& code_;
  bool measure_;
  llvm::IRBuilder<> builder_;
  llvm::Value* context_ = nullptr;
  /// The counter where the last group of this block ended; null where this block has not read it.
  llvm::Value* ticks_ = nullptr;
  llvm::BasicBlock* done_ = nullptr;  // where a failed step leaves to
};

}  // namespace

std::string constant_name(std::size_t number) { return fmt::format("constant_{}", number); }
std::string number_table_name(int part) { return fmt::format("numbers_{}", part); }

namespace {

/// Equal for groups whose code may be equal; cheap to make.
std::string looks_of(const Group& group) {
  std::string looks =
      fmt::format("{} {} {}", group.kind.index(), fmt::join(group.extents, "x"), group.num_slices);
  for (const Store& store : group.stores) looks += fmt::format(" {}", store.value.type().str());
  for (const ir::Op* member : group.members) looks += fmt::format(" {}", member->name());
  return looks;
}

/// Sharing costs about a nanosecond a call, for a store and a load of each buffer. It pays where that is
/// little of the group's time, or where many groups would be compiled.
bool pays_to_share(const Group& group, std::size_t num_alike) {
  constexpr std::size_t kFewestAlike = 4, kManyAlike = 32;
  constexpr double kLongUs = 0.3;
  return num_alike >= (group.predicted_us >= kLongUs ? kFewestAlike : kManyAlike);
}

/// The text of a group's functions without their names.
std::string text_of(const llvm::Function& function, const llvm::Function* finish) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const llvm::Function* each : {&function, finish}) {
    if (each == nullptr) continue;
    std::string own;
    llvm::raw_string_ostream own_stream(own);
    each->print(own_stream);
    stream << llvm::StringRef(own).split('{').second;
  }
  return text;
}

/// Emits the groups of one module.
class PartEmitter {
 public:
  PartEmitter(llvm::Module& module, const Plan& plan, const Target& target, ModuleData& data)
      : module_(module), plan_(plan), target_(target), data_(data) {}

  GroupCode emit(const Group& group, bool may_share) {
    GroupCode code;
    GroupTable* const table = may_share ? &code.table : nullptr;
    GroupEmitter emitter(plan_, group, target_, module_, data_, table);
    llvm::Function* const function = emitter.emit(function_name(group.id));
    llvm::Function* finish = nullptr;
    if (emitter.leaves_partials())
      finish = GroupEmitter(plan_, group, target_, module_, data_, table)
                   .emit_finish(finish_name(group.id), emitter.num_slices());
    code.num_slices = emitter.num_slices();
    code.is_emitted = true;
    code.has_finish = finish != nullptr;
    code.function = group.id;
    if (!may_share) return code;
    const auto [known, is_new] = functions_.emplace(text_of(*function, finish), group.id);
    if (is_new) return code;
    code.function = known->second;
    function->eraseFromParent();
    if (finish != nullptr) finish->eraseFromParent();
    return code;
  }

 private:
  llvm::Module& module_;
  const Plan& plan_;
  const Target& target_;
  ModuleData& data_;
  std::unordered_map<std::string, int> functions_;  // by text: the group that has it
};

}  // namespace

Parts make_parts(const Plan& plan) {
  std::unordered_map<std::string, std::vector<int>> alike;
  Parts parts;
  for_each_group(plan, [&](const Group& group, int) {
    parts.units.push_back(is_emitted(group) ? 0 : -1);
    if (is_emitted(group)) alike[looks_of(group)].push_back(group.id);
  });
  parts.may_share.assign(parts.units.size(), false);
  std::vector<bool> has_unit(parts.units.size(), false);
  // In turn: neighbours, as the updates of all weights, are alike, and so are parts.
  for_each_group(plan, [&](const Group& group, int) {
    const auto id = static_cast<std::size_t>(group.id);
    if (parts.units[id] < 0 || has_unit[id]) return;
    const std::vector<int>& all = alike.at(looks_of(group));
    const bool may_share = pays_to_share(group, all.size());
    for (const int other : may_share ? all : std::vector<int>{group.id}) {
      parts.units[static_cast<std::size_t>(other)] = parts.num_units;
      parts.may_share[static_cast<std::size_t>(other)] = may_share;
      has_unit[static_cast<std::size_t>(other)] = true;
    }
    ++parts.num_units;
  });
  return parts;
}

std::unique_ptr<llvm::Module> emit_part(llvm::LLVMContext& context, const Plan& plan, const Target& target,
                                        const Parts& parts, int part, std::vector<GroupCode>& code,
                                        std::vector<std::uint32_t>& numbers) {
  auto module = std::make_unique<llvm::Module>(plan.name, context);
  ModuleData data = declare_data(*module, plan, part);
  PartEmitter emitter(*module, plan, target, data);
  for_each_group(plan, [&](const Group& group, int) {
    const auto id = static_cast<std::size_t>(group.id);
    if (parts.of(group.id) == part) code[id] = emitter.emit(group, parts.may_share[id]);
  });
  numbers = std::move(data.number_values);
  finish_module(*module, target);
  return module;
}

std::vector<std::int64_t> join_tables(std::vector<GroupCode>& code) {
  std::vector<std::int64_t> tables;
  for (GroupCode& group : code) {
    group.table_begin = tables.size();
    tables.insert(tables.end(), group.table.begin(), group.table.end());
  }
  return tables;
}

void add_step_loop(llvm::Module& module, const Plan& plan, const Target& target,
                   const std::vector<GroupCode>& code, bool measure) {
  StepEmitter(module, plan, code, measure).emit();
  finish_module(module, target);
}

}  // namespace cornu::inline v0::backends::cpu
