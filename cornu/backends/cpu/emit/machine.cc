#include "cornu/backends/cpu/emit/machine.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

#include <map>
#include <mutex>

#include "cornu/base/check.h"
#include "cornu/version.h"

namespace cornu::inline v0::backends::cpu {
namespace {

constexpr llvm::CodeGenOptLevel kLevel = llvm::CodeGenOptLevel::Default;

const char* processor(const Target& target) {
  return target.isa == IsaLevel::kAvx512 ? "x86-64-v4"
         : target.isa == IsaLevel::kAvx2 ? "x86-64-v3"
                                         : "x86-64";
}

/// Features beyond those of the processor. Processors with AVX2 that have no prefetch for writing ignore it.
const char* features(const Target& target) {
  if (target.has_bf16_products()) return "+prfchw,+avx512bf16";
  return target.isa == IsaLevel::kSse2 ? "" : "+prfchw";
}

}  // namespace

std::unique_ptr<llvm::TargetMachine> make_machine(const Target& target) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  std::string error;
  const llvm::Target* registered = llvm::TargetRegistry::lookupTarget(kTriple, error);
  CORNU_CHECK(registered != nullptr, "{}", error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // only what is written as a fused operation
  return std::unique_ptr<llvm::TargetMachine>(
      registered->createTargetMachine(kTriple, processor(target), features(target), options,
                                      llvm::Reloc::PIC_, llvm::CodeModel::Small, kLevel, true));
}

std::shared_ptr<llvm::TargetMachine> lease_machine(const Target& target) {
  struct Kept {
    std::mutex mutex;
    std::multimap<std::string, std::unique_ptr<llvm::TargetMachine>> machines;  // by machine_name
  };
  static Kept& kept = *new Kept;
  constexpr std::size_t kMostKept = 8;
  const std::string name = machine_name(target);
  std::unique_ptr<llvm::TargetMachine> machine;
  {
    const std::lock_guard<std::mutex> lock(kept.mutex);
    if (const auto found = kept.machines.find(name); found != kept.machines.end()) {
      machine = std::move(found->second);
      kept.machines.erase(found);
    }
  }
  if (machine == nullptr) machine = make_machine(target);
  return {machine.release(), [name](llvm::TargetMachine* returned) {
            std::unique_ptr<llvm::TargetMachine> owned(returned);
            const std::lock_guard<std::mutex> lock(kept.mutex);
            if (kept.machines.size() < kMostKept) kept.machines.emplace(name, std::move(owned));
          }};
}

// Change the number with any other setting of make_machine.
std::string machine_name(const Target& target) {
  return fmt::format("cornu " CORNU_VERSION_STRING " code 1 llvm " LLVM_VERSION_STRING " {} {}{} {}", kTriple,
                     processor(target), features(target), static_cast<int>(kLevel));
}

void optimize(llvm::Module& module, llvm::TargetMachine& machine, bool hoists) {
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
  if (hoists)
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, functions);
}

llvm::SmallVector<char, 0> print_module(llvm::Module& module, llvm::TargetMachine& machine,
                                        llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  CORNU_CHECK(!machine.addPassesToEmitFile(passes, stream, nullptr, type),
              "this kind of file cannot be made");
  passes.run(module);
  return bytes;
}

}  // namespace cornu::inline v0::backends::cpu
