#include "cornu/backends/reference/backend.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/ir/print.h"
#include "cornu/ir/verify.h"
#include "cornu/runtime/host_memory.h"
#include "cornu/runtime/profiler.h"
#include "cornu/runtime/program_signature.h"
#include "cornu/transform/rewrite.h"

namespace cornu::inline v0::backends::reference {
namespace {

using ir::Literal;
using runtime::ArgumentKind;

class HostBuffer : public runtime::Buffer {
 public:
  HostBuffer(const ir::TensorType& type, runtime::Client* client)
      : Buffer(type, client), bytes_(allocate(type)) {
    std::fill_n(bytes_.get(), type.size_bytes(), std::byte{0});
  }

  const std::byte* host_data() const override { return bytes_.get(); }
  std::byte* writable_host_data() override {
    if (bytes_.use_count() > 1) {  // those who share them keep what they have
      std::shared_ptr<std::byte> other = allocate(type());
      std::copy_n(bytes_.get(), type().size_bytes(), other.get());
      const std::lock_guard lock(lock_);
      bytes_.swap(other);
    } else {
      std::atomic_thread_fence(std::memory_order_acquire);  // what the last sharer read, it has read
    }
    return bytes_.get();
  }
  std::shared_ptr<const std::byte> share() const override {
    const std::lock_guard lock(lock_);
    return bytes_;
  }

 private:
  static std::shared_ptr<std::byte> allocate(const ir::TensorType& type) {
    constexpr std::align_val_t kLine{64};
    const std::size_t size_bytes = type.size_bytes();
    std::byte* const bytes = with_host_memory(
        size_bytes, [&] { return type.str(); },
        [&] { return static_cast<std::byte*>(::operator new(size_bytes, kLine)); });
    return {bytes, [](std::byte* memory) { ::operator delete(memory, kLine); }};
  }

  mutable std::mutex lock_;  // held while bytes_ changes, and by those that share it; its owner reads without
  std::shared_ptr<std::byte> bytes_;
};

class ReferenceExecutable : public runtime::Executable {
 public:
  ReferenceExecutable(const runtime::StepProgram& program, const runtime::Client& client)
      : name_(program.name),
        kinds_(program.arguments),
        signature_(program, &client),
        step_(transform::clone_function(*program.step)) {
    ir::verify(*step_);
  }

  runtime::Submission execute(const runtime::Execution& execution) override {
    signature_.check(execution);
    std::int64_t step = 0;
    for (; step < execution.num_steps; ++step) {
      if (execution.progress != nullptr && execution.progress->is_stopping()) break;
      run_step(execution.replicas[0], step);
      if (execution.progress != nullptr) execution.progress->steps_done.store(step + 1);
    }
    if (runtime::Profiler* const profiler = runtime::Profiler::current()) profiler->record_unmeasured();
    return {.done = {}, .num_steps = step};
  }

  const runtime::CompileStats& stats() const override { return stats_; }

  std::string explain(const runtime::Profiler*) const override {
    return fmt::format("{}: interpreted op by op by the reference backend, {} ops\n", name_,
                       step_->body.ops().size());
  }

  std::string dump(const std::string& stage) const override {
    if (stage == "stablehlo") return ir::to_stablehlo(*step_);
    invalid_argument("the reference backend has no stage \"{}\"; there is: stablehlo", stage);
  }

 private:
  static Literal read(const runtime::Buffer& buffer) {
    Literal literal(buffer.type());
    buffer.copy_to_host(literal.mutable_bytes().data());
    return literal;
  }

  Literal gather_rows(const ir::TensorType& type, const std::byte* base, const std::int64_t* indices) const {
    Literal literal(type);
    const std::size_t row_bytes = type.size_bytes() / static_cast<std::size_t>(signature_.batch());
    for (std::int64_t row = 0; row < signature_.batch(); ++row) {
      std::copy_n(base + static_cast<std::size_t>(indices[row]) * row_bytes, row_bytes,
                  literal.mutable_bytes().begin() + row * static_cast<std::ptrdiff_t>(row_bytes));
    }
    return literal;
  }

  static const std::byte* rows_base(const runtime::Replica& replica, std::size_t i) {
    return replica.row_buffers.empty() ? replica.rows[i] : replica.row_buffers[i]->host_data();
  }
  static std::byte* output_base(const runtime::Replica& replica, std::size_t i) {
    return replica.output_buffers.empty() ? replica.outputs[i]
                                          : replica.output_buffers[i]->writable_host_data();
  }

  void run_step(const runtime::Replica& replica, std::int64_t step) const {
    const std::int64_t* indices =
        replica.row_indices + (replica.row_indices != nullptr ? step * signature_.batch() : 0);
    const std::int64_t valid_rows =
        std::clamp<std::int64_t>(replica.num_rows - step * signature_.batch(), 0, signature_.batch());
    std::vector<Literal> arguments;
    std::size_t state = 0, fixed = 0, rows = 0;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      switch (kinds_[i]) {
        case ArgumentKind::kState: arguments.push_back(read(*replica.state[state++])); break;
        case ArgumentKind::kFixed: arguments.push_back(read(*replica.fixed[fixed++])); break;
        case ArgumentKind::kRows:
          arguments.push_back(
              gather_rows(step_->body.arguments()[i].type(), rows_base(replica, rows++), indices));
          break;
        case ArgumentKind::kValidRows:
          arguments.push_back(Literal::scalar(ir::DType::kI32, static_cast<double>(valid_rows)));
          break;
      }
    }
    const std::vector<Literal> results = evaluate(*step_, arguments);
    for (std::size_t i = 0; i < signature_.num_state(); ++i)
      replica.state[i]->copy_from_host(results[i].bytes().data());
    for (std::size_t i = 0; i < signature_.outputs().size(); ++i) {
      const std::span<const std::byte> bytes = results[signature_.num_state() + i].bytes();
      std::copy(bytes.begin(), bytes.end(),
                output_base(replica, i) + static_cast<std::size_t>(step) * bytes.size());
    }
  }

  std::string name_;
  std::vector<ArgumentKind> kinds_;
  runtime::ProgramSignature signature_;
  std::unique_ptr<ir::Function> step_;
  runtime::CompileStats stats_;
};

class ReferenceEagerProgram : public runtime::EagerProgram {
 public:
  explicit ReferenceEagerProgram(const ir::Function& function)
      : function_(transform::clone_function(function)) {
    ir::verify(*function_);
  }

  void run(std::span<const std::byte* const> inputs, std::span<std::byte* const> outputs) const override {
    std::vector<Literal> arguments;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      arguments.emplace_back(function_->body.arguments()[i].type());
      std::copy_n(inputs[i], arguments[i].bytes().size(), arguments[i].mutable_bytes().begin());
    }
    const std::vector<Literal> results = evaluate(*function_, arguments);
    for (std::size_t i = 0; i < results.size(); ++i)
      std::copy(results[i].bytes().begin(), results[i].bytes().end(), outputs[i]);
  }

  std::size_t size_bytes() const override {
    constexpr std::size_t kOpBytes = 1024;
    return function_->body.ops().size() * kOpBytes;
  }

 private:
  std::unique_ptr<ir::Function> function_;
};

class ReferenceClient : public runtime::Client {
 public:
  ReferenceClient() : Client({{.type = "CPU", .kind = "interpreter"}}) {}
  std::string platform() const override { return "reference"; }
  std::string description() const override {
    return "interpreter of reference kernels, one thread; for tests";
  }
  std::unique_ptr<runtime::Executable> compile(const runtime::StepProgram& program) override {
    return std::make_unique<ReferenceExecutable>(program, *this);
  }
  std::unique_ptr<runtime::EagerProgram> prepare(const ir::Function& function) override {
    return std::make_unique<ReferenceEagerProgram>(function);
  }

 protected:
  std::unique_ptr<runtime::Buffer> do_allocate(const ir::TensorType& type, int) override {
    ir::check_type(type);
    return std::make_unique<HostBuffer>(type, this);
  }
};

}  // namespace

std::shared_ptr<runtime::Client> make_client(const std::string&, const runtime::ClientOptions&) {
  return std::make_shared<ReferenceClient>();
}

}  // namespace cornu::inline v0::backends::reference
