#include "cornu/backends/remote/client/worker_group.h"

#include <functional>
#include <mutex>
#include <utility>

#include "cornu/backends/remote/wire/secret.h"
#include "cornu/base/check.h"
#include "cornu/base/cluster_environment.h"
#include "cornu/runtime/client_group.h"
#include "cornu/runtime/collective.h"
#include "cornu/runtime/distant_client.h"

namespace cornu::inline v0::backends::remote {
namespace {

using Connections = std::vector<std::shared_ptr<Connection>>;

/// The memberships of all workers in a new group, by rank.
std::vector<proto::GroupMember> make_members(const std::vector<WorkerAddress>& addresses) {
  proto::GroupMember member;
  member.set_group(random_secret());
  member.set_secret(random_secret());
  member.set_timeout_seconds(
      environment::processes_timeout().value_or(runtime::Collective::kDefaultTimeoutSeconds));
  for (const WorkerAddress& address : addresses)
    member.add_addresses(address.peer.empty() ? address.host_port : address.peer);
  std::vector<proto::GroupMember> members;
  for (const WorkerAddress& address : addresses) {
    member.set_rank(static_cast<std::uint32_t>(members.size()));
    member.set_keep_alive_ms(static_cast<std::uint32_t>(address.keep_alive_ms));
    members.push_back(member);
  }
  return members;
}

class WorkerGroup final : public runtime::ClientGroup, public runtime::DistantClient {
 public:
  explicit WorkerGroup(Connections connections)
      : ClientGroup(clients_of(connections)), connections_(std::move(connections)) {
    join();
  }

  runtime::DistantClient* distant() override { return this; }
  std::uint64_t generation() const override {
    std::uint64_t sum = 0;
    for (const std::shared_ptr<Connection>& connection : connections_) sum += connection->generation();
    return sum;
  }
  /// Opens a new group: the sessions' contents belong to the old one.
  void reconnect(std::uint64_t lost) override {
    const std::lock_guard reconnecting(mutex_);
    if (is_joined_ && generation() != lost && !has_lost_devices()) return;
    is_joined_ = false;
    std::vector<WorkerAddress> addresses;
    for (const std::shared_ptr<Connection>& connection : connections_)
      addresses.push_back(connection->address());
    const std::vector<proto::GroupMember> members = make_members(addresses);
    for_each_member([&](std::size_t i) {
      const std::lock_guard lock(connections_[i]->order());
      connections_[i]->set_group(members[i]);
      connections_[i]->reconnect(connections_[i]->generation());
    });
    join();
    is_joined_ = true;
  }
  void save(const std::string&, std::uint64_t, std::span<const runtime::NamedBuffer>) override {
    refuse_files();
  }
  void load(const std::string&, std::uint64_t, std::span<const runtime::NamedBuffer>) override {
    refuse_files();
  }

 private:
  static std::vector<std::shared_ptr<runtime::Client>> clients_of(const Connections& connections) {
    std::vector<std::shared_ptr<runtime::Client>> clients;
    for (const std::shared_ptr<Connection>& connection : connections)
      clients.push_back(make_client_of(connection));
    return clients;
  }
  [[noreturn]] void refuse_files() const {
    fail(ErrorCode::kUnimplemented,
         "[grpc] {}: a group of several workers keeps no backup in a worker's file; leave worker_file out, "
         "and the backup is kept here",
         platform());
  }
  void join() {
    for_each_member([&](std::size_t i) { connections_[i]->join(); }, Work::kTogether);
  }
  /// The other workers may wait for the lost one, or for a client's call that will not come.
  void give_up(std::size_t, const Error&) override {
    for (const std::shared_ptr<Connection>& connection : connections_) connection->end_session();
  }

  const Connections connections_;
  std::mutex mutex_;       // held by reconnect
  bool is_joined_ = true;  // under mutex_
};

void refuse_twice(const std::vector<WorkerAddress>& addresses) {
  for (std::size_t i = 0; i < addresses.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (addresses[i].host_port == addresses[j].host_port)
        invalid_argument(
            "[grpc] worker {} comes twice, with device \"{}\" and device \"{}\": a group of several workers "
            "has one device of each; a CPU engine uses all of its worker's cores",
            addresses[i].host_port, addresses[j].device, addresses[i].device);
}

}  // namespace

std::shared_ptr<runtime::Client> make_worker_group(const std::vector<WorkerAddress>& addresses) {
  refuse_twice(addresses);
  if (addresses.size() > static_cast<std::size_t>(kMaxGroupMembers))
    invalid_argument("[grpc] a group has at most {} workers; got {}", kMaxGroupMembers, addresses.size());
  const std::vector<proto::GroupMember> members = make_members(addresses);
  Connections connections;
  for (std::size_t i = 0; i < addresses.size(); ++i)
    connections.push_back(std::make_shared<Connection>(addresses[i], members[i]));
  return std::make_shared<WorkerGroup>(std::move(connections));
}

}  // namespace cornu::inline v0::backends::remote
