#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"

/// The tasks of a computation over several processes, in the terms of TensorFlow's
/// tf.distribute.cluster_resolver. See docs/guide/remote.md.
namespace cornu::inline v0::distribute {

/// The addresses of one job's tasks by their indices, which may have gaps: {0: "10.0.0.2:8470"}.
using JobTasks = std::map<int, std::string>;

/// Jobs ("worker", "ps") and the addresses of their tasks.
class ClusterSpec {
 public:
  ClusterSpec() = default;
  /// Tasks in the order of their indices. Errors: InvalidArgument for an empty job name, a negative index, or
  /// an address that is not HOST:PORT.
  explicit ClusterSpec(const std::map<std::string, std::vector<std::string>>& jobs);
  /// Makes a cluster with explicit indices. Errors: those of the constructor.
  static ClusterSpec sparse(const std::map<std::string, JobTasks>& jobs);
  /// Parses JSON as in TF_CONFIG: {"worker": ["a:1", "b:1"], "ps": {"0": "c:1"}}. Errors: InvalidArgument
  /// with line and column, or with the invalid job.
  static ClusterSpec from_json(StringViewArgument text);

  bool empty() const { return jobs_.empty(); }
  std::vector<std::string> jobs() const;
  /// Errors of this and the next: NotFound with the existing ones.
  const JobTasks& tasks(const StringArgument& job) const;
  const std::string& task_address(const StringArgument& job, int task) const;
  int num_tasks(const StringArgument& job) const { return static_cast<int>(tasks(job).size()); }
  /// True if a job's indices are 0, 1, 2 and so on.
  bool is_dense(const StringArgument& job) const;
  const std::map<std::string, JobTasks>& as_map() const& { return jobs_; }
  const std::map<std::string, JobTasks>& as_map() && = delete;  // it would dangle
  /// The JSON for from_json.
  std::string str() const;
  bool operator==(const ClusterSpec&) const = default;

 private:
  void add(const std::string& job, int task, const std::string& address);
  std::map<std::string, JobTasks> jobs_;
};

}  // namespace cornu::inline v0::distribute
