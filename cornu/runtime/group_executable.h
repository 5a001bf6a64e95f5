#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cornu/runtime/client.h"
#include "cornu/runtime/program_signature.h"

/// What groups of devices (device_group.h) have in common, whoever their members belong to.
namespace cornu::inline v0::runtime {

/// What a group says of itself: it is like its first device, and its kind begins with `count`.
DeviceInfo info_of_group(DeviceInfo first, std::size_t count);

/// Which of a program's replicas an executable runs; other nodes run theirs at the same time.
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

/// How the rows of a step go to replicas.
struct RowCut {
  std::int64_t batch = 0;  // the rows of a step; 0: each replica gets all of them
  std::int64_t part = 0;   // the rows of one replica

  bool is_cut() const { return batch > 0; }
  std::int64_t first_of(std::size_t replica) const { return static_cast<std::int64_t>(replica) * part; }
  /// How many of `num_rows` rows, in steps that follow each other, a replica works on in these steps. Where
  /// the parts do not fill a batch, some replicas have fewer rows in each step, which the program knows (see
  /// compile_parts).
  std::int64_t rows_of(std::size_t replica, std::int64_t num_rows) const;
  void indices_of(std::size_t replica, const std::int64_t* all, std::int64_t num_steps,
                  std::int64_t* own) const;
};

/// A program of a group: an execution is cut into what each replica works on, and the outputs are joined,
/// unless the program does that itself because replicas run elsewhere too.
class GroupExecutable : public Executable {
 public:
  /// `batch` as DeviceGroup::compile_parts takes it; 0 for programs of Client::compile.
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

  RowCut cut_of(const StepProgram& program, std::int64_t batch) const;
  void refuse_output_buffers(const Replica& all) const;
  /// `place` is the replica's among those that run here.
  Replica replica_of(Part& part, std::size_t place, const Replica& all, std::int64_t num_steps) const;
  /// Whether each replica gives the outputs of its own rows, not of all.
  bool cuts_outputs() const { return cut_.is_cut() && here_.count == num_replicas_; }
  void join_outputs(const std::vector<Part>& parts, const Replica& all, std::int64_t num_steps) const;

  Client& group_;
  std::int64_t num_replicas_;
  ReplicasHere here_;
  ProgramSignature signature_;
  RowCut cut_;
};

}  // namespace cornu::inline v0::runtime
