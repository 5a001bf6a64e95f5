#include "cornu/backends/pjrt/row_gather.h"

#include <algorithm>
#include <utility>

#include "cornu/ir/graph.h"
#include "cornu/ir/print.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/reshape/reshape.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

/// main(data..., indices) -> stacks.
std::string gather_text(std::span<const DeviceBuffer* const> data, std::span<const ir::TensorType> stacks) {
  ir::Function function;
  function.name = "main";
  std::vector<ir::Value> tables, results;
  for (const DeviceBuffer* const buffer : data) tables.push_back(function.body.add_argument(buffer->type()));
  const ir::Value indices =
      function.body.add_argument({ir::DType::kI64, {stacks[0].dims[0] * stacks[0].dims[1]}});
  ir::Builder b(function.body);
  for (std::size_t i = 0; i < tables.size(); ++i)
    results.push_back(ops::reshape(b, ops::gather_rows(b, tables[i], indices), stacks[i].dims));
  function.body.set_results(std::move(results));
  return ir::to_stablehlo(function);
}

}  // namespace

RowGather::RowGather(std::shared_ptr<Connection> connection, std::shared_ptr<const ExecutableCache> cache)
    : connection_(std::move(connection)), cache_(std::move(cache)) {}

RowGather::Program RowGather::program_for(runtime::Client& client, int device,
                                          std::span<const DeviceBuffer* const> data,
                                          std::span<const ir::TensorType> stacks) {
  std::string key = fmt::format("{}", device);
  for (const DeviceBuffer* const buffer : data) key += " " + buffer->type().str();
  for (const ir::TensorType& stack : stacks) key += " " + stack.str();
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.key == key; });
  if (found != entries_.end()) {
    std::rotate(found, found + 1, entries_.end());
    return entries_.back().program;
  }
  CompileOptions options;
  options.devices = {connection_->device_id(device)};
  auto program = std::make_shared<const CompiledProgram>(
      compile(*connection_, "gather_rows", gather_text(data, stacks), options, *cache_));
  client.note(&runtime::TransferStatistics::compiles, {.calls = 1, .items = 1, .seconds = program->seconds});
  if (entries_.size() == kMostPrograms) entries_.erase(entries_.begin());
  entries_.push_back({std::move(key), program});
  return program;
}

std::vector<OwnedBuffer> RowGather::gather(const CompiledProgram& program,
                                           std::span<const DeviceBuffer* const> data,
                                           PJRT_Buffer* indices) const {
  std::vector<PJRT_Buffer*> values, results(data.size());
  values.reserve(data.size() + 1);
  for (const DeviceBuffer* const buffer : data) values.push_back(buffer->value());
  values.push_back(indices);
  PJRT_Buffer* const* argument_lists[] = {values.data()};
  PJRT_Buffer** result_lists[] = {results.data()};
  CallArguments<PJRT_ExecuteOptions> options;
  CallArguments<PJRT_LoadedExecutable_Execute_Args> arguments;
  arguments->executable = program.executable.get();
  arguments->options = options.get();
  arguments->argument_lists = argument_lists;
  arguments->num_devices = 1;
  arguments->num_args = values.size();
  arguments->output_lists = result_lists;
  connection_->plugin().call(&PJRT_Api::PJRT_LoadedExecutable_Execute, arguments, "gather rows");
  std::vector<OwnedBuffer> owned;
  owned.reserve(results.size());
  for (PJRT_Buffer* const result : results) owned.emplace_back(connection_->plugin(), result);
  return owned;
}

}  // namespace cornu::inline v0::backends::pjrt
