#include "cornu/runtime/device_group.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/undefined.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/runtime/program_signature.h"

namespace cornu::inline v0::runtime {
namespace {

DeviceInfo info_of(const std::shared_ptr<Client>& client, const std::vector<int>& devices) {
  require_defined(client, "client");
  if (client->is_addressable())
    fail(ErrorCode::kFailedPrecondition, "[{}] the host addresses the devices of {}: they are no group",
         client->platform(), client->name());
  if (devices.size() < 2)
    invalid_argument("[{}] a group has two devices or more; got {}", client->platform(), devices.size());
  const std::span<const DeviceInfo> infos = client->devices();
  std::vector<int> seen;
  for (const int device : devices) {
    if (device < 0 || std::cmp_greater_equal(device, infos.size()))
      invalid_argument("[{}] device {} is not there: {} has {} devices", client->platform(), device,
                       client->name(), infos.size());
    if (std::find(seen.begin(), seen.end(), device) != seen.end())
      invalid_argument("[{}] device {} of {} comes twice", client->platform(), device, client->name());
    seen.push_back(device);
  }
  DeviceInfo info = infos[static_cast<std::size_t>(devices[0])];
  info.number = 0;
  if (!info.kind.empty()) info.kind = fmt::format("{} x {}", devices.size(), info.kind);
  return info;
}

/// One buffer a member. Owns: a share of the client, which they belong to.
class GroupBuffer final : public Buffer {
 public:
  GroupBuffer(const ir::TensorType& type, LocalDeviceGroup* group)
      : Buffer(type, group), client_(group->client()) {}

  void add(std::unique_ptr<Buffer> member) { members_.push_back(std::move(member)); }
  Buffer& member(std::size_t i) const { return *members_[i]; }

 private:
  std::shared_ptr<Client> client_;
  std::vector<std::unique_ptr<Buffer>> members_;
};

Buffer& member_of(const Buffer& buffer, std::size_t i) {
  return static_cast<const GroupBuffer&>(buffer).member(i);
}

/// How the rows of a step go to replicas.
struct Cut {
  std::int64_t batch = 0;  // rows of a step; 0: each replica gets all of them
  std::int64_t part = 0;   // rows of a replica

  bool is_cut() const { return batch > 0; }
  std::int64_t first_of(std::size_t replica) const { return static_cast<std::int64_t>(replica) * part; }

  /// Of `num_rows` rows in steps that follow each other: those of a replica, in the same steps. Where the parts do
  /// not fill a batch, some have fewer in each step, which the program knows (see compile_parts).
  std::int64_t rows_of(std::size_t replica, std::int64_t num_rows) const {
    return num_rows / batch * part + std::clamp<std::int64_t>(num_rows % batch - first_of(replica), 0, part);
  }

  void indices_of(std::size_t replica, const std::int64_t* all, std::int64_t num_steps,
                  std::int64_t* own) const {
    const std::int64_t first = std::min(first_of(replica), batch), count = std::min(part, batch - first);
    for (std::int64_t step = 0; step < num_steps; ++step, all += batch, own += part) {
      std::copy_n(all + first, count, own);
      std::fill_n(own + count, part - count, all[0]);
    }
  }
};

/// What one replica of an execution works on.
struct Part {
  std::vector<Buffer*> state, fixed, row_buffers, output_buffers;
  std::vector<std::int64_t> row_indices;
  std::vector<std::vector<std::byte>> output_bytes;
  std::vector<std::byte*> outputs;
};

std::vector<Buffer*> members_of(std::span<Buffer* const> buffers, std::size_t i) {
  std::vector<Buffer*> members;
  members.reserve(buffers.size());
  for (const Buffer* buffer : buffers) members.push_back(&member_of(*buffer, i));
  return members;
}

class GroupExecutable final : public Executable {
 public:
  GroupExecutable(const StepProgram& program, LocalDeviceGroup& group, std::int64_t batch)
      : group_(group), signature_(program, &group), client_(group.client()) {
    if (batch > 0) cut_ = cut_of(program, batch);
    StepProgram of_replicas = program;
    of_replicas.devices = group.members();
    const double start = group.now();
    inside_ = client_->compile(of_replicas);
    group.note(&CallCounts::compiles, {.calls = 1, .items = 1, .seconds = group.now() - start});
  }

  Submission execute(const Execution& execution) override {
    signature_.check(execution);
    const Replica& all = execution.replicas[0];
    refuse_output_buffers(all);
    const auto num_replicas = static_cast<std::size_t>(group_.size());
    std::vector<Part> parts(num_replicas);
    std::vector<Replica> replicas;
    for (std::size_t i = 0; i < num_replicas; ++i)
      replicas.push_back(replica_of(parts[i], i, all, execution.num_steps));
    const double start = group_.now();
    const Submission submission = inside_->execute(
        {.replicas = replicas, .num_steps = execution.num_steps, .progress = execution.progress});
    submission.done.wait();  // then what replicas work on may go
    if (cut_.is_cut()) join_outputs(parts, all, submission.num_steps);
    group_.note(&CallCounts::executions,
                {.calls = 1, .items = submission.num_steps, .seconds = group_.now() - start});
    return {.done = {}, .num_steps = submission.num_steps};
  }

  void prepare(std::int64_t num_steps) override { inside_->prepare(num_steps); }
  const CompileStats& stats() const override { return inside_->stats(); }
  using Executable::explain;
  std::string explain(const Profiler* measured) const override {
    return fmt::format("on {} devices of {}, a replica on each\n{}", group_.size(), client_->name(),
                       inside_->explain(measured));
  }
  std::string dump(const std::string& stage) const override { return inside_->dump(stage); }

 private:
  Cut cut_of(const StepProgram& program, std::int64_t batch) const {
    const Cut cut{.batch = batch, .part = (batch + group_.size() - 1) / group_.size()};
    if (signature_.batch() != cut.part)
      invalid_argument(
          "[{}] of {} rows each of {} devices gets {}; the row arguments of program \"{}\" have {}",
          group_.platform(), batch, group_.size(), cut.part, program.name, signature_.batch());
    for (const ir::TensorType& output : signature_.outputs())
      if (output.rank() == 0 || output.dims[0] != cut.part)
        invalid_argument("[{}] of {} rows each of {} devices gives {}; an output of program \"{}\" is {}",
                         group_.platform(), batch, group_.size(), cut.part, program.name, output.str());
    return cut;
  }

  void refuse_output_buffers(const Replica& all) const {
    if (cut_.is_cut() && !all.output_buffers.empty())
      fail(ErrorCode::kUnimplemented, "[{}] outputs of rows that devices share go to host memory",
           group_.platform());
  }

  Replica replica_of(Part& part, std::size_t number, const Replica& all, std::int64_t num_steps) const {
    part.state = members_of(all.state, number);
    part.fixed = members_of(all.fixed, number);
    part.row_buffers = members_of(all.row_buffers, number);
    part.output_buffers = members_of(all.output_buffers, number);
    Replica replica = all;
    replica.state = part.state;
    replica.fixed = part.fixed;
    replica.row_buffers = part.row_buffers;
    replica.output_buffers = part.output_buffers;
    if (cut_.is_cut() && signature_.num_rows() > 0 && num_steps > 0) {
      part.row_indices.resize(static_cast<std::size_t>(num_steps * cut_.part));
      cut_.indices_of(number, all.row_indices, num_steps, part.row_indices.data());
      replica.row_indices = part.row_indices.data();
    }
    if (cut_.is_cut()) replica.num_rows = cut_.rows_of(number, all.num_rows);
    // Replica 0's outputs are everybody's, unless each has rows of its own.
    if (all.outputs.empty() || (number == 0 && !cut_.is_cut())) return replica;
    for (const ir::TensorType& output : signature_.outputs()) {
      part.output_bytes.emplace_back(output.size_bytes() * static_cast<std::size_t>(num_steps));
      part.outputs.push_back(part.output_bytes.back().data());
    }
    replica.outputs = part.outputs;
    return replica;
  }

  /// Rows of all replicas behind each other, step by step.
  void join_outputs(const std::vector<Part>& parts, const Replica& all, std::int64_t num_steps) const {
    for (std::size_t i = 0; i < all.outputs.size(); ++i) {
      const std::size_t part_bytes = signature_.outputs()[i].size_bytes();
      const std::size_t row_bytes = part_bytes / static_cast<std::size_t>(cut_.part);
      std::byte* to = all.outputs[i];
      for (std::int64_t step = 0; step < num_steps; ++step)
        for (std::size_t number = 0; number < parts.size(); ++number) {
          const std::int64_t first = std::min(cut_.first_of(number), cut_.batch);
          const std::size_t bytes =
              static_cast<std::size_t>(std::min(cut_.part, cut_.batch - first)) * row_bytes;
          if (bytes == 0) continue;
          std::memcpy(to, parts[number].outputs[i] + static_cast<std::size_t>(step) * part_bytes, bytes);
          to += bytes;
        }
    }
  }

  LocalDeviceGroup& group_;
  ProgramSignature signature_;
  std::shared_ptr<Client> client_;
  Cut cut_;
  std::unique_ptr<Executable> inside_;
};

}  // namespace

LocalDeviceGroup::LocalDeviceGroup(std::shared_ptr<Client> client, std::vector<int> devices)
    : Client({info_of(client, devices)}), client_(std::move(client)), members_(std::move(devices)) {}

std::string LocalDeviceGroup::description() const {
  return fmt::format("devices {} of {}", fmt::join(members_, ", "), client_->description());
}

std::unique_ptr<Executable> LocalDeviceGroup::compile(const StepProgram& program) {
  return std::make_unique<GroupExecutable>(program, *this, 0);
}

std::unique_ptr<Executable> LocalDeviceGroup::compile_parts(const StepProgram& program, std::int64_t batch) {
  if (batch < 1 || batch > std::numeric_limits<std::int32_t>::max())
    invalid_argument("[{}] a step has 1 to 2^31 rows; got {}", platform(), batch);
  return std::make_unique<GroupExecutable>(program, *this, batch);
}

std::unique_ptr<Buffer> LocalDeviceGroup::do_allocate(const ir::TensorType& type, int) {
  auto buffer = std::make_unique<GroupBuffer>(type, this);
  for (const int member : members_) buffer->add(client_->allocate(type, member));
  return buffer;
}

void LocalDeviceGroup::do_write(std::span<const Write> writes) {
  std::vector<Write> of_members;
  of_members.reserve(writes.size() * members_.size());
  for (const Write& write : writes)
    for (std::size_t i = 0; i < members_.size(); ++i)
      of_members.push_back({&member_of(*write.to, i), write.from});
  client_->write(of_members);
}

void LocalDeviceGroup::do_read(std::span<const Read> reads) {
  std::vector<Read> of_first;
  of_first.reserve(reads.size());
  for (const Read& read : reads) of_first.push_back({&member_of(*read.from, 0), read.to});
  client_->read(of_first);
}

std::unique_ptr<Buffer> LocalDeviceGroup::do_copy(const Buffer& buffer, int) {
  auto copy = std::make_unique<GroupBuffer>(buffer.type(), this);
  for (std::size_t i = 0; i < members_.size(); ++i)
    copy->add(client_->copy(member_of(buffer, i), members_[i]));
  return copy;
}

DeviceGroup* device_group(Client* client) {
  auto* const group = dynamic_cast<DeviceGroup*>(client);
  return group == nullptr || group->size() < 2 ? nullptr : group;
}

std::shared_ptr<Client> make_device_group(const std::vector<GroupMember>& members) {
  if (members.empty()) invalid_argument("[device_group] there is no device");
  std::vector<std::shared_ptr<Client>> clients;
  std::vector<int> places;
  for (const GroupMember& member : members) {
    clients.push_back(member.client);
    places.push_back(member.device);
  }
  const bool is_one =
      std::all_of(clients.begin(), clients.end(), [&](const auto& client) { return client == clients[0]; });
  if (is_one) return std::make_shared<LocalDeviceGroup>(clients[0], std::move(places));
  DistantClient* const first = require_defined(clients[0], "client").distant();
  if (first == nullptr)
    invalid_argument("[{}] devices of several clients are no group", clients[0]->platform());
  return first->group(clients);
}

}  // namespace cornu::inline v0::runtime
