#include "cornu/runtime/program_signature.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::runtime {
namespace {

void check_buffers(std::string_view what, std::span<Buffer* const> buffers, const std::vector<ir::TensorType>& types) {
  if (buffers.size() != types.size()) invalid_argument("the program has {} {} buffers; got {}", types.size(), what, buffers.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (buffers[i] == nullptr) invalid_argument("{} buffer {} of the program is null; it must be {}", what, i, types[i].str());
    if (buffers[i]->type() != types[i])
      invalid_argument("{} buffer {} of the program is {}; got {}", what, i, types[i].str(), buffers[i]->type().str());
  }
}

/// Of what has no elements any address will do.
[[gnu::noinline]] void check_null(std::string_view what, std::size_t i, const ir::TensorType& type) {
  if (type.size_bytes() > 0) invalid_argument("{} {} of the program has a null pointer for memory; it is {}", what, i, type.str());
}

template <typename Byte>
void check_addresses(std::string_view what, std::span<Byte* const> addresses, const std::vector<ir::TensorType>& types) {
  for (std::size_t i = 0; i < addresses.size(); ++i)
    if (addresses[i] == nullptr) [[unlikely]]
      check_null(what, i, types[i]);
}

}  // namespace

ProgramSignature::ProgramSignature(const StepProgram& program) {
  if (program.step == nullptr) invalid_argument("there is no step to compile in program \"{}\"", program.name);
  const std::vector<ArgumentKind>& kinds = program.arguments;
  const std::span<const ir::Value> arguments = program.step->body.arguments(), results = program.step->body.results();
  if (kinds.size() != arguments.size()) invalid_argument("{} argument kinds for {} arguments", kinds.size(), arguments.size());
  bool counts_rows = false;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const ir::TensorType& type = arguments[i].type();
    switch (kinds[i]) {
      case ArgumentKind::kState:
        if (state_.size() >= results.size() || results[state_.size()].type() != type)
          invalid_argument("state argument {} is {}, the step has no such result for it", state_.size(), type.str());
        state_.push_back(type);
        break;
      case ArgumentKind::kFixed: fixed_.push_back(type); break;
      case ArgumentKind::kRows:
        agree_on_batch(type, fmt::format("row argument {}", rows_.size()));
        rows_.push_back(type);
        break;
      case ArgumentKind::kValidRows:
        counts_rows = true;
        if (type != ir::TensorType{ir::DType::kI32, {}})
          invalid_argument("the number of valid rows must be tensor<i32>; got {}", type.str());
        break;
    }
  }
  for (std::size_t i = state_.size(); i < results.size(); ++i) {
    if (counts_rows && rows_.empty()) agree_on_batch(results[i].type(), fmt::format("output {}", i - state_.size()));
    outputs_.push_back(results[i].type());
  }
}

/// Every [batch, ...] tensor must agree on batch.
void ProgramSignature::agree_on_batch(const ir::TensorType& type, const std::string& what) {
  if (type.rank() == 0 || type.dims[0] < 1) invalid_argument("{} must be [batch, ...] with batch > 0; got {}", what, type.str());
  if (batch_ != 0 && batch_ != type.dims[0]) invalid_argument("{} has {} rows, others have {}", what, type.dims[0], batch_);
  batch_ = type.dims[0];
}

void ProgramSignature::check(const Execution& execution) const {
  check_buffers("state", execution.state, state_);
  check_buffers("fixed", execution.fixed, fixed_);
  if (execution.rows.size() != rows_.size())
    invalid_argument("the program has {} row arguments; got {}", rows_.size(), execution.rows.size());
  if (execution.outputs.size() != outputs_.size())
    invalid_argument("the program has {} outputs; got {}", outputs_.size(), execution.outputs.size());
  if (execution.num_steps < 0) invalid_argument("num_steps must not be negative; got {}", execution.num_steps);
  if (execution.num_steps == 0) return;
  if (!rows_.empty() && execution.row_indices == nullptr) invalid_argument("the program gathers rows, but there are no row indices");
  check_addresses("row argument", execution.rows, rows_);
  check_addresses("output", execution.outputs, outputs_);
}

}  // namespace cornu::inline v0::runtime
