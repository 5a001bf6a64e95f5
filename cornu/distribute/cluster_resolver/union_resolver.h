#pragma once

#include <memory>

#include "cornu/distribute/cluster_resolver/cluster_resolver.h"

namespace cornu::inline v0::distribute {

struct UnionOptions {  // options/distribute.toml
  /// Job of this process; unset: that of the first resolver that has one.
  std::optional<std::string> task_type = {};
  /// Index of this process in its job; unset: that of the first resolver that has a job.
  std::optional<int> task_id = {};
  /// Protocol in addresses; unset: that of the first resolver.
  std::optional<std::string> rpc_layer = {};
};

/// Several clusters as one: values that the first one lacks are taken from the next. Tasks of a job without
/// explicit indices are numbered consecutively; explicit indices must not collide.
class UnionResolver : public ClusterResolver {
 public:
  /// Errors: InvalidArgument for an empty list, or a null resolver.
  explicit UnionResolver(std::vector<std::shared_ptr<const ClusterResolver>> resolvers,
                         UnionOptions options = {});

  /// Errors: InvalidArgument if two give the same task different addresses.
  ClusterSpec cluster_spec() const override;
  std::string master(const TaskName& task = {}) const override;
  NumAccelerators num_accelerators(const TaskName& task = {}) const override;
  /// Errors: InvalidArgument if they disagree.
  std::string environment() const override;
  std::string task_type() const override;
  std::optional<int> task_id() const override;
  std::string rpc_layer() const override;
  /// That of a resolver, with its index in the union. Errors: those of cluster_spec.
  std::optional<std::pair<std::string, int>> own_task() const override;
  /// The specs from the resolvers of the tasks. Errors: those of cluster_spec; NotFound for a task that was
  /// removed meanwhile.
  TaskSpecs task_specs() const override;

 private:
  /// The resolver of a task of the union, and the task's index there.
  struct Origin {
    const ClusterResolver* resolver = nullptr;
    int task = 0;
    std::string address;
  };
  /// By job and index in the union. Errors: those of cluster_spec.
  std::map<std::string, std::map<int, Origin>> origins() const;

  std::vector<std::shared_ptr<const ClusterResolver>> resolvers_;
  UnionOptions options_;
};

}  // namespace cornu::inline v0::distribute
