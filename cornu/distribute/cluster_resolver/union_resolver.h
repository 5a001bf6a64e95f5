#pragma once

#include <memory>

#include "cornu/distribute/cluster_resolver/cluster_resolver.h"

namespace cornu::inline v0::distribute {

struct UnionOptions {
  std::optional<std::string> task_type = {};
  std::optional<int> task_id = {};
  std::optional<std::string> rpc_layer = {};
};

/// Several clusters as one: what the first does not say, the next does. Tasks of a job whose indices are not
/// said follow each other; where they are said, they must not clash.
class UnionResolver : public ClusterResolver {
 public:
  /// Errors: InvalidArgument for no resolver, or a null one.
  explicit UnionResolver(std::vector<std::shared_ptr<const ClusterResolver>> resolvers,
                         UnionOptions options = {});

  /// Errors: InvalidArgument when two give the same task different addresses.
  ClusterSpec cluster_spec() const override;
  std::string master(const TaskName& task = {}) const override;
  NumAccelerators num_accelerators(const TaskName& task = {}) const override;
  /// Errors: InvalidArgument when they disagree.
  std::string environment() const override;
  std::string task_type() const override;
  std::optional<int> task_id() const override;
  std::string rpc_layer() const override;
  /// As the resolvers have it that the tasks come from. Errors: as cluster_spec; NotFound for a task that
  /// went away in between.
  TaskSpecs task_specs() const override;

 private:
  /// The resolver that a task of the union comes from, and the task's index there.
  struct Origin {
    const ClusterResolver* resolver = nullptr;
    int task = 0;
    std::string address;
  };
  /// By job and index in the union. Errors: as cluster_spec.
  std::map<std::string, std::map<int, Origin>> origins() const;

  std::vector<std::shared_ptr<const ClusterResolver>> resolvers_;
  UnionOptions options_;
};

}  // namespace cornu::inline v0::distribute
