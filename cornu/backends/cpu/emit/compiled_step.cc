#include "cornu/backends/cpu/emit/compiled_step.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SHA256.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <exception>
#include <optional>
#include <system_error>

#include "cornu/backends/cpu/emit/machine.h"
#include "cornu/backends/cpu/emit/step.h"
#include "cornu/backends/cpu/memory/memory_reserve.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {
namespace {

[[noreturn]] void llvm_failed(const char* what, llvm::Error error) {
  const std::string message = llvm::toString(std::move(error));
  const bool has_no_memory = message.find(std::generic_category().message(ENOMEM)) != std::string::npos;
  fail(has_no_memory ? ErrorCode::kResourceExhausted : ErrorCode::kInternal, "[cpu] {} failed: {}", what,
       message);
}

template <typename T>
T value_or_fail(const char* what, llvm::Expected<T> expected) {
  if (!expected) llvm_failed(what, expected.takeError());
  return std::move(*expected);
}

/// Memory that LLVM takes between two checks of the memory that is left: 8 MiB a thread were measured for the
/// largest groups.
constexpr std::size_t kReserve = std::size_t{32} << 20, kReservePerJob = std::size_t{8} << 20;

/// One compilation. LLVM can be left only between two of its jobs: there memory and wishes to stop are looked
/// at.
class Compilation {
 public:
  Compilation(int num_jobs_at_once, const std::atomic<bool>* stop)
      : reserve_("compiling a step", kReserve + kReservePerJob * static_cast<std::size_t>(num_jobs_at_once)),
        stop_(stop) {}

  /// f() as one such job. Threads: several at once.
  template <typename F>
  void run(const F& f) {
    check();
    {
      const MemoryReserve::Scope scope(reserve_);
      f();
    }
    check();
  }
  /// The last job: what it asks the system for by itself fails properly, the rest finds the reserve free.
  template <typename F>
  void run_last(const F& f) {
    check();
    reserve_.release_all();
    f();
  }

 private:
  void check() const {
    reserve_.check();
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed))
      fail(ErrorCode::kCancelled, "[cpu] compiling was interrupted");
  }

  MemoryReserve reserve_;
  const std::atomic<bool>* stop_;
};

/// A module on its way to machine code.
struct Part {
  std::shared_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  llvm::SmallVector<char, 0> bitcode;
  std::exception_ptr error;
};

/// The code of several modules as one run of bytes: how many, and each with its length before it.
class ObjectFiles {
 public:
  void add(llvm::StringRef object) {
    append(object.size());
    bytes_.append(object.data(), object.size());
  }
  /// False when that is not what `bytes` hold.
  static bool split(std::string_view bytes, std::size_t count, std::vector<llvm::StringRef>& objects) {
    while (bytes.size() >= sizeof(std::uint64_t)) {
      std::uint64_t size = 0;
      std::memcpy(&size, bytes.data(), sizeof size);
      bytes.remove_prefix(sizeof size);
      if (size > bytes.size()) return false;
      objects.emplace_back(bytes.data(), size);
      bytes.remove_prefix(size);
    }
    return bytes.empty() && objects.size() == count;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void append(std::uint64_t size) { bytes_.append(reinterpret_cast<const char*>(&size), sizeof size); }
  std::string bytes_;
};

class OrcStep final : public CompiledStep {
 public:
  OrcStep(const Plan& plan, const Target& target, const CompileStepOptions& options)
      : plan_(plan), target_(target) {
    const DiskCache* const cache = options.cache;
    const bool use_cache = cache != nullptr && !cache->folder().empty();
    const int num_threads = options.pool == nullptr ? 1 : options.pool->num_threads();
    Compilation compilation(std::min(num_threads, plan.num_groups / kGroupsPerPart + 1), options.stop);
    std::vector<Part> parts = emit(compilation, options, use_cache);
    if (use_cache) cache_key_ = key_of(parts);
    std::optional<std::string> kept = use_cache ? cache->get(cache_key_) : std::nullopt;
    std::vector<llvm::StringRef> objects;
    from_cache_ = kept && ObjectFiles::split(*kept, parts.size(), objects);
    if (!from_cache_) {
      kept = make_objects(compilation, parts, options.pool);
      if (use_cache) cache->put(cache_key_, *kept);
      objects.clear();
      CORNU_CHECK(ObjectFiles::split(*kept, parts.size(), objects), "objects are lost");
    }
    compilation.run_last([&] { link(objects, parts.back().machine->createDataLayout()); });
  }

  std::string text(const std::string& stage) const override {
    std::vector<GroupCode> code(static_cast<std::size_t>(plan_.num_groups));
    std::vector<std::uint32_t> numbers;
    std::string out;
    llvm::raw_string_ostream stream(out);
    const auto print_part = [&](bool is_loop) {
      const auto machine = lease_machine(target_);
      llvm::LLVMContext context;
      const auto module = is_loop ? std::make_unique<llvm::Module>(plan_.name, context)
                                  : emit_part(context, plan_, target_, make_parts(plan_), 0, code, numbers);
      if (is_loop) {
        join_tables(code);
        add_step_loop(*module, plan_, target_, code);
      }
      if (stage != "llvm") optimize(*module, *machine);
      if (stage != "assembly")
        module->print(stream, nullptr);
      else
        stream << print_module(*module, *machine, llvm::CodeGenFileType::AssemblyFile);
    };
    Compilation compilation(1, nullptr);
    for (const bool is_loop : {false, true}) compilation.run([&] { print_part(is_loop); });
    return out;
  }

 private:
  /// Groups that one module takes: fewer leave more to modules that are compiled at the same time, and cost
  /// about a millisecond a module.
  static constexpr int kGroupsPerPart = 8;

  /// f(part) for all of them on the threads there are; throws what the first of them threw.
  template <typename F>
  static void for_each_part(Compilation& compilation, std::vector<Part>& parts, std::size_t count,
                            ThreadPool* pool, const F& f) {
    struct Work {
      Compilation* compilation;
      std::vector<Part>* parts;
      const F* f;
    } work{&compilation, &parts, &f};
    const auto body = [](void* context, std::int64_t i) {
      const Work& w = *static_cast<const Work*>(context);
      Part& part = (*w.parts)[static_cast<std::size_t>(i)];
      try {
        w.compilation->run([&] { (*w.f)(part, static_cast<int>(i)); });
      } catch (...) {
        part.error = std::current_exception();
      }
    };
    if (pool != nullptr)
      pool->parallel_for(static_cast<std::int64_t>(count), body, &work);
    else
      for (std::size_t i = 0; i < count; ++i) body(&work, static_cast<std::int64_t>(i));
    for (const Part& part : parts)
      if (part.error) std::rethrow_exception(part.error);
  }

  /// The last part has the loop over steps, which depends on the other parts; of a few groups it has them all.
  std::vector<Part> emit(Compilation& compilation, const CompileStepOptions& options, bool with_bitcode) {
    std::vector<GroupCode> code(static_cast<std::size_t>(plan_.num_groups));
    Parts assigned = make_parts(plan_);
    const int num_others =
        assigned.num_units <= kGroupsPerPart ? 0 : (assigned.num_units + kGroupsPerPart - 1) / kGroupsPerPart;
    assigned.num_parts = std::max(num_others, 1);
    std::vector<Part> parts(static_cast<std::size_t>(num_others) + 1);
    numbers_.resize(static_cast<std::size_t>(assigned.num_parts));
    const auto prepare = [&](Part& part, int i) {
      const bool is_last = i == num_others;
      part.machine = lease_machine(target_);
      part.context = std::make_unique<llvm::LLVMContext>();
      part.module = is_last && num_others > 0 ? std::make_unique<llvm::Module>(plan_.name, *part.context)
                                              : emit_part(*part.context, plan_, target_, assigned, i, code,
                                                          numbers_[static_cast<std::size_t>(i)]);
      if (is_last) {
        tables_ = join_tables(code);
        add_step_loop(*part.module, plan_, target_, code, options.measure);
      }
      optimize(*part.module, *part.machine);
      llvm::raw_svector_ostream stream(part.bitcode);
      if (with_bitcode) llvm::WriteBitcodeToFile(*part.module, stream);
    };
    for_each_part(compilation, parts, static_cast<std::size_t>(num_others), options.pool, prepare);
    compilation.run([&] { prepare(parts.back(), num_others); });
    for (std::size_t i = 0; i < code.size(); ++i) {
      num_slices_.push_back(code[i].num_slices);
      num_functions_ += code[i].is_emitted && code[i].function == static_cast<int>(i);
    }
    return parts;
  }

  std::string key_of(const std::vector<Part>& parts) const {
    llvm::SHA256 hash;
    const auto update = [&](llvm::StringRef bytes) {
      const std::uint64_t size = bytes.size();
      hash.update(llvm::StringRef(reinterpret_cast<const char*>(&size), sizeof size));
      hash.update(bytes);
    };
    update(machine_name(target_));
    for (const Part& part : parts) update(llvm::StringRef(part.bitcode.data(), part.bitcode.size()));
    return llvm::toHex(hash.final(), /*LowerCase=*/true);
  }

  static std::string make_objects(Compilation& compilation, std::vector<Part>& parts, ThreadPool* pool) {
    std::vector<llvm::SmallVector<char, 0>> objects(parts.size());
    for_each_part(compilation, parts, parts.size(), pool, [&](Part& part, int i) {
      objects[static_cast<std::size_t>(i)] =
          print_module(*part.module, *part.machine, llvm::CodeGenFileType::ObjectFile);
    });
    ObjectFiles files;
    for (const auto& object : objects) files.add(llvm::StringRef(object.data(), object.size()));
    return files.bytes();
  }

  void link(const std::vector<llvm::StringRef>& objects, const llvm::DataLayout& layout) {
    llvm::orc::LLJITBuilder builder;
    builder.setLinkProcessSymbolsByDefault(false);  // compiled code calls nothing but what add_symbols names
    builder.setPlatformSetUp(llvm::orc::setUpInactivePlatform);
    llvm::orc::JITTargetMachineBuilder machine{llvm::Triple(kTriple)};
    machine.setRelocationModel(llvm::Reloc::PIC_);
    machine.setCodeModel(llvm::CodeModel::Small);
    builder.setJITTargetMachineBuilder(std::move(machine));
    builder.setDataLayout(layout);
    jit_ = value_or_fail("creating the just-in-time compiler", builder.create());
    // What goes wrong inside is told to the session; the lookup only knows that something did.
    llvm::Error inside = llvm::Error::success();
    jit_->getExecutionSession().setErrorReporter(
        [&](llvm::Error error) { inside = llvm::joinErrors(std::move(inside), std::move(error)); });
    add_symbols();
    for (const llvm::StringRef object : objects)
      if (llvm::Error error = jit_->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object, "step")))
        llvm_failed("adding code", std::move(error));
    llvm::Expected<llvm::orc::ExecutorAddr> function = jit_->lookup(kStepFunctionName);
    jit_->getExecutionSession().setErrorReporter(
        [](llvm::Error error) { llvm::consumeError(std::move(error)); });
    if (!function || inside)
      llvm_failed("compiling", llvm::joinErrors(function.takeError(), std::move(inside)));
    function_ = function->toPtr<std::int64_t(StepContext*)>();
  }

  /// Adds the functions that generated code may call: block moves and the remainder of floats (exact, so it
  /// needs a loop); and data.
  void add_symbols() {
    llvm::orc::SymbolMap symbols;
    auto add = [&](const char* name, auto* function) {
      symbols[jit_->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                              llvm::JITSymbolFlags::Exported};
    };
    add("memcpy", &std::memcpy);
    add("memmove", &std::memmove);
    add("memset", &std::memset);
    add("fmod", static_cast<double (*)(double, double)>(&std::fmod));
    add("fmodf", static_cast<float (*)(float, float)>(&std::fmod));
    const auto add_data = [&](const std::string& name, const void* data) {
      symbols[jit_->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(data),
                                              llvm::JITSymbolFlags::Exported};
    };
    for (std::size_t i = 0; i < plan_.constants.size(); ++i)
      add_data(constant_name(i), plan_.constants[i].bytes().data());
    if (!tables_.empty()) add_data(kTablesName, tables_.data());
    for (std::size_t part = 0; part < numbers_.size(); ++part)
      add_data(number_table_name(static_cast<int>(part)), numbers_[part].data());
    if (llvm::Error error = jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))))
      llvm_failed("defining symbols", std::move(error));
  }

  const Plan& plan_;
  Target target_;
  std::vector<std::vector<std::uint32_t>> numbers_;  // tables of the parts
  std::vector<std::int64_t> tables_;                 // of the groups that share code
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

}  // namespace

std::unique_ptr<CompiledStep> compile_step(const Plan& plan, const Target& target,
                                           const CompileStepOptions& options) {
  return std::make_unique<OrcStep>(plan, target, options);
}

}  // namespace cornu::inline v0::backends::cpu
