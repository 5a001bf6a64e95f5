#include "cornu/distribute/cluster_resolver/slurm_cluster_resolver.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/cluster_environment.h"
#include "cornu/base/parse_number.h"

namespace cornu::inline v0::distribute {
namespace {

constexpr const char* kSlurmTag = "SlurmClusterResolver";
constexpr std::size_t kMost = 100'000;

[[noreturn]] void refuse(std::string_view what, std::string_view text) {
  invalid_argument("[{}] \"{}\" is not a {} in Slurm's format", kSlurmTag, text.substr(0, 200), what);
}

int to_number(std::string_view digits, std::string_view what, std::string_view text) {
  const std::optional<int> number = parse_number<int>(digits);
  if (!number.has_value() || *number < 0) refuse(what, text);
  return *number;
}

/// Splits at commas outside of brackets.
std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

/// Expands a range; "07-10" counts with two digits.
void add_range(std::vector<std::string>& names, std::string_view range, std::string_view prefix,
               std::string_view suffix, std::string_view text) {
  const std::size_t dash = std::min(range.find('-'), range.size());
  const std::string_view first = range.substr(0, dash);
  const std::string_view last = dash < range.size() ? range.substr(dash + 1) : first;
  const int from = to_number(first, "list of nodes", text), to = to_number(last, "list of nodes", text);
  if (to < from || static_cast<std::size_t>(to - from) >= kMost - names.size()) refuse("list of nodes", text);
  for (int i = 0; i <= to - from; ++i)  // not up to `to`, which may be the largest int
    names.push_back(
        fmt::format("{}{:0{}}{}", prefix, from + i, std::max<std::size_t>(first.size(), 1), suffix));
}

std::string required(const std::optional<std::string>& value, const char* name) {
  if (!value.has_value())
    fail(ErrorCode::kFailedPrecondition,
         "[{}] {} is not set: this process does not belong to a Slurm step; start it with srun", kSlurmTag,
         name);
  return *value;
}

}  // namespace

std::vector<std::string> expand_host_list(StringViewArgument text) {
  std::vector<std::string> names;
  for (const std::string_view part : split(text)) {
    const std::size_t open = part.find('['), close = part.find(']');
    if (part.empty() || names.size() >= kMost) refuse("list of nodes", text);
    if (open == std::string_view::npos && close == std::string_view::npos) {
      names.emplace_back(part);
      continue;
    }
    const bool is_one_range = open != std::string_view::npos && close != std::string_view::npos &&
                              open < close && part.find('[', open + 1) == std::string_view::npos;
    if (!is_one_range) refuse("list of nodes", text);
    for (const std::string_view range : split(part.substr(open + 1, close - open - 1)))
      add_range(names, range, part.substr(0, open), part.substr(close + 1), text);
  }
  return names;
}

std::vector<int> expand_tasks_per_node(StringViewArgument text) {
  std::vector<int> counts;
  for (const std::string_view part : split(text)) {
    const std::size_t open = part.find("(x");
    const int count = to_number(part.substr(0, std::min(open, part.size())), "number of tasks", text);
    int times = 1;
    if (open != std::string_view::npos) {
      if (!part.ends_with(')')) refuse("number of tasks", text);
      times = to_number(part.substr(open + 2, part.size() - open - 3), "number of tasks", text);
    }
    if (count < 1 || times < 1 || static_cast<std::size_t>(times) > kMost - counts.size())
      refuse("number of tasks", text);
    counts.insert(counts.end(), static_cast<std::size_t>(times), count);
  }
  return counts;
}

namespace {

/// The address of each task of the step: nodes in order, and the tasks of each node.
std::vector<std::string> addresses_of(const environment::SlurmStep& step, int port_base) {
  const std::vector<std::string> nodes = expand_host_list(required(step.nodes, "SLURM_STEP_NODELIST"));
  std::vector<int> per_node =
      expand_tasks_per_node(required(step.tasks_per_node, "SLURM_STEP_TASKS_PER_NODE"));
  if (per_node.size() != nodes.size())
    invalid_argument("[{}] the step has {} nodes, but numbers of tasks for {}", kSlurmTag, nodes.size(),
                     per_node.size());
  std::vector<std::string> addresses;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (int local = 0; local < per_node[i] && addresses.size() < kMost; ++local)
      addresses.push_back(fmt::format("{}:{}", nodes[i], port_base + local));
  return addresses;
}

/// Checks that the jobs share the step's tasks, of which this process is number `own`.
void check_jobs(const std::vector<std::pair<std::string, int>>& jobs, std::size_t num_tasks, int own) {
  std::set<std::string> names;
  std::int64_t wanted = 0;
  for (const auto& [job, count] : jobs) {
    if (count < 0 || !names.insert(job).second)
      invalid_argument("[{}] each job is given once, with its number of tasks; got job \"{}\" with {}",
                       kSlurmTag, job, count);
    wanted += count;
  }
  if (std::cmp_not_equal(wanted, num_tasks) || own >= wanted)
    invalid_argument("[{}] the jobs have {} tasks together, the step has {}; this process is number {}",
                     kSlurmTag, wanted, num_tasks, own);
}

}  // namespace

SlurmClusterResolver::SlurmClusterResolver(SlurmOptions options) : options_(std::move(options)) {
  const environment::SlurmStep step = environment::slurm_step();
  const std::vector<std::string> addresses = addresses_of(step, options_.port_base);
  const int own = to_number(required(step.task, "SLURM_PROCID"), "number of a task", step.task.value_or(""));
  if (options_.jobs.empty()) options_.jobs = {{"worker", static_cast<int>(addresses.size())}};
  check_jobs(options_.jobs, addresses.size(), own);
  std::map<std::string, JobTasks> jobs;
  int next = 0;
  for (const auto& [job, num_tasks] : options_.jobs)
    for (int task = 0; task < num_tasks; ++task, ++next) {
      jobs[job].emplace(task, addresses[static_cast<std::size_t>(next)]);
      if (next != own) continue;
      task_type_ = job;
      task_id_ = task;
    }
  cluster_spec_ = ClusterSpec::sparse(jobs);
}

std::string SlurmClusterResolver::master(const TaskName& task) const {
  return master_url(
      cluster_spec_.task_address(task.task_type.value_or(task_type_), task.task_id.value_or(task_id_)),
      task.rpc_layer.value_or(options_.rpc_layer));
}

NumAccelerators SlurmClusterResolver::num_accelerators(const TaskName&) const {
  return options_.gpus_per_task > 0 ? NumAccelerators{{"GPU", options_.gpus_per_task}} : NumAccelerators();
}

}  // namespace cornu::inline v0::distribute
