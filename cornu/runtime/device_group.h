#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cornu/runtime/client.h"
#include "cornu/runtime/group_executable.h"

namespace cornu::inline v0::runtime {

/// What a Client whose one device stands for several can do besides (docs/adr/0080). Its programs have a
/// replica on each of these devices.
///
/// A buffer of it is a buffer on each device, and all hold the same: a write goes to all, and a read takes
/// the first one's. Programs must keep it so by their collectives, which are StableHLO's among size()
/// replicas.
class DeviceGroup {
 public:
  DeviceGroup() = default;
  virtual ~DeviceGroup() = default;
  DeviceGroup(const DeviceGroup&) = delete;
  DeviceGroup& operator=(const DeviceGroup&) = delete;

  virtual std::int64_t size() const = 0;
  /// Whether some of the replicas run in other processes, which have groups like this one.
  virtual bool spans_processes() const { return false; }
  /// Compiles a program whose replicas work on parts of a step's `batch` rows, in order. (In programs of
  /// Client::compile every replica works on all rows, and the outputs are replica 0's.)
  ///
  ///  * Rows of a part: the program's row arguments and outputs have ceil(batch / size()) rows.
  ///  * Padding: a replica with fewer rows, or none, gets others of the batch in their place, and its number
  ///    of valid rows says so.
  ///  * Executions give rows and take outputs of whole batches.
  ///  * Several processes: an output has the whole batch's extent, as the replicas gather it by a collective,
  ///    and an execution takes that of the first replica here.
  ///
  /// Errors: InvalidArgument when row arguments or outputs have another extent.
  virtual std::unique_ptr<Executable> compile_parts(const StepProgram& program, std::int64_t batch) = 0;
};

/// The client as a group; null where its device is a single one.
DeviceGroup* device_group(Client* client);

/// How far a group reaches.
enum class GroupReach {
  kThisProcess,
  kAllNodes,  // all nodes of its client: as many devices of each are members, those of node 0 first
};

/// A group of devices of one client of this process.
/// Owns: a share of the client.
/// Threads: safe.
class LocalDeviceGroup final : public Client, public DeviceGroup {
 public:
  /// `devices` are places in client->devices(), that of replica 0 first; where the group spans nodes, the
  /// places are the same on each.
  /// Errors: FailedPrecondition for a null client or for one whose memory the host can address;
  ///         InvalidArgument for fewer than two devices in all, and for one that is not there or comes twice.
  LocalDeviceGroup(std::shared_ptr<Client> client, std::vector<int> devices,
                   GroupReach reach = GroupReach::kThisProcess);

  const std::shared_ptr<Client>& client() const { return client_; }
  /// The places of the members in this process, in their order.
  const std::vector<int>& members() const { return members_; }
  std::int64_t size() const override { return here().count * reached_.count; }
  bool spans_processes() const override { return reached_.count > 1; }
  /// The replicas of this process.
  ReplicasHere here() const {
    const auto count = static_cast<std::int64_t>(members_.size());
    return {.first = count * reached_.id, .count = count};
  }

  std::string platform() const override { return client_->platform(); }
  std::string description() const override;
  int num_threads() const override { return client_->num_threads(); }
  double now() const override { return client_->now(); }
  bool has_lost_devices() const override { return client_->has_lost_devices(); }

  std::unique_ptr<Executable> compile(const StepProgram& program) override;
  std::unique_ptr<Executable> compile_parts(const StepProgram& program, std::int64_t batch) override;

 protected:
  std::unique_ptr<Buffer> do_allocate(const ir::TensorType& type, int device) override;
  void do_write(std::span<const Write> writes) override;
  void do_read(std::span<const Read> reads) override;
  std::unique_ptr<Buffer> do_copy(const Buffer& buffer, int device) override;

 private:
  std::shared_ptr<Client> client_;
  std::vector<int> members_;
  NodePlace reached_;  // this process among those that the group reaches
};

/// A device of a client, to be in a group.
struct GroupMember {
  std::shared_ptr<Client> client;
  int device = 0;
  bool operator==(const GroupMember&) const = default;
};
/// A client that stands for all of them: devices of one client, or devices of one worker, each of which has a
/// client of its own (DistantClient::group). It is no DeviceGroup where the worker's devices run the replicas
/// of a program as one.
/// Errors: as LocalDeviceGroup; InvalidArgument for devices of several clients that are no worker's; as
/// DistantClient::group.
std::shared_ptr<Client> make_device_group(const std::vector<GroupMember>& members,
                                          GroupReach reach = GroupReach::kThisProcess);

}  // namespace cornu::inline v0::runtime
