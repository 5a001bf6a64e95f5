#include "cornu/backends/cpu/emit/compiled_step.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include <cmath>
#include <cstring>
#include <mutex>

#include "cornu/backends/cpu/emit/step.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {
namespace {

[[noreturn]] void llvm_failed(const char* what, llvm::Error error) {
  fail(ErrorCode::kInternal, "[cpu] {} failed: {}", what, llvm::toString(std::move(error)));
}

template <typename T>
T value_or_fail(const char* what, llvm::Expected<T> expected) {
  if (!expected) llvm_failed(what, expected.takeError());
  return std::move(*expected);
}

std::unique_ptr<llvm::TargetMachine> make_machine(const Target& target) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  const std::string triple = "x86_64-unknown-linux-gnu";
  std::string error;
  const llvm::Target* registered = llvm::TargetRegistry::lookupTarget(triple, error);
  CORNU_CHECK(registered != nullptr, "{}", error);
  const char* cpu = target.isa == IsaLevel::kAvx512 ? "x86-64-v4" : target.isa == IsaLevel::kAvx2 ? "x86-64-v3" : "x86-64";
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // only what is written as a fused operation
  return std::unique_ptr<llvm::TargetMachine>(registered->createTargetMachine(
      triple, cpu, "", options, llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, true));
}

/// The emitter already makes vector code without redundancy but for addresses; few passes are worth their compile time.
void optimize(llvm::Module& module, llvm::TargetMachine& machine) {
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(machine.createDataLayout());
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::PromotePass());
  passes.addPass(llvm::EarlyCSEPass());
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, functions);
}

class OrcStep final : public CompiledStep {
 public:
  OrcStep(const Plan& plan, const Target& target, bool measure) : plan_(plan), target_(target) {
    auto machine = make_machine(target);
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = emit_module(*context, plan, target, {.measure = measure, .num_slices = &num_slices_});
    optimize(*module, *machine);
    llvm::orc::LLJITBuilder builder;
    builder.setLinkProcessSymbolsByDefault(false);  // compiled code calls nothing but what add_symbols names
    builder.setPlatformSetUp(llvm::orc::setUpInactivePlatform);
    builder.setJITTargetMachineBuilder(llvm::orc::JITTargetMachineBuilder(machine->getTargetTriple()));
    builder.setCompileFunctionCreator(
        [&](llvm::orc::JITTargetMachineBuilder) -> llvm::Expected<std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> {
          return std::make_unique<llvm::orc::TMOwningSimpleCompiler>(std::move(machine));
        });
    jit_ = value_or_fail("creating the just-in-time compiler", builder.create());
    add_symbols();
    if (llvm::Error error = jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))))
      llvm_failed("adding code", std::move(error));
    function_ = value_or_fail("compiling", jit_->lookup(kStepFunctionName)).toPtr<std::int64_t(StepContext*)>();
  }

  std::string text(const std::string& stage) const override {
    auto machine = make_machine(target_);
    llvm::LLVMContext context;
    auto module = emit_module(context, plan_, target_);
    std::string out;
    llvm::raw_string_ostream stream(out);
    if (stage == "llvm") {
      module->print(stream, nullptr);
      return out;
    }
    optimize(*module, *machine);
    if (stage == "optimized") {
      module->print(stream, nullptr);
      return out;
    }
    llvm::SmallVector<char, 0> buffer;
    llvm::raw_svector_ostream assembly(buffer);
    llvm::legacy::PassManager passes;
    CORNU_CHECK(!machine->addPassesToEmitFile(passes, assembly, nullptr, llvm::CodeGenFileType::AssemblyFile), "no assembly printer");
    passes.run(*module);
    return std::string(buffer.begin(), buffer.end());
  }

 private:
  /// What the code generator may call on its own: block moves, the remainder of floats (exact, so it takes a loop), and nothing else.
  void add_symbols() {
    llvm::orc::SymbolMap symbols;
    auto add = [&](const char* name, auto* function) {
      symbols[jit_->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function), llvm::JITSymbolFlags::Exported};
    };
    add("memcpy", &std::memcpy);
    add("memmove", &std::memmove);
    add("memset", &std::memset);
    add("fmod", static_cast<double (*)(double, double)>(&std::fmod));
    add("fmodf", static_cast<float (*)(float, float)>(&std::fmod));
    if (llvm::Error error = jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))))
      llvm_failed("defining symbols", std::move(error));
  }

  const Plan& plan_;
  Target target_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

}  // namespace

std::unique_ptr<CompiledStep> compile_step(const Plan& plan, const Target& target, bool measure) {
  return std::make_unique<OrcStep>(plan, target, measure);
}

}  // namespace cornu::inline v0::backends::cpu
