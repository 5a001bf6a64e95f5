#include "cornu/runtime/program_signature.h"

#include "cornu/base/check.h"
#include "cornu/ir/graph.h"

namespace cornu::inline v0::runtime {
namespace {

/// Rejects a null address of a tensor that has elements; an empty tensor may have any address.
[[gnu::noinline]] void check_null(std::string_view what, std::size_t i, const ir::TensorType& type) {
  if (type.size_bytes() > 0)
    invalid_argument("{} {} of the program has a null pointer for memory; it is {}", what, i, type.str());
}

template <typename Byte>
void check_addresses(std::string_view what, std::span<Byte* const> addresses,
                     const std::vector<ir::TensorType>& types) {
  for (std::size_t i = 0; i < addresses.size(); ++i)
    if (addresses[i] == nullptr) [[unlikely]]
      check_null(what, i, types[i]);
}

void check_devices(const Client& client, const std::vector<int>& devices) {
  std::vector<bool> seen(client.devices().size());
  for (const int device : devices) {
    if (device < 0 || static_cast<std::size_t>(device) >= seen.size())
      invalid_argument("[{}] a program is to run on device {}, but {} has {} devices", client.platform(),
                       device, client.name(), seen.size());
    if (seen[static_cast<std::size_t>(device)])
      invalid_argument("[{}] a program is to run on device {} of {} twice", client.platform(), device,
                       client.name());
    seen[static_cast<std::size_t>(device)] = true;
  }
}

}  // namespace

ProgramSignature::ProgramSignature(const StepProgram& program, const Client* client) : client_(client) {
  if (program.step == nullptr)
    invalid_argument("there is no step to compile in program \"{}\"", program.name);
  const std::vector<ArgumentKind>& kinds = program.arguments;
  const std::span<const ir::Value> arguments = program.step->body.arguments(),
                                   results = program.step->body.results();
  if (kinds.size() != arguments.size())
    invalid_argument("{} argument kinds for {} arguments", kinds.size(), arguments.size());
  if (!program.devices.empty()) devices_ = program.devices;
  reaches_all_devices_ = program.reaches_all_devices;
  if (client != nullptr) check_devices(*client, devices_);
  bool counts_rows = false;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const ir::TensorType& type = arguments[i].type();
    switch (kinds[i]) {
      case ArgumentKind::kState:
        if (state_.types.size() >= results.size() || results[state_.types.size()].type() != type)
          invalid_argument("state argument {} is {}, the step has no such result for it", state_.types.size(),
                           type.str());
        state_.add(type);
        break;
      case ArgumentKind::kFixed: fixed_.add(type); break;
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
  for (std::size_t i = state_.types.size(); i < results.size(); ++i) {
    if (counts_rows && rows_.empty())
      agree_on_batch(results[i].type(), fmt::format("output {}", i - state_.types.size()));
    outputs_.push_back(results[i].type());
  }
}

void ProgramSignature::Types::add(const ir::TensorType& type) {
  types.push_back(type);
  words.push_back(ir::fingerprint(type));
}

/// Checks that every [batch, ...] tensor has the same batch.
void ProgramSignature::agree_on_batch(const ir::TensorType& type, const std::string& what) {
  if (type.rank() == 0 || type.dims[0] < 1)
    invalid_argument("{} must be [batch, ...] with batch > 0; got {}", what, type.str());
  if (batch_ != 0 && batch_ != type.dims[0])
    invalid_argument("{} has {} rows, others have {}", what, type.dims[0], batch_);
  batch_ = type.dims[0];
}

void ProgramSignature::check(const Execution& execution) const {
  if (execution.replicas.size() != devices_.size())
    invalid_argument("the program has {} replicas; got {}", devices_.size(), execution.replicas.size());
  if (execution.num_steps < 0)
    invalid_argument("num_steps must not be negative; got {}", execution.num_steps);
  for (std::size_t i = 0; i < devices_.size(); ++i)
    check(execution.replicas[i], devices_[i], execution.num_steps);
}

void ProgramSignature::check(const Replica& replica, int device, std::int64_t num_steps) const {
  check_buffers("state", replica.state, state_, device);
  check_buffers("fixed", replica.fixed, fixed_, device);
  check_rows(replica, device);
  check_outputs(replica, device, num_steps);
  if (num_steps > 0 && !rows_.empty() && replica.row_indices == nullptr)
    invalid_argument("the program gathers rows, but there are no row indices");
  if (num_steps == 0) return;
  check_addresses("row argument", replica.rows, rows_);
  check_addresses("output", replica.outputs, outputs_);
}

void ProgramSignature::check_rows(const Replica& replica, int device) const {
  const std::size_t num_rows = replica.row_buffers.empty() ? replica.rows.size() : replica.row_buffers.size();
  if (num_rows != rows_.size() || (!replica.rows.empty() && !replica.row_buffers.empty()))
    invalid_argument("the program has {} row arguments; got {}", rows_.size(),
                     replica.rows.size() + replica.row_buffers.size());
  for (std::size_t i = 0; i < replica.row_buffers.size(); ++i) {
    ir::TensorType type = rows_[i];
    if (const Buffer* const buffer = replica.row_buffers[i];
        buffer != nullptr && buffer->type().rank() == type.rank())
      type.dims[0] = buffer->type().dims[0];
    check_buffer("row argument", i, replica.row_buffers[i], type);
    check_place("row argument", i, *replica.row_buffers[i], device);
  }
}

void ProgramSignature::check_outputs(const Replica& replica, int device, std::int64_t num_steps) const {
  const std::size_t num_outputs =
      replica.output_buffers.empty() ? replica.outputs.size() : replica.output_buffers.size();
  if (num_outputs != outputs_.size() || (!replica.outputs.empty() && !replica.output_buffers.empty()))
    invalid_argument("the program has {} outputs; got {}", outputs_.size(),
                     replica.outputs.size() + replica.output_buffers.size());
  for (std::size_t i = 0; i < replica.output_buffers.size(); ++i) {
    const Buffer* const buffer = replica.output_buffers[i];
    if (buffer == nullptr)
      invalid_argument("output buffer {} of the program is null; it must be {}", i, outputs_[i].str());
    if (buffer->type().dtype != outputs_[i].dtype ||
        buffer->type().size_bytes() != static_cast<std::size_t>(num_steps) * outputs_[i].size_bytes())
      invalid_argument("output buffer {} of the program must hold {} of {} steps; got {}", i,
                       outputs_[i].str(), num_steps, buffer->type().str());
    check_place("output", i, *buffer, device);
  }
}

void ProgramSignature::check_buffer(const char* what, std::size_t i, const Buffer* buffer,
                                    const ir::TensorType& type) const {
  if (buffer == nullptr)
    invalid_argument("{} buffer {} of the program is null; it must be {}", what, i, type.str());
  if (buffer->type() != type)
    invalid_argument("{} buffer {} of the program is {}; got {}", what, i, type.str(), buffer->type().str());
}

void ProgramSignature::check_buffers(const char* what, std::span<Buffer* const> buffers,
                                     const Types& expected, int device) const {
  const std::vector<ir::TensorType>& types = expected.types;
  if (buffers.size() != types.size())
    invalid_argument("the program has {} {} buffers; got {}", types.size(), what, buffers.size());
  const Client* const client = client_;
  const std::uint64_t* const words = expected.words.data();
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const Buffer* const buffer = buffers[i];
    if (buffer != nullptr && buffer->client() == client && buffer->device() == device &&
        buffer->type_fingerprint() == words[i] && (words[i] != 0 || buffer->type() == types[i])) [[likely]]
      continue;
    check_buffer(what, i, buffer, types[i]);
    check_place(what, i, *buffer, device);
  }
}

/// Checks client and device. Host memory without a client is accepted if the client is addressable.
void ProgramSignature::check_place(const char* what, std::size_t i, const Buffer& buffer, int device) const {
  if (client_ == nullptr || (buffer.client() == nullptr && client_->is_addressable())) return;
  client_->require_own(buffer, fmt::format("{} buffer {} of the program", what, i));
  if (buffer.device() != device && !reaches_all_devices_)
    invalid_argument("[{}] {} buffer {} of the program is on device {} of {}; the program runs on device {}",
                     client_->platform(), what, i, buffer.device(), client_->name(), device);
}

}  // namespace cornu::inline v0::runtime
