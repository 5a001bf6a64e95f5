#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/distribute/cluster_resolver/cluster_resolver.h"

namespace cornu::inline v0::distribute {

struct TPUClusterOptions {
  /// "grpc://HOST:PORT", "HOST:PORT" (both may have fields behind a comma, as addresses of workers have);
  /// "local": this machine's; "sim:PROFILE": a simulated device; a name in the table; "": what COLAB_TPU_ADDR
  /// says, else what TPU_NAME says. Addresses of several workers, with commas between, are the tasks of one
  /// system.
  std::string tpu = {};
  std::string job_name = "worker";
  /// Lines "NAME ADDRESS"; "#" begins a comment. Empty: the file that CORNU_TPU_TABLE names.
  std::string table_file = {};
};

/// Locations of TPUs.
class TPUClusterResolver : public ClusterResolver {
 public:
  /// Errors: InvalidArgument with the given value and the accepted forms; NotFound for a name that is not in
  ///         the table.
  explicit TPUClusterResolver(TPUClusterOptions options = {});
  /// Takes `tpu` alone. Excludes lists in braces, which GCC 12 would convert to a text.
  template <std::convertible_to<std::string_view> Text>
  explicit TPUClusterResolver(const Text& tpu)
      : TPUClusterResolver(TPUClusterOptions{.tpu = std::string(std::string_view(tpu))}) {}

  /// A task for each address; empty for devices of this process.
  ClusterSpec cluster_spec() const override;
  /// "grpc://HOST:PORT"; empty for devices of this process.
  std::string master(const TaskName& task = {}) const override;
  NumAccelerators num_accelerators(const TaskName& task = {}) const override;
  std::string environment() const override { return environment_; }
  std::string task_type() const override { return job_name_; }
  std::optional<int> task_id() const override { return 0; }
  TaskSpecs task_specs() const override;

  /// The client spec of each task, for runtime::make_client; empty for this machine's own TPUs.
  const std::vector<std::string>& client_specs() const { return client_specs_; }

 private:
  std::string job_name_, environment_;
  std::vector<std::string> client_specs_;
};

}  // namespace cornu::inline v0::distribute
