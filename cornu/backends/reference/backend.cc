#include "cornu/backends/reference/backend.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/base/check.h"
#include "cornu/ir/print.h"
#include "cornu/ir/verify.h"
#include "cornu/transform/rewrite.h"

namespace cornu::backends::reference {
namespace {

using ir::Literal;
using runtime::ArgumentKind;

class HostBuffer : public runtime::Buffer {
 public:
  explicit HostBuffer(const ir::TensorType& type) : Buffer(type), size_bytes_(type.size_bytes()) {
    data_ = static_cast<std::byte*>(::operator new(size_bytes_, std::align_val_t{64}, std::nothrow));
    if (data_ == nullptr) fail(ErrorCode::kResourceExhausted, "no memory for {} bytes, {}", size_bytes_, type.str());
    std::fill_n(data_, size_bytes_, std::byte{0});
  }
  ~HostBuffer() override { ::operator delete(data_, std::align_val_t{64}); }
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;

  void copy_from_host(const void* source) override {
    if (size_bytes_ > 0) std::memcpy(data_, source, size_bytes_);
  }
  void copy_to_host(void* destination) const override {
    if (size_bytes_ > 0) std::memcpy(destination, data_, size_bytes_);
  }
  std::byte* host_data() override { return data_; }

 private:
  std::size_t size_bytes_;
  std::byte* data_ = nullptr;
};

/// What a program's signature says, checked once.
struct Signature {
  std::size_t num_state = 0, num_fixed = 0, num_rows = 0;
  std::int64_t batch = 0;  // 0: the step has neither rows nor outputs
  std::vector<ir::TensorType> outputs;
};

/// Every [batch, ...] tensor must agree on batch.
void agree_on_batch(Signature& signature, const ir::TensorType& type, const std::string& what) {
  if (type.rank() == 0 || type.dims[0] < 1) invalid_argument("{} must be [batch, ...] with batch > 0; got {}", what, type.str());
  if (signature.batch != 0 && signature.batch != type.dims[0])
    invalid_argument("{} has {} rows, others have {}", what, type.dims[0], signature.batch);
  signature.batch = type.dims[0];
}

Signature read_signature(const ir::Function& step, const std::vector<ArgumentKind>& kinds) {
  const std::span<const ir::Value> arguments = step.body.arguments(), results = step.body.results();
  if (kinds.size() != arguments.size()) invalid_argument("{} argument kinds for {} arguments", kinds.size(), arguments.size());
  Signature signature;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const ir::TensorType& type = arguments[i].type();
    switch (kinds[i]) {
      case ArgumentKind::kState:
        if (signature.num_state >= results.size() || results[signature.num_state].type() != type)
          invalid_argument("state argument {} is {}, the step has no such result for it", signature.num_state, type.str());
        ++signature.num_state;
        break;
      case ArgumentKind::kFixed: ++signature.num_fixed; break;
      case ArgumentKind::kRows: agree_on_batch(signature, type, fmt::format("row argument {}", signature.num_rows++)); break;
      case ArgumentKind::kValidRows:
        if (type != ir::TensorType{ir::DType::kI32, {}})
          invalid_argument("the number of valid rows must be tensor<i32>; got {}", type.str());
        break;
    }
  }
  for (std::size_t i = signature.num_state; i < results.size(); ++i) {
    agree_on_batch(signature, results[i].type(), fmt::format("output {}", i - signature.num_state));
    signature.outputs.push_back(results[i].type());
  }
  return signature;
}

class ReferenceExecutable : public runtime::Executable {
 public:
  explicit ReferenceExecutable(const runtime::StepProgram& program)
      : name_(program.name),
        step_(transform::clone_function(*program.step)),
        kinds_(program.arguments),
        signature_(read_signature(*step_, kinds_)) {
    ir::verify(*step_);
  }

  std::int64_t execute(const runtime::Execution& execution) override {
    check(execution);
    std::int64_t step = 0;
    for (; step < execution.num_steps; ++step) {
      if (execution.progress != nullptr && execution.progress->stop.load()) break;
      run_step(execution, step);
      if (execution.progress != nullptr) execution.progress->steps_done.store(step + 1);
    }
    return step;
  }

  const runtime::CompileStats& stats() const override { return stats_; }

  std::string explain() const override {
    return fmt::format("{}: interpreted op by op by the reference backend, {} ops\n", name_, step_->body.ops().size());
  }

  std::string dump(const std::string& stage) const override {
    if (stage == "stablehlo") return ir::to_stablehlo(*step_);
    invalid_argument("the reference backend has no stage \"{}\"; there is: stablehlo", stage);
  }

 private:
  void check(const runtime::Execution& execution) const {
    const auto expect = [](std::string_view what, std::size_t got, std::size_t expected) {
      if (got != expected) invalid_argument("the program has {} {}; got {}", expected, what, got);
    };
    expect("state buffers", execution.state.size(), signature_.num_state);
    expect("fixed buffers", execution.fixed.size(), signature_.num_fixed);
    expect("row arguments", execution.rows.size(), signature_.num_rows);
    expect("outputs", execution.outputs.size(), signature_.outputs.size());
    if (execution.num_steps < 0) invalid_argument("num_steps must not be negative; got {}", execution.num_steps);
    if (signature_.num_rows > 0 && execution.num_steps > 0 && execution.row_indices == nullptr)
      invalid_argument("the program gathers rows, but there are no row indices");
    std::size_t state = 0, fixed = 0;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      const ir::TensorType& type = step_->body.arguments()[i].type();
      const runtime::Buffer* buffer = kinds_[i] == ArgumentKind::kState   ? execution.state[state++]
                                      : kinds_[i] == ArgumentKind::kFixed ? execution.fixed[fixed++]
                                                                          : nullptr;
      if (buffer != nullptr && buffer->type() != type)
        invalid_argument("argument {} of the program is {}; its buffer is {}", i, type.str(), buffer->type().str());
    }
  }

  static Literal read(const runtime::Buffer& buffer) {
    Literal literal(buffer.type());
    buffer.copy_to_host(literal.mutable_bytes().data());
    return literal;
  }

  Literal gather_rows(const ir::TensorType& type, const std::byte* base, const std::int64_t* indices) const {
    Literal literal(type);
    const std::size_t row_bytes = type.size_bytes() / static_cast<std::size_t>(signature_.batch);
    for (std::int64_t row = 0; row < signature_.batch; ++row) {
      std::copy_n(base + static_cast<std::size_t>(indices[row]) * row_bytes, row_bytes,
                  literal.mutable_bytes().begin() + row * static_cast<std::ptrdiff_t>(row_bytes));
    }
    return literal;
  }

  void run_step(const runtime::Execution& execution, std::int64_t step) const {
    const std::int64_t* indices = execution.row_indices + (execution.row_indices != nullptr ? step * signature_.batch : 0);
    const std::int64_t valid_rows = std::clamp<std::int64_t>(execution.num_rows - step * signature_.batch, 0, signature_.batch);
    std::vector<Literal> arguments;
    std::size_t state = 0, fixed = 0, rows = 0;
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      switch (kinds_[i]) {
        case ArgumentKind::kState: arguments.push_back(read(*execution.state[state++])); break;
        case ArgumentKind::kFixed: arguments.push_back(read(*execution.fixed[fixed++])); break;
        case ArgumentKind::kRows:
          arguments.push_back(gather_rows(step_->body.arguments()[i].type(), execution.rows[rows++], indices));
          break;
        case ArgumentKind::kValidRows: arguments.push_back(Literal::scalar(ir::DType::kI32, static_cast<double>(valid_rows))); break;
      }
    }
    const std::vector<Literal> results = evaluate(*step_, arguments);
    for (std::size_t i = 0; i < signature_.num_state; ++i) execution.state[i]->copy_from_host(results[i].bytes().data());
    for (std::size_t i = 0; i < signature_.outputs.size(); ++i) {
      const std::span<const std::byte> bytes = results[signature_.num_state + i].bytes();
      std::copy(bytes.begin(), bytes.end(), execution.outputs[i] + static_cast<std::size_t>(step) * bytes.size());
    }
  }

  std::string name_;
  std::unique_ptr<ir::Function> step_;
  std::vector<ArgumentKind> kinds_;
  Signature signature_;
  runtime::CompileStats stats_;
};

class ReferenceClient : public runtime::Client {
 public:
  std::string platform() const override { return "reference"; }
  std::string description() const override { return "interpreter of reference kernels, one thread; for tests"; }
  std::unique_ptr<runtime::Buffer> allocate(const ir::TensorType& type) override {
    ir::check_type(type);
    return std::make_unique<HostBuffer>(type);
  }
  std::unique_ptr<runtime::Executable> compile(const runtime::StepProgram& program) override {
    return std::make_unique<ReferenceExecutable>(program);
  }
};

}  // namespace

std::shared_ptr<runtime::Client> make_client(const runtime::ClientOptions&) { return std::make_shared<ReferenceClient>(); }

}  // namespace cornu::backends::reference
