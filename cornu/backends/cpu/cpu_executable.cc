#include "cornu/backends/cpu/cpu_executable.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <utility>

#include "cornu/backends/cpu/kernels/flush_denormals.h"
#include "cornu/backends/cpu/plan/access.h"
#include "cornu/base/check.h"
#include "cornu/base/steady_clock.h"
#include "cornu/ir/print.h"
#include "cornu/transform/evaluate.h"

namespace cornu::inline v0::backends::cpu {
namespace {

void count_flops(const Group& group, runtime::CompileStats& stats) {
  const bool is_kernel = group.is<KernelGroup>();
  if (is_kernel || group.is<DotGroup>() || group.is<MatrixDotGroup>()) stats.flops += group.flops;
  if (!is_kernel) return;
  switch (kernel_work(*group.op)) {
    case KernelWork::kConvolution: stats.convolution_flops += group.flops; break;
    case KernelWork::kSequence: stats.sequence_flops += group.flops; break;
    case KernelWork::kProducts: break;
  }
}

}  // namespace

CpuExecutable::CpuExecutable(const runtime::StepProgram& program, const runtime::Client& client,
                             const Target& target, const PlanOptions& options,
                             std::shared_ptr<ThreadPool> pool, const DiskCache& cache)
    : signature_(program, &client),
      target_(target),
      pool_(std::move(pool)),
      replica_work_(program.replica_work) {
  if (signature_.num_replicas() != 1)
    fail(ErrorCode::kUnimplemented, "[cpu] a program runs on one device; got {}", signature_.num_replicas());
  const auto start = std::chrono::steady_clock::now();
  PlanOptions with_kernels = options;
  with_kernels.target = target_;
  with_kernels.num_threads = pool_->num_threads();
  plan_ = make_plan(program, with_kernels);
  build_kernels();
  for_each_group(std::as_const(plan_), [&](const Group& group, int) {
    groups_.push_back(&group);
    launches_.push_back(make_launch(group));
    count_flops(group, stats_);
    stats_.num_reference_fallbacks += group.is<ReferenceGroup>();
    if (const auto* kind = group.as<KernelGroup>()) stats_.num_library_calls += kind->kernel->is_library();
  });
  find_processes(program);
  const auto code_start = std::chrono::steady_clock::now();
  step_ = compile_step(plan_, target_, {.pool = pool_.get(), .cache = &cache, .stop = program.stop});
  stats_.code_seconds = seconds_since(code_start);
  stats_.from_cache = step_->from_cache();
  stats_.num_groups = plan_.num_groups;
  for (std::size_t i = 0; i < plan_.arguments.size(); ++i)
    if (plan_.arguments[i] == runtime::ArgumentKind::kState)
      stats_.state_bytes += plan_.step->body.arguments()[i].type().size_bytes();
  stats_.arena_bytes = plan_.arena_bytes;
  free_arenas_.reserve(16);
  free_arenas_.push_back(allocate_aligned(plan_.arena_bytes, arena_name()));
  stats_.compile_seconds = seconds_since(start);
}

/// Libraries make code for each kernel, so they do it side by side.
void CpuExecutable::build_kernels() {
  std::vector<GroupKernel*> kernels;
  for_each_group(plan_, [&](Group& group) {
    if (const auto* kind = group.as<KernelGroup>()) kernels.push_back(kind->kernel.get());
  });
  for_each_slice(*pool_, static_cast<std::int64_t>(kernels.size()),
                 [&](std::int64_t i) { kernels[static_cast<std::size_t>(i)]->build(); });
}

void CpuExecutable::find_processes(const runtime::StepProgram& program) {
  std::string order;  // in which they meet, which the planner chooses
  for (const Group* group : groups_)
    if (group->op != nullptr && spans_processes(*group->op))
      order += fmt::format("{} {}, ", group->op->name(), group->op->result().type().str());
  if (order.empty()) return;
  processes_ = runtime::joined_processes();
  name_ = program.name;
  fingerprint_ = std::hash<std::string>()(ir::to_stablehlo(*program.step) + order);
}

std::int64_t CpuExecutable::agreed_steps(const runtime::Execution& execution) const {
  runtime::Progress* const progress = execution.progress;
  const bool wants_to_stop = progress != nullptr && progress->stop.load(std::memory_order_relaxed);
  const bool stop = processes_->agree({.program = name_,
                                       .fingerprint = fingerprint_,
                                       .num_steps = execution.num_steps,
                                       .stop = wants_to_stop});
  if (stop && progress != nullptr) progress->stop.store(true, std::memory_order_relaxed);
  return stop ? 0 : execution.num_steps;
}

/// Names the op (and its layer) that the largest piece belongs to.
std::string CpuExecutable::arena_name() const {
  std::string name = "a step's working memory";
  const ir::Op* largest = nullptr;
  std::size_t most = 0;
  for (const auto& [value, buffer] : plan_.buffer_of) {
    const PlanBuffer& b = plan_.buffers[static_cast<std::size_t>(buffer)];
    if (b.space != MemorySpace::kArena || value.op() == nullptr || b.type.size_bytes() <= most) continue;
    most = b.type.size_bytes();
    largest = value.op();
  }
  if (largest == nullptr) return name;
  name += fmt::format(" (its largest tensor is {} of {}", largest->result().type().str(), largest->name());
  if (!largest->location().empty()) name += fmt::format(" in layer \"{}\"", largest->location());
  return name + ")";
}

AlignedBytes CpuExecutable::lease_arena() {
  {
    const std::lock_guard<std::mutex> lock(arenas_mutex_);
    if (!free_arenas_.empty()) {
      AlignedBytes arena = std::move(free_arenas_.back());
      free_arenas_.pop_back();
      return arena;
    }
  }
  return allocate_aligned(plan_.arena_bytes, arena_name());
}

namespace {

/// Addresses on the stack while they are few, so that an execution allocates nothing.
class AddressTable {
 public:
  explicit AddressTable(std::size_t size) {
    if (size <= std::size(on_stack_)) return;
    on_heap_.resize(size);
    addresses_ = on_heap_.data();
  }
  AddressTable(const AddressTable&) = delete;
  AddressTable& operator=(const AddressTable&) = delete;
  std::byte** data() { return addresses_; }

 private:
  std::byte* on_stack_[256];
  std::vector<std::byte*> on_heap_;
  std::byte** addresses_ = on_stack_;
};

}  // namespace

runtime::Submission CpuExecutable::execute(const runtime::Execution& execution) {
  signature_.check(execution);
  static_assert(sizeof(std::atomic<std::int64_t>) == 8 && sizeof(std::atomic<bool>) == 1 &&
                std::atomic<std::int64_t>::is_always_lock_free);
  const runtime::Replica& replica = execution.replicas[0];
  // State, fixed and views share one table; behind them rows and outputs that come as buffers.
  const auto num_views = static_cast<std::size_t>(plan_.num_views);
  const std::size_t num_arguments = replica.state.size() + replica.fixed.size() + num_views;
  AddressTable arguments(num_arguments + replica.row_buffers.size() + replica.output_buffers.size());
  const auto only_read = [](const std::byte* address) {
    return const_cast<std::byte*>(address);
  };  // by the compiled code
  std::byte** next = arguments.data();
  for (runtime::Buffer* buffer : replica.state) *next++ = buffer->writable_host_data();
  for (const runtime::Buffer* buffer : replica.fixed) *next++ = only_read(buffer->host_data());
  next += num_views;
  std::byte** const buffers = next;
  for (const runtime::Buffer* buffer : replica.row_buffers) *next++ = only_read(buffer->host_data());
  for (runtime::Buffer* buffer : replica.output_buffers) *next++ = buffer->writable_host_data();

  std::int64_t ignored_steps = 0;
  const std::uint8_t never_stop = 0;
  AlignedBytes arena = lease_arena();
  StepContext context;
  context.arguments = arguments.data();
  context.arena = arena.get();
  context.rows = replica.row_buffers.empty() ? replica.rows.data() : buffers;
  context.outputs =
      replica.output_buffers.empty() ? replica.outputs.data() : buffers + replica.row_buffers.size();
  context.row_indices = replica.row_indices;
  context.num_rows = replica.num_rows;
  context.num_steps = processes_ == nullptr ? execution.num_steps : agreed_steps(execution);
  context.steps_done = execution.progress != nullptr
                           ? reinterpret_cast<std::int64_t*>(&execution.progress->steps_done)
                           : &ignored_steps;
  // Processes end between executions: one that ended between two steps would leave the others waiting.
  context.stop = execution.progress != nullptr && processes_ == nullptr
                     ? reinterpret_cast<const std::uint8_t*>(&execution.progress->stop)
                     : &never_stop;
  context.parallel_for = &CpuExecutable::parallel_for;
  context.kernel = &CpuExecutable::run_kernel;
  context.reference = &CpuExecutable::reference;
  Frame frame{this, nullptr};
  context.owner = &frame;
  runtime::Profiler* const profiler = runtime::Profiler::current();
  const FlushDenormals flush;
  const std::int64_t done = profiler == nullptr ? step_->run(&context) : run_measured(context, *profiler);
  if (frame.error) std::rethrow_exception(frame.error);
  const std::lock_guard<std::mutex> lock(arenas_mutex_);
  if (free_arenas_.size() < free_arenas_.capacity()) free_arenas_.push_back(std::move(arena));
  return {.done = {}, .num_steps = done};
}

void CpuExecutable::parallel_for(StepContext* context, std::int64_t num_slices,
                                 void (*body)(void*, std::int64_t)) {
  struct Work {
    StepContext* context;
    void (*body)(void*, std::int64_t);
  } work{context, body};
  auto flushing = [](void* data, std::int64_t slice) {
    const FlushDenormals flush;
    const Work& w = *static_cast<const Work*>(data);
    w.body(w.context, slice);
  };
  static_cast<const Frame*>(context->owner)->executable->pool_->parallel_for(num_slices, flushing, &work);
}

template <typename F>
void CpuExecutable::guarded(StepContext* context, const F& f) {
  Frame& frame = *static_cast<Frame*>(context->owner);
  try {
    f(*frame.executable);
  } catch (...) {
    if (!frame.error)
      frame.error = std::current_exception();  // what fails after it in the step follows from it
    context->num_steps = 0;
  }
}

void CpuExecutable::run_kernel(StepContext* context, std::int64_t group) {
  guarded(context, [&](const CpuExecutable& executable) {
    const Launch& launch = executable.launches_[static_cast<std::size_t>(group)];
    if (launch.kernel == nullptr)
      executable.run_matrix_dot_launch(*context, launch);
    else
      executable.run_kernel_launch(*context, launch);
  });
}

void CpuExecutable::reference(StepContext* context, std::int64_t group) {
  guarded(context, [&](const CpuExecutable& executable) {
    executable.run_reference_launch(*context, executable.launches_[static_cast<std::size_t>(group)]);
  });
}

CpuExecutable::Launch CpuExecutable::make_launch(const Group& group) const {
  if (is_emitted(group) || is_control(group)) return {};
  const auto buffer = [&](int id) { return &plan_.buffers[static_cast<std::size_t>(id)]; };
  Launch launch;
  launch.op = group.op;
  for (const Store& store : group.stores) launch.results.push_back(buffer(store.buffer));
  if (group.scratch_buffer >= 0) launch.scratch = buffer(group.scratch_buffer);
  if (const auto* matrix = group.as<MatrixDotGroup>()) {
    const MatrixProduct& product = matrix->product;
    const bool is_bf16 = group.op->result().dtype() == ir::DType::kBF16;
    launch.operands = {buffer(product.a_buffer), buffer(product.b_buffer)};
    launch.dot = slice_matrix_product(product, matrix_kernel(target_, is_bf16), pool_->num_threads());
    return launch;
  }
  if (const auto* kind = group.as<KernelGroup>()) {
    launch.kernel = kind->kernel.get();
    launch.makes_view = kind->async_part == AsyncPart::kWhole && makes_view(*group.op);
  }
  for (const ir::Value& input : op_inputs(*group.op)) launch.operands.push_back(&plan_.buffer(input));
  return launch;
}

std::byte* CpuExecutable::address(const StepContext& context, const PlanBuffer& buffer) const {
  const auto index = static_cast<std::size_t>(buffer.index);
  switch (buffer.space) {
    case MemorySpace::kArena: return context.arena + buffer.offset;
    case MemorySpace::kArgument: return context.arguments[index];
    case MemorySpace::kOutput:
      return context.outputs[index] + static_cast<std::size_t>(context.step) * buffer.type.size_bytes();
    case MemorySpace::kConstant:
      return const_cast<std::byte*>(plan_.constants[index].bytes().data());  // only read
  }
  return nullptr;
}

void CpuExecutable::run_matrix_dot_launch(const StepContext& context, const Launch& launch) const {
  const MatrixProduct& p = launch.dot.product;
  const std::byte* const a = address(context, *launch.operands[0]);
  const std::byte* const b = address(context, *launch.operands[1]);
  std::byte* const c = address(context, *launch.results[0]);
  auto* const sums =
      reinterpret_cast<float*>(launch.scratch == nullptr ? nullptr : address(context, *launch.scratch));
  if (launch.op->result().dtype() != ir::DType::kBF16)
    return run_matrix_dot(launch.dot, target_, reinterpret_cast<const float*>(a) + p.a_offset,
                          reinterpret_cast<const float*>(b) + p.b_offset, reinterpret_cast<float*>(c), sums,
                          *pool_);
  run_bf16_matrix_dot(launch.dot, target_, reinterpret_cast<const std::uint16_t*>(a) + p.a_offset,
                      reinterpret_cast<const std::uint16_t*>(b) + p.b_offset,
                      reinterpret_cast<std::uint16_t*>(c), sums, *pool_);
}

void CpuExecutable::run_kernel_launch(const StepContext& context, const Launch& launch) const {
  // On the stack: a step allocates nothing.
  const std::byte* operands[kMaxKernelTensors];
  std::byte* results[kMaxKernelTensors];
  const std::size_t num_operands = launch.op->operands().size(), num_results = launch.results.size();
  for (std::size_t i = 0; i < num_operands; ++i) operands[i] = address(context, *launch.operands[i]);
  for (std::size_t i = 0; i < num_results; ++i) results[i] = address(context, *launch.results[i]);
  std::byte* const scratch = launch.scratch == nullptr ? nullptr : address(context, *launch.scratch);
  std::byte** const view =
      launch.makes_view ? context.arguments + static_cast<std::size_t>(launch.results[0]->index) : nullptr;
  launch.kernel->run({{operands, num_operands}, {results, num_results}, scratch, view}, *pool_);
}

void CpuExecutable::run_reference_launch(const StepContext& context, const Launch& launch) const {
  const std::vector<ir::Value> inputs = op_inputs(*launch.op);
  std::vector<ir::Literal> operands;
  transform::Environment captured;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    ir::Literal literal(inputs[i].type());
    if (!literal.bytes().empty())
      std::memcpy(literal.mutable_bytes().data(), address(context, *launch.operands[i]),
                  literal.bytes().size());
    if (i < launch.op->operands().size())
      operands.push_back(std::move(literal));
    else
      captured.emplace(inputs[i], std::move(literal));
  }
  const std::vector<ir::Literal> results = transform::evaluate_op(*launch.op, operands, captured);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (!results[i].bytes().empty())
      std::memcpy(address(context, *launch.results[i]), results[i].bytes().data(), results[i].bytes().size());
}

std::string CpuExecutable::dump(const std::string& stage) const {
  if (stage == "plan") return plan_str(plan_);
  if (stage == "cache_key") return step_->cache_key();
  for (const char* known : {"llvm", "optimized", "assembly"})
    if (stage == known) return step_->text(stage);
  invalid_argument(
      "[cpu] there is no stage \"{}\" to show; there are: plan, llvm, optimized, assembly, cache_key", stage);
}

}  // namespace cornu::inline v0::backends::cpu
