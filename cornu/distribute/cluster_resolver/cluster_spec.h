#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"

/// Who takes part in a computation over several processes, as TensorFlow's tf.distribute.cluster_resolver
/// says it. See docs/guide/remote.md.
namespace cornu::inline v0::distribute {

/// The tasks of one job by their indices, which may have gaps: {0: "10.0.0.2:8470"}.
using JobTasks = std::map<int, std::string>;

/// Jobs ("worker", "ps"), and where each of their tasks listens.
class ClusterSpec {
 public:
  ClusterSpec() = default;
  /// Tasks in the order of their indices. Errors: InvalidArgument for a job without a name, an index below 0,
  /// an address that is not HOST:PORT.
  explicit ClusterSpec(const std::map<std::string, std::vector<std::string>>& jobs);
  /// The same with indices that are said.
  static ClusterSpec sparse(const std::map<std::string, JobTasks>& jobs);
  /// From JSON as in TF_CONFIG: {"worker": ["a:1", "b:1"], "ps": {"0": "c:1"}}. Errors: InvalidArgument with
  /// line and column, or the job that is wrong.
  static ClusterSpec from_json(StringViewArgument text);

  bool empty() const { return jobs_.empty(); }
  std::vector<std::string> jobs() const;
  /// Errors of this and the next: NotFound that lists what there is.
  const JobTasks& tasks(const StringArgument& job) const;
  const std::string& task_address(const StringArgument& job, int task) const;
  int num_tasks(const StringArgument& job) const { return static_cast<int>(tasks(job).size()); }
  /// Whether a job's indices are 0, 1, 2 and so on.
  bool is_dense(const StringArgument& job) const;
  const std::map<std::string, JobTasks>& as_map() const& { return jobs_; }
  const std::map<std::string, JobTasks>& as_map() && = delete;  // it would be gone
  /// As from_json takes it.
  std::string str() const;
  bool operator==(const ClusterSpec&) const = default;

 private:
  void add(const std::string& job, int task, const std::string& address);
  std::map<std::string, JobTasks> jobs_;
};

}  // namespace cornu::inline v0::distribute
