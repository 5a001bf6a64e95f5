#include "cornu/backends/pjrt/ahead.h"

#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "cornu/backends/pjrt/compile.h"
#include "cornu/backends/pjrt/compile_options.h"
#include "cornu/backends/pjrt/discovery.h"
#include "cornu/backends/pjrt/nvidia_libraries.h"
#include "cornu/backends/pjrt/prediction.h"
#include "cornu/backends/pjrt/program_text.h"
#include "cornu/backends/stacked/stacked_executable.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/steady_clock.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

using OwnedTopology =
    Owned<PJRT_TopologyDescription, PJRT_TopologyDescription_Destroy_Args,
          &PJRT_Api::PJRT_TopologyDescription_Destroy, &PJRT_TopologyDescription_Destroy_Args::topology>;

/// A plug-in and the target chips.
struct Compiler {
  Target target;
  std::shared_ptr<const Plugin> plugin;
  OwnedTopology topology;

  explicit Compiler(const Target& for_target) : target(for_target) {
    const PluginFile file = find_plugin(target.plugin);
    plugin = Plugin::load(file.name, file.path, Plugin::Use::kAhead);
    std::vector<PJRT_NamedValue> options;
    for (const auto& [name, value] : target.topology_options) {
      PJRT_NamedValue option{};
      option.struct_size = PJRT_NamedValue_STRUCT_SIZE;
      option.name = name.data();
      option.name_size = name.size();
      option.type = PJRT_NamedValue_kString;
      option.string_value = value.data();
      option.value_size = value.size();
      options.push_back(option);
    }
    CallArguments<PJRT_TopologyDescription_Create_Args> arguments;
    arguments->topology_name = target.topology_name.data();
    arguments->topology_name_size = target.topology_name.size();
    arguments->create_options = options.data();
    arguments->num_options = options.size();
    plugin->call(&PJRT_Api::PJRT_TopologyDescription_Create, arguments,
                 fmt::format("describe the target \"{}\"", target.name));
    topology = OwnedTopology(*plugin, arguments->topology);
  }

  OwnedProgram compile(const std::string& name, const std::string& text) const {
    CompileOptions options{.xla_options = parse_xla_flags(Plugin::xla_flags())};
    if (const std::string cuda = cuda_data_folder(plugin->path()); !cuda.empty())
      options.xla_options.emplace_back("xla_gpu_cuda_data_dir", cuda);
    const std::string encoded = encode_compile_options(options);
    CallArguments<PJRT_Program> program;
    describe_program(*program.get(), text);
    CallArguments<PJRT_Compile_Args> arguments;
    arguments->topology = topology.get();
    arguments->program = program.get();
    arguments->compile_options = encoded.data();
    arguments->compile_options_size = encoded.size();
    plugin->call(&PJRT_Api::PJRT_Compile, arguments, fmt::format("compile \"{}\" for {}", name, target.chip));
    return OwnedProgram(*plugin, arguments->executable);
  }
};

/// The program at a stage, for a program compiled from this text.
std::string stage_text(const std::string& stage, const std::string& text) {
  if (stage == "stablehlo") return text;
  invalid_argument("[pjrt] there is no stage \"{}\"; there are: loop, stablehlo", stage);
}

/// Host memory in place of a device's.
class AheadBuffer final : public runtime::Buffer {
 public:
  AheadBuffer(const ir::TensorType& type, runtime::Client* client, int device)
      : Buffer(type, client, device),
        bytes(host_vector<std::byte>(type.size_bytes(), [&] { return type.str(); })) {}
  std::vector<std::byte> bytes;
};

AheadBuffer& ahead_buffer(const runtime::Buffer& buffer) {
  return const_cast<AheadBuffer&>(static_cast<const AheadBuffer&>(buffer));
}

class AheadLoop final : public stacked::LoopProgram {
 public:
  AheadLoop(const transform::StepLoop& loop, const Compiler& compiler, runtime::Precision precision)
      : target_(compiler.target), precision_(precision), name_(loop.name) {
    ProgramText program = program_text(loop, precision, target_.device_type);
    text_ = std::move(program.text);
    state_bytes_ = program.state_bytes;
    const auto start = std::chrono::steady_clock::now();
    costs_ = costs_of(*compiler.plugin, compiler.compile(name_, text_).get());
    stats_.compile_seconds = stats_.code_seconds = seconds_since(start);
    if (costs_.flops <= 0 && costs_.bytes_accessed <= 0) {
      costs_.flops = program.step_flops;
      costs_.bytes_accessed = program.step_bytes;
      costs_source_ = "the plug-in counts no flops and bytes; those below are of the program's text\n";
    }
    stats_.flops = costs_.flops;
    stats_.arena_bytes = static_cast<std::size_t>(costs_.temporary_bytes);
    stats_.state_bytes = state_bytes_;
    title_ = fmt::format("compiled for {}, which is not here, by plug-in \"{}\" ({})", target_.chip,
                         compiler.plugin->name(), compiler.plugin->versions());
  }

  runtime::Event launch(const stacked::LoopLaunch&) override {
    fail(ErrorCode::kUnavailable, "[pjrt] \"{}\" was compiled for {}, which is not here: it cannot run",
         name_, target_.chip);
  }
  const runtime::CompileStats& stats() const override { return stats_; }
  std::string explain(const runtime::Profiler*) const override {
    return fmt::format("{} in {:.0f} ms\n{}{}donated: {}\n{}", title_, 1e3 * stats_.compile_seconds,
                       costs_source_, costs_text(costs_), donations_text(),
                       prediction_text(costs_, target_, precision_));
  }
  std::string dump(const std::string& stage) const override { return stage_text(stage, text_); }

 private:
  /// A chip may pad the state's memory, so the donated size must be at least that of the elements.
  std::string donations_text() const {
    if (state_bytes_ == 0) return "there is no state";
    const bool is_kept = std::cmp_greater_equal(costs_.donated_bytes, state_bytes_);
    return fmt::format("{} bytes of results in memory of {} bytes of state: {}", costs_.donated_bytes,
                       state_bytes_, is_kept ? "kept" : "not kept for all of it");
  }

  Target target_;
  runtime::Precision precision_;
  std::string name_, text_, title_, costs_source_;
  std::size_t state_bytes_ = 0;
  ProgramCosts costs_;
  runtime::CompileStats stats_;
};

class AheadExecutable final : public stacked::StackedExecutable {
 public:
  AheadExecutable(const runtime::StepProgram& program, const runtime::Client& client,
                  std::shared_ptr<const Compiler> compiler, std::int64_t num_steps,
                  runtime::Precision precision)
      : StackedExecutable(program, client, {}),
        compiler_(std::move(compiler)),
        num_steps_(num_steps),
        precision_(precision_of(program, precision)) {}

  std::string explain(const runtime::Profiler* measured) const override {
    std::string text = explain_for(1, measured);
    if (num_steps_ > 1) text += "\n" + explain_for(num_steps_, measured);
    return text;
  }
  /// The program for the most steps. Does not compile it, which may take minutes.
  std::string dump(const std::string& stage) const override {
    const transform::StepLoop loop = loop_for(num_steps_);
    if (stage == "loop") return stacked::loop_text(loop);
    return stage_text(stage, program_text(loop, precision_, compiler_->target.device_type).text);
  }

 protected:
  std::unique_ptr<stacked::LoopProgram> compile_loop(const transform::StepLoop& loop) const override {
    return std::make_unique<AheadLoop>(loop, *compiler_, precision_);
  }

 private:
  std::shared_ptr<const Compiler> compiler_;
  std::int64_t num_steps_;
  runtime::Precision precision_;
};

class AheadClient final : public runtime::Client {
 public:
  AheadClient(const Target& target, std::int64_t num_steps, runtime::Precision precision)
      : Client({{.type = target.device_type,
                 .kind = target.chip,
                 .memory_bytes = static_cast<std::size_t>(target.peaks.memory_bytes),
                 .is_addressable = false}}),
        compiler_(std::make_shared<const Compiler>(target)),
        num_steps_(num_steps),
        precision_(precision) {}

  std::string platform() const override { return "pjrt:target=" + compiler_->target.name; }
  std::string description() const override {
    return fmt::format("compiles for {}, runs nothing; {} at {}", compiler_->target.chip,
                       compiler_->plugin->versions(), compiler_->plugin->path());
  }
  std::unique_ptr<runtime::Executable> compile(const runtime::StepProgram& program) override {
    return std::make_unique<AheadExecutable>(program, *this, compiler_, num_steps_, precision_);
  }

 protected:
  std::unique_ptr<runtime::Buffer> do_allocate(const ir::TensorType& type, int device) override {
    return std::make_unique<AheadBuffer>(type, this, device);
  }
  void do_write(std::span<const runtime::Write> writes) override {
    for (const runtime::Write& write : writes)
      if (write.from != nullptr)
        std::memcpy(ahead_buffer(*write.to).bytes.data(), write.from, write.to->type().size_bytes());
  }
  void do_read(std::span<const runtime::Read> reads) override {
    for (const runtime::Read& read : reads)
      if (read.to != nullptr)
        std::memcpy(read.to, ahead_buffer(*read.from).bytes.data(), read.from->type().size_bytes());
  }

 private:
  std::shared_ptr<const Compiler> compiler_;
  std::int64_t num_steps_;
  runtime::Precision precision_;
};

}  // namespace

std::shared_ptr<runtime::Client> make_ahead_client(const Target& target, std::int64_t num_steps,
                                                   runtime::Precision precision) {
  return std::make_shared<AheadClient>(target, num_steps, precision);
}

}  // namespace cornu::inline v0::backends::pjrt
