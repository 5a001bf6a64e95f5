#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/runtime/client.h"
#include "cornu/runtime/partition.h"
#include "cornu/runtime/program_signature.h"

/// Common parts of device groups (device_group.h), independent of the members' clients.
namespace cornu::inline v0::runtime {

/// A group's DeviceInfo: its first device's, with `count` before the kind.
DeviceInfo info_of_group(DeviceInfo first, std::size_t count);

/// The range of a program's replicas that an executable runs; other nodes run theirs at the same time.
struct ReplicasHere {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// A buffer of each member. Owns: a share of the client that they belong to.
class GroupBuffer final : public Buffer {
 public:
  GroupBuffer(const ir::TensorType& type, Client* group, std::shared_ptr<const void> owner)
      : Buffer(type, group), owner_(std::move(owner)) {}

  void add(std::unique_ptr<Buffer> member) { members_.push_back(std::move(member)); }
  Buffer& member(std::size_t i) const { return *members_[i]; }

 private:
  std::shared_ptr<const void> owner_;
  std::vector<std::unique_ptr<Buffer>> members_;
};

/// The buffer of member i inside a group's buffer.
Buffer& member_of(const Buffer& buffer, std::size_t i);

/// A program of a group. An execution is split into the replicas' parts, and their outputs are joined, unless
/// the program joins them itself because some replicas run on other nodes.
class GroupExecutable : public Executable {
 public:
  /// `batch`: as in DeviceGroup::compile_parts; 0 for programs of Client::compile.
  /// Errors: those of both.
  GroupExecutable(const StepProgram& program, Client& group, std::int64_t num_replicas, std::int64_t batch)
      : GroupExecutable(program, group, num_replicas, batch, {.first = 0, .count = num_replicas}) {}
  GroupExecutable(const StepProgram& program, Client& group, std::int64_t num_replicas, std::int64_t batch,
                  const ReplicasHere& here);

  Submission execute(const Execution& execution) final;

 protected:
  Client& group() const { return group_; }
  std::int64_t num_replicas() const { return num_replicas_; }

 private:
  struct Part;

  /// Runs all replicas until they are done; returns the steps done.
  virtual std::int64_t run_replicas(const Execution& execution) = 0;

  void check_cut(const StepProgram& program) const;
  void refuse_output_buffers(const Replica& all) const;
  /// `place`: the replica's index among those that run here.
  Replica replica_of(Part& part, std::size_t place, const Replica& all, std::int64_t num_steps) const;
  /// True if the replicas share the rows of a step; otherwise each gets all of them.
  bool is_cut() const { return cut_.num_rows > 0; }
  /// The number of rows that a replica gets of `num_rows` rows in consecutive steps. If the parts do not fill
  /// a batch, some replicas have fewer rows in each step; the program accounts for it (see compile_parts).
  std::int64_t rows_of(std::int64_t replica, std::int64_t num_rows) const;
  void indices_of(std::int64_t replica, const std::int64_t* all, std::int64_t num_steps,
                  std::int64_t* own) const;
  /// True if each replica outputs only its own rows.
  bool cuts_outputs() const { return is_cut() && here_.count == num_replicas_; }
  void join_outputs(const std::vector<Part>& parts, const Replica& all, std::int64_t num_steps) const;

  Client& group_;
  std::int64_t num_replicas_;
  ReplicasHere here_;
  ProgramSignature signature_;
  Partition cut_;
};

}  // namespace cornu::inline v0::runtime
