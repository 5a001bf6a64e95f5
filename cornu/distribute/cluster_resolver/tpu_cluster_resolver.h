#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/distribute/cluster_resolver/cluster_resolver.h"

namespace cornu::inline v0::distribute {

struct TPUClusterOptions {  // options/distribute.toml
  /// Address: "grpc://HOST:PORT" or "HOST:PORT", which may have fields after a comma, as addresses of workers
  /// have; several are the tasks of one system. "local": the TPUs of this machine; "sim:PROFILE": a simulated
  /// device; a name: its address in the table. Empty: the value of COLAB_TPU_ADDR, else of TPU_NAME.
  std::string tpu = {};
  /// Job of the tasks; must not be empty.
  std::string job_name = "worker";
  /// File with lines "NAME ADDRESS", in which "#" starts a comment; empty: the file in CORNU_TPU_TABLE.
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
  std::optional<std::pair<std::string, int>> own_task() const override { return std::nullopt; }
  TaskSpecs task_specs() const override;

  /// The client spec of each task, for runtime::make_client; empty for this machine's own TPUs.
  const std::vector<std::string>& client_specs() const { return client_specs_; }

 private:
  std::string job_name_, environment_;
  std::vector<std::string> client_specs_;
};

}  // namespace cornu::inline v0::distribute
