#include "cornu/distribute/cluster_resolver/union_resolver.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::distribute {

UnionResolver::UnionResolver(std::vector<std::shared_ptr<const ClusterResolver>> resolvers,
                             UnionOptions options)
    : resolvers_(std::move(resolvers)), options_(std::move(options)) {
  if (resolvers_.empty()) invalid_argument("[UnionResolver] there must be a resolver");
  for (const auto& resolver : resolvers_)
    if (resolver == nullptr) invalid_argument("[UnionResolver] a resolver is null");
}

std::map<std::string, std::map<int, UnionResolver::Origin>> UnionResolver::origins() const {
  std::vector<ClusterSpec> specs;
  std::map<std::string, bool> are_dense;
  for (const auto& resolver : resolvers_) {
    const ClusterSpec& spec = specs.emplace_back(resolver->cluster_spec());
    for (const auto& [job, tasks] : spec.as_map())
      are_dense.try_emplace(job, true).first->second &= spec.is_dense(job);
  }
  std::map<std::string, std::map<int, Origin>> jobs;
  for (std::size_t i = 0; i < specs.size(); ++i)
    for (const auto& [job, tasks] : specs[i].as_map()) {
      std::map<int, Origin>& all = jobs[job];
      for (const auto& [index, address] : tasks) {
        const int place = are_dense[job] ? static_cast<int>(all.size()) : index;
        const auto [entry, is_new] = all.try_emplace(place, Origin{resolvers_[i].get(), index, address});
        if (!is_new && entry->second.address != address)
          invalid_argument("[UnionResolver] task {} of job \"{}\" is at \"{}\" and at \"{}\"", index, job,
                           entry->second.address, address);
      }
    }
  return jobs;
}

ClusterSpec UnionResolver::cluster_spec() const {
  std::map<std::string, JobTasks> jobs;
  for (const auto& [job, tasks] : origins()) {
    JobTasks& all = jobs[job];
    for (const auto& [index, origin] : tasks) all.emplace(index, origin.address);
  }
  return ClusterSpec::sparse(jobs);
}

TaskSpecs UnionResolver::task_specs() const {
  TaskSpecs specs;
  std::map<const ClusterResolver*, TaskSpecs> of_resolvers;
  for (const auto& [job, tasks] : origins())
    for (const auto& [index, origin] : tasks) {
      const auto [own, is_new] = of_resolvers.try_emplace(origin.resolver);
      if (is_new) own->second = origin.resolver->task_specs();
      specs[job][index] = spec_of_task(own->second, job, origin.task);
    }
  return specs;
}

std::string UnionResolver::master(const TaskName& task) const {
  const std::string layer = task.rpc_layer.value_or(rpc_layer());
  if (task.task_type.has_value() && task.task_id.has_value())
    return master_url(cluster_spec().task_address(*task.task_type, *task.task_id), layer);
  for (const auto& resolver : resolvers_)
    if (const std::string master = resolver->master({.rpc_layer = layer}); !master.empty()) return master;
  return "";
}

NumAccelerators UnionResolver::num_accelerators(const TaskName& task) const {
  for (const auto& resolver : resolvers_)
    if (NumAccelerators found = resolver->num_accelerators(task); !found.empty()) return found;
  return {};
}

std::string UnionResolver::environment() const {
  std::string found;
  for (const auto& resolver : resolvers_) {
    const std::string one = resolver->environment();
    if (!found.empty() && !one.empty() && found != one)
      invalid_argument("[UnionResolver] the resolvers disagree on the environment: \"{}\" and \"{}\"", found,
                       one);
    if (found.empty()) found = one;
  }
  return found;
}

std::string UnionResolver::task_type() const {
  if (options_.task_type.has_value()) return *options_.task_type;
  for (const auto& resolver : resolvers_)
    if (std::string type = resolver->task_type(); !type.empty()) return type;
  return "";
}

std::optional<int> UnionResolver::task_id() const {
  if (options_.task_id.has_value()) return options_.task_id;
  for (const auto& resolver : resolvers_)
    if (!resolver->task_type().empty()) return resolver->task_id();
  return std::nullopt;
}

std::optional<std::pair<std::string, int>> UnionResolver::own_task() const {
  if (options_.task_type.has_value() || options_.task_id.has_value()) return ClusterResolver::own_task();
  for (const auto& [job, tasks] : origins())
    for (const auto& [index, origin] : tasks)
      if (origin.resolver->own_task() == std::pair(job, origin.task)) return std::pair(job, index);
  return std::nullopt;
}

std::string UnionResolver::rpc_layer() const {
  return options_.rpc_layer.value_or(resolvers_.front()->rpc_layer());
}

}  // namespace cornu::inline v0::distribute
