#include "cornu/runtime/device_group.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/undefined.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/runtime/group_executable.h"

namespace cornu::inline v0::runtime {
namespace {

DeviceInfo info_of(const std::shared_ptr<Client>& client, const std::vector<int>& devices, GroupReach reach) {
  require_defined(client, "client");
  if (client->is_addressable())
    fail(ErrorCode::kFailedPrecondition, "[{}] the host addresses the devices of {}: they are no group",
         client->platform(), client->name());
  const std::size_t num_members =
      devices.size() *
      (reach == GroupReach::kAllNodes ? static_cast<std::size_t>(client->node().count) : std::size_t{1});
  if (num_members < 2)
    invalid_argument("[{}] a group has two devices or more; got {}", client->platform(), num_members);
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
  return info_of_group(infos[static_cast<std::size_t>(devices[0])], num_members);
}

class LocalGroupExecutable final : public GroupExecutable {
 public:
  LocalGroupExecutable(const StepProgram& program, LocalDeviceGroup& group, std::int64_t batch)
      : GroupExecutable(program, group, group.size(), batch, group.here()),
        client_(group.client()),
        num_here_(group.here().count) {
    StepProgram of_replicas = program;
    of_replicas.devices = group.members();
    of_replicas.spans_nodes = group.spans_processes();
    const double start = group.now();
    inside_ = client_->compile(of_replicas);
    group.note(&TransferStatistics::compiles, {.calls = 1, .items = 1, .seconds = group.now() - start});
  }

  void prepare(std::int64_t num_steps) override { inside_->prepare(num_steps); }
  std::size_t kept_bytes(const Replica& replica, std::int64_t num_steps) override {
    return inside_->kept_bytes(replica, num_steps);
  }
  const CompileStats& stats() const override { return inside_->stats(); }
  using Executable::explain;
  std::string explain(const Profiler* measured) const override {
    const std::string here =
        num_here_ == num_replicas() ? "" : fmt::format(" and of other processes, {} here", num_here_);
    return fmt::format("on {} devices of {}{}, a replica on each\n{}", num_replicas(), client_->name(), here,
                       inside_->explain(measured));
  }
  std::string dump(const std::string& stage) const override { return inside_->dump(stage); }

 private:
  std::int64_t run_replicas(const Execution& execution) override {
    const Submission submission = inside_->execute(execution);
    submission.done.wait();
    return submission.num_steps;
  }

  std::shared_ptr<Client> client_;
  std::int64_t num_here_;
  std::unique_ptr<Executable> inside_;
};

}  // namespace

LocalDeviceGroup::LocalDeviceGroup(std::shared_ptr<Client> client, std::vector<int> devices, GroupReach reach)
    : Client({info_of(client, devices, reach)}), client_(std::move(client)), members_(std::move(devices)) {
  if (reach == GroupReach::kAllNodes) reached_ = client_->node();
}

std::string LocalDeviceGroup::description() const {
  return fmt::format("devices {} of {}{}", fmt::join(members_, ", "), client_->description(),
                     spans_processes() ? fmt::format(", in each of {} processes", reached_.count) : "");
}

std::unique_ptr<Executable> LocalDeviceGroup::compile(const StepProgram& program) {
  return std::make_unique<LocalGroupExecutable>(program, *this, 0);
}

std::unique_ptr<Executable> LocalDeviceGroup::compile_parts(const StepProgram& program, std::int64_t batch) {
  if (batch < 1) invalid_argument("[{}] a step has 1 to 2^31 rows; got {}", platform(), batch);
  return std::make_unique<LocalGroupExecutable>(program, *this, batch);
}

void LocalDeviceGroup::write_members(std::span<const MemberWrite> writes) {
  std::vector<Write> own;
  own.reserve(writes.size());
  for (const MemberWrite& write : writes)
    own.push_back({&member_of(*write.to, static_cast<std::size_t>(write.member - here().first)), write.from});
  client_->write(own);
}

void LocalDeviceGroup::read_members(std::span<const MemberRead> reads) {
  std::vector<Read> own;
  own.reserve(reads.size());
  for (const MemberRead& read : reads)
    own.push_back({&member_of(*read.from, static_cast<std::size_t>(read.member - here().first)), read.to});
  client_->read(own);
}

std::unique_ptr<Buffer> LocalDeviceGroup::do_allocate(const ir::TensorType& type, int) {
  auto buffer = std::make_unique<GroupBuffer>(type, this, client_);
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
  auto copy = std::make_unique<GroupBuffer>(buffer.type(), this, client_);
  for (std::size_t i = 0; i < members_.size(); ++i)
    copy->add(client_->copy(member_of(buffer, i), members_[i]));
  return copy;
}

DeviceGroup* device_group(Client* client) {
  auto* const group = dynamic_cast<DeviceGroup*>(client);
  return group == nullptr || group->size() < 2 ? nullptr : group;
}

std::shared_ptr<Client> make_device_group(const std::vector<GroupMember>& members, GroupReach reach) {
  if (members.empty()) invalid_argument("[device_group] there is no device");
  std::vector<std::shared_ptr<Client>> clients;
  std::vector<int> places;
  for (const GroupMember& member : members) {
    clients.push_back(member.client);
    places.push_back(member.device);
  }
  const bool is_one =
      std::all_of(clients.begin(), clients.end(), [&](const auto& client) { return client == clients[0]; });
  if (is_one) return std::make_shared<LocalDeviceGroup>(clients[0], std::move(places), reach);
  DistantClient* const first = require_defined(clients[0], "client").distant();
  if (first == nullptr)
    invalid_argument("[{}] devices of several clients are no group", clients[0]->platform());
  return first->group(clients);
}

}  // namespace cornu::inline v0::runtime
