#include "cornu/runtime/group_executable.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "cornu/base/check.h"

namespace cornu::inline v0::runtime {
namespace {

std::vector<Buffer*> members_of(std::span<Buffer* const> buffers, std::size_t i) {
  std::vector<Buffer*> members;
  members.reserve(buffers.size());
  for (const Buffer* buffer : buffers) members.push_back(&member_of(*buffer, i));
  return members;
}

}  // namespace

DeviceInfo info_of_group(DeviceInfo first, std::size_t count) {
  first.number = 0;
  if (!first.kind.empty()) first.kind = fmt::format("{} x {}", count, first.kind);
  return first;
}

Buffer& member_of(const Buffer& buffer, std::size_t i) {
  return static_cast<const GroupBuffer&>(buffer).member(i);
}

/// The operands of one replica of an execution.
struct GroupExecutable::Part {
  std::vector<Buffer*> state, fixed, row_buffers, output_buffers;
  std::vector<std::int64_t> row_indices;
  std::vector<std::vector<std::byte>> output_bytes;
  std::vector<std::byte*> outputs;
};

GroupExecutable::GroupExecutable(const StepProgram& program, Client& group, std::int64_t num_replicas,
                                 std::int64_t batch, const ReplicasHere& here)
    : group_(group),
      num_replicas_(num_replicas),
      here_(here),
      signature_(program, &group),
      cut_{.num_rows = batch, .num_parts = num_replicas} {
  if (batch < 0 || batch > std::numeric_limits<std::int32_t>::max())
    invalid_argument("[{}] a step has 1 to 2^31 rows; got {}", group.platform(), batch);
  if (is_cut()) check_cut(program);
}

Submission GroupExecutable::execute(const Execution& execution) {
  signature_.check(execution);
  const Replica& all = execution.replicas[0];
  refuse_output_buffers(all);
  std::vector<Part> parts(static_cast<std::size_t>(here_.count));
  std::vector<Replica> replicas;
  replicas.reserve(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i)
    replicas.push_back(replica_of(parts[i], i, all, execution.num_steps));
  const double start = group_.now();
  // The parts' memory may be freed only after the replicas are done.
  const std::int64_t num_steps =
      run_replicas({.replicas = replicas, .num_steps = execution.num_steps, .progress = execution.progress});
  if (cuts_outputs()) join_outputs(parts, all, num_steps);
  group_.note(&TransferStatistics::executions,
              {.calls = 1, .items = num_steps, .seconds = group_.now() - start});
  return {.done = {}, .num_steps = num_steps};
}

void GroupExecutable::check_cut(const StepProgram& program) const {
  const std::int64_t batch = cut_.num_rows, part = cut_.part_size();
  if (signature_.batch() != part)
    invalid_argument(
        "[{}] of {} rows each of {} devices gets {}; the row arguments of program \"{}\" have {}",
        group_.platform(), batch, num_replicas_, part, program.name, signature_.batch());
  const std::int64_t given = here_.count == num_replicas_ ? part : batch;
  for (const ir::TensorType& output : signature_.outputs())
    if (output.rank() == 0 || output.dims[0] != given)
      invalid_argument("[{}] of {} rows each of {} devices gives {}; an output of program \"{}\" is {}",
                       group_.platform(), batch, num_replicas_, given, program.name, output.str());
}

std::int64_t GroupExecutable::rows_of(std::int64_t replica, std::int64_t num_rows) const {
  return num_rows / cut_.num_rows * cut_.part_size() + cut_.num_valid(replica, num_rows % cut_.num_rows);
}

void GroupExecutable::indices_of(std::int64_t replica, const std::int64_t* all, std::int64_t num_steps,
                                 std::int64_t* own) const {
  const std::int64_t first = cut_.begin(replica), count = cut_.size(replica), part = cut_.part_size();
  for (std::int64_t step = 0; step < num_steps; ++step, all += cut_.num_rows, own += part) {
    std::copy_n(all + first, count, own);
    std::fill_n(own + count, part - count, all[0]);
  }
}

void GroupExecutable::refuse_output_buffers(const Replica& all) const {
  if (is_cut() && !all.output_buffers.empty())
    fail(ErrorCode::kUnimplemented, "[{}] outputs of rows that devices share go to host memory",
         group_.platform());
}

Replica GroupExecutable::replica_of(Part& part, std::size_t place, const Replica& all,
                                    std::int64_t num_steps) const {
  const std::int64_t number = here_.first + static_cast<std::int64_t>(place);
  part.state = members_of(all.state, place);
  part.fixed = members_of(all.fixed, place);
  part.row_buffers = members_of(all.row_buffers, place);
  part.output_buffers = members_of(all.output_buffers, place);
  Replica replica = all;
  replica.state = part.state;
  replica.fixed = part.fixed;
  replica.row_buffers = part.row_buffers;
  replica.output_buffers = part.output_buffers;
  if (is_cut() && signature_.num_rows() > 0 && num_steps > 0) {
    part.row_indices.resize(static_cast<std::size_t>(num_steps * cut_.part_size()));
    indices_of(number, all.row_indices, num_steps, part.row_indices.data());
    replica.row_indices = part.row_indices.data();
  }
  if (is_cut()) replica.num_rows = rows_of(number, all.num_rows);
  // The first replica's outputs are the group's, unless each replica has rows of its own.
  if (all.outputs.empty() || (place == 0 && !cuts_outputs())) return replica;
  for (const ir::TensorType& output : signature_.outputs()) {
    part.output_bytes.emplace_back(output.size_bytes() * static_cast<std::size_t>(num_steps));
    part.outputs.push_back(part.output_bytes.back().data());
  }
  replica.outputs = part.outputs;
  return replica;
}

/// Concatenates the rows of all replicas, step by step.
void GroupExecutable::join_outputs(const std::vector<Part>& parts, const Replica& all,
                                   std::int64_t num_steps) const {
  for (std::size_t i = 0; i < all.outputs.size(); ++i) {
    const std::size_t part_bytes = signature_.outputs()[i].size_bytes();
    const std::size_t row_bytes = part_bytes / static_cast<std::size_t>(cut_.part_size());
    std::byte* to = all.outputs[i];
    for (std::int64_t step = 0; step < num_steps; ++step)
      for (std::size_t number = 0; number < parts.size(); ++number) {
        const std::size_t bytes =
            static_cast<std::size_t>(cut_.size(static_cast<std::int64_t>(number))) * row_bytes;
        if (bytes == 0) continue;
        std::memcpy(to, parts[number].outputs[i] + static_cast<std::size_t>(step) * part_bytes, bytes);
        to += bytes;
      }
  }
}

}  // namespace cornu::inline v0::runtime
