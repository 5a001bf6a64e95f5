#include "cornu/distribute/cluster_resolver/cluster_spec.h"

#include <optional>

#include "cornu/base/check.h"
#include "cornu/base/parse_number.h"
#include "cornu/distribute/cluster_resolver/json_support.h"

namespace cornu::inline v0::distribute {
namespace {

bool is_host_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::optional<int> port = parse_number<int>(text.substr(colon + 1));
  return port.has_value() && *port > 0 && *port < 65536;
}

}  // namespace

void ClusterSpec::add(const std::string& job, int task, const std::string& address) {
  if (job.empty()) invalid_argument("[ClusterSpec] a job must have a name");
  if (task < 0) invalid_argument("[ClusterSpec] the tasks of job \"{}\" count from 0; got {}", job, task);
  if (!is_host_port(address))
    invalid_argument("[ClusterSpec] task {} of job \"{}\" is at \"{}\", which is not HOST:PORT", task, job,
                     address);
  jobs_[job].emplace(task, address);
}

ClusterSpec::ClusterSpec(const std::map<std::string, std::vector<std::string>>& jobs) {
  for (const auto& [job, addresses] : jobs)
    for (std::size_t i = 0; i < addresses.size(); ++i) add(job, static_cast<int>(i), addresses[i]);
}

ClusterSpec ClusterSpec::sparse(const std::map<std::string, JobTasks>& jobs) {
  ClusterSpec spec;
  for (const auto& [job, tasks] : jobs)
    for (const auto& [task, address] : tasks) spec.add(job, task, address);
  return spec;
}

ClusterSpec ClusterSpec::from_json(StringViewArgument text) {
  return to_cluster_spec(parse_json(text, "ClusterSpec"), "ClusterSpec");
}

std::vector<std::string> ClusterSpec::jobs() const {
  std::vector<std::string> names;
  names.reserve(jobs_.size());
  for (const auto& [job, tasks] : jobs_) names.push_back(job);
  return names;
}

const JobTasks& ClusterSpec::tasks(const StringArgument& job) const {
  const auto found = jobs_.find(job);
  if (found == jobs_.end())
    fail(ErrorCode::kNotFound, "[ClusterSpec] there is no job \"{}\"; there are: {}", job,
         fmt::join(jobs(), ", "));
  return found->second;
}

const std::string& ClusterSpec::task_address(const StringArgument& job, int task) const {
  const JobTasks& all = tasks(job);
  const auto found = all.find(task);
  if (found == all.end())
    fail(ErrorCode::kNotFound, "[ClusterSpec] job \"{}\" has no task {}; it has {}", job, task, all.size());
  return found->second;
}

bool ClusterSpec::is_dense(const StringArgument& job) const {
  const JobTasks& all = tasks(job);
  return all.rbegin()->first == static_cast<int>(all.size()) - 1;
}

std::string ClusterSpec::str() const {
  nlohmann::json json = nlohmann::json::object();
  for (const auto& [job, tasks] : jobs_) {
    if (is_dense(job)) {
      for (const auto& [task, address] : tasks) json[job].push_back(address);
    } else {
      for (const auto& [task, address] : tasks) json[job][std::to_string(task)] = address;
    }
  }
  return json.dump();
}

}  // namespace cornu::inline v0::distribute
