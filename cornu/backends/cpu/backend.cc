#include "cornu/backends/cpu/backend.h"

#include <new>

#include "cornu/backends/cpu/cpu_executable.h"
#include "cornu/backends/cpu/eager/program.h"
#include "cornu/backends/cpu/memory/cpu_buffer.h"
#include "cornu/base/check.h"
#include "cornu/base/disk_cache.h"
#include "cornu/base/environment.h"
#include "cornu/base/float_environment.h"
#include "cornu/runtime/default_precision.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// The method of f32 products that a precision asks for on a target.
F32Products f32_products(runtime::Precision precision, const Target& target) {
  if (target.bf16 != Bf16Level::kTiles) return F32Products::kVectors;
  switch (precision) {
    case runtime::Precision::kAuto: return F32Products::kVectors;
    case runtime::Precision::kHighest: return F32Products::kBf16x6;
    case runtime::Precision::kHigh:
    case runtime::Precision::kTf32: return F32Products::kBf16x3;
    case runtime::Precision::kDefault:
    case runtime::Precision::kBf16: break;
  }
  return F32Products::kBf16x1;
}

class CpuClient final : public runtime::Client {
 public:
  explicit CpuClient(const runtime::ClientOptions& options)
      : Client({{.type = "CPU", .kind = cpu_info().model_name}}), target_(make_target(options.isa)) {
    if (options.num_threads < 0 || options.num_threads > 1024)
      invalid_argument("[cpu] num_threads must be between 0 and 1024; got {}", options.num_threads);
    pool_ =
        std::make_shared<ThreadPool>(options.num_threads > 0 ? options.num_threads : default_num_threads());
    std::string folder =
        options.cache_folder.empty() ? environment::cache_folder().value_or("") : options.cache_folder;
    if (folder == "off") folder.clear();
    cache_ = std::make_unique<DiskCache>(DiskCacheOptions{.folder = std::move(folder)});
  }

  std::string platform() const override { return "cpu"; }
  int num_threads() const override { return pool_->num_threads(); }

  std::string description() const override {
    std::vector<std::string_view> levels;
    for (IsaLevel level : cpu_isa_levels()) levels.push_back(isa_level_name(level));
    const bool has_tiles = target_.bf16 == Bf16Level::kTiles;
    return fmt::format("{}, {} threads, instruction set {}{} and f32 products by {} (it has: {})",
                       cpu_info().model_name, num_threads(), isa_level_name(target_.isa),
                       target_.has_bf16_products()
                           ? fmt::format(" with bf16 products by {}", bf16_level_name(target_.bf16))
                           : "",
                       has_tiles ? "vectors or, by precision, tiles" : "vectors", fmt::join(levels, ", "));
  }

  std::unique_ptr<runtime::Executable> compile(const runtime::StepProgram& program) override {
    const FloatEnvironment environment;  // constants are folded
    PlanOptions options;
    options.vector_lanes = target_.lanes;
    Target target = target_;
    if (program.convolution_algorithm == runtime::ConvolutionAlgorithm::kDirect) target.winograd = false;
    target.f32 = f32_products(runtime::precision_or_default(program.precision), target);
    try {
      return std::make_unique<CpuExecutable>(program, *this, target, options, pool_, *cache_);
    } catch (const std::bad_alloc&) {
      fail(ErrorCode::kResourceExhausted, "[cpu] not enough memory to compile {}", program.name);
    }
  }

  std::unique_ptr<runtime::EagerProgram> prepare(const ir::Function& function) override {
    const FloatEnvironment environment;
    Target target = target_;
    target.f32 = f32_products(runtime::default_precision(), target);
    return eager::prepare(function, target, pool_);
  }

 protected:
  std::unique_ptr<runtime::Buffer> do_allocate(const ir::TensorType& type, int) override {
    return std::make_unique<CpuBuffer>(type, this);
  }
  void do_write(std::span<const runtime::Write> writes) override {
    for (const runtime::Write& write : writes) static_cast<CpuBuffer&>(*write.to).overwrite(write.from);
  }
  void do_read(std::span<const runtime::Read> reads) override {
    for (const runtime::Read& read : reads) {
      const auto* const own = dynamic_cast<const CpuBuffer*>(read.from);
      if (own != nullptr)
        own->read(read.to);
      else  // a view of host memory
        runtime::Client::do_read({&read, 1});
    }
  }

 private:
  Target target_;
  std::shared_ptr<ThreadPool> pool_;
  std::unique_ptr<const DiskCache> cache_;
};

}  // namespace

std::shared_ptr<runtime::Client> make_client(const std::string&, const runtime::ClientOptions& options) {
  return std::make_shared<CpuClient>(options);
}

}  // namespace cornu::inline v0::backends::cpu
