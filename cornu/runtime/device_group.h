#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/runtime/client.h"
#include "cornu/runtime/group_executable.h"

namespace cornu::inline v0::runtime {

/// A copy from / to host memory of the buffer that one device of a group has: that of replica `member`.
struct MemberWrite {
  Buffer* to = nullptr;
  std::int64_t member = 0;
  const void* from = nullptr;
};
struct MemberRead {
  const Buffer* from = nullptr;
  std::int64_t member = 0;
  void* to = nullptr;
};

/// Additional interface of a Client whose one device represents several (docs/adr/0080). Its programs have a
/// replica on each of these devices.
///
/// A buffer of the group is a buffer on each device, and all hold the same value: a write goes to all, a read
/// takes the first one's. Programs must preserve this by their collectives, which are StableHLO's among
/// size() replicas. The exception are buffers that write_members fills, the parts of a sharded variable
/// (docs/adr/0142): programs and copies take each device's own value, and read_members reads them.
class DeviceGroup {
 public:
  DeviceGroup() = default;
  virtual ~DeviceGroup() = default;
  DeviceGroup(const DeviceGroup&) = delete;
  DeviceGroup& operator=(const DeviceGroup&) = delete;

  virtual std::int64_t size() const = 0;
  /// True if some of the replicas run in other processes, each of which has a group like this one.
  virtual bool spans_processes() const { return false; }
  /// Compiles a program whose replicas each compute a part of a step's `batch` rows, in order. (In programs
  /// of Client::compile every replica computes all rows, and the outputs are replica 0's.)
  ///
  ///  * Rows of a part: the program's row arguments and outputs have ceil(batch / size()) rows.
  ///  * Padding: a replica with fewer rows, or none, gets other rows of the batch as padding; its number of
  ///    valid rows excludes them.
  ///  * Executions pass rows and receive outputs of whole batches.
  ///  * Several processes: an output has the whole batch's extent, since the replicas gather it by a
  ///    collective; an execution takes it from the first replica of this process.
  ///
  /// Errors: InvalidArgument if row arguments or outputs have another extent.
  virtual std::unique_ptr<Executable> compile_parts(const StepProgram& program, std::int64_t batch) = 0;
  /// Copies many values from / to host memory, each on one device, in one round trip. The caller counts it
  /// (Client::note).
  /// Requires: buffers of this group, members of this process, pointers to type().size_bytes() bytes.
  /// Errors: those of Client::write and Client::read.
  virtual void write_members(std::span<const MemberWrite> writes) = 0;
  virtual void read_members(std::span<const MemberRead> reads) = 0;
};

/// The client as a group; null if it has a single device.
DeviceGroup* device_group(Client* client);

/// The processes whose devices are members of a group.
enum class GroupReach {
  kThisProcess,
  kAllNodes,  // all nodes of its client: as many devices of each are members, those of node 0 first
};

/// A group of devices of one client of this process.
/// Owns: a share of the client.
/// Threads: safe.
class LocalDeviceGroup final : public Client, public DeviceGroup {
 public:
  /// `devices` are indices in client->devices(), in the order of the replicas. If the group spans nodes, the
  /// indices are the same on each node.
  /// Errors: FailedPrecondition for a null or addressable client; InvalidArgument for fewer than two devices
  ///         in all, and for a device that does not exist or is listed twice.
  LocalDeviceGroup(std::shared_ptr<Client> client, std::vector<int> devices,
                   GroupReach reach = GroupReach::kThisProcess);

  const std::shared_ptr<Client>& client() const { return client_; }
  /// Device indices of the members in this process, in their order.
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
  void write_members(std::span<const MemberWrite> writes) override;
  void read_members(std::span<const MemberRead> reads) override;

 protected:
  std::unique_ptr<Buffer> do_allocate(const ir::TensorType& type, int device) override;
  void do_write(std::span<const Write> writes) override;
  void do_read(std::span<const Read> reads) override;
  std::unique_ptr<Buffer> do_copy(const Buffer& buffer, int device) override;

 private:
  std::shared_ptr<Client> client_;
  std::vector<int> members_;
  NodePlace reached_;  // this process's rank among those of the group
};

/// A device of a client, to be a member of a group.
struct GroupMember {
  std::shared_ptr<Client> client;
  int device = 0;
  bool operator==(const GroupMember&) const = default;
};
/// Makes a client that represents all members: devices of one client, or devices of one worker, each of which
/// has its own client (DistantClient::group). The result is not a DeviceGroup if the worker runs the replicas
/// of a program fused into one.
/// Errors: those of LocalDeviceGroup and DistantClient::group; InvalidArgument for devices of several clients
///         that do not belong to one worker.
std::shared_ptr<Client> make_device_group(const std::vector<GroupMember>& members,
                                          GroupReach reach = GroupReach::kThisProcess);

}  // namespace cornu::inline v0::runtime
