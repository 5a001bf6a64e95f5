#include "cornu/distribute/cluster_resolver/tf_config_cluster_resolver.h"

#include "cornu/base/check.h"
#include "cornu/base/cluster_environment.h"
#include "cornu/base/parse_number.h"
#include "cornu/distribute/cluster_resolver/json_support.h"

namespace cornu::inline v0::distribute {
namespace {

constexpr const char* kTfConfigTag = "TFConfigClusterResolver";

std::string text_of(const nlohmann::json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return "";
  if (!found->is_string()) invalid_argument("[{}] \"{}\" in TF_CONFIG must be a text", kTfConfigTag, key);
  return found->get<std::string>();
}

/// TensorFlow accepts 1 and "1".
std::optional<int> index_of(const nlohmann::json& task) {
  const auto found = task.find("index");
  if (found == task.end() || found->is_null()) return std::nullopt;
  const std::string text = found->is_string() ? found->get<std::string>() : found->dump();
  const std::optional<int> index = parse_number<int>(text);
  if (!index.has_value() || *index < 0)
    invalid_argument("[{}] \"index\" of the task in TF_CONFIG must be a number from 0; got {}", kTfConfigTag,
                     found->dump());
  return index;
}

}  // namespace

TFConfigClusterResolver::TFConfigClusterResolver(const TfConfigOptions& options) {
  const std::optional<std::string> text = environment::tf_config();
  const nlohmann::json json = text.has_value() ? parse_json(*text, kTfConfigTag) : nlohmann::json::object();
  if (!json.is_object())
    invalid_argument("[{}] TF_CONFIG must be an object with \"cluster\" and \"task\"", kTfConfigTag);
  if (json.contains("cluster")) cluster_spec_ = to_cluster_spec(json["cluster"], kTfConfigTag);
  const nlohmann::json task = json.value("task", nlohmann::json::object());
  if (!task.is_object())
    invalid_argument("[{}] \"task\" in TF_CONFIG must be an object with \"type\" and \"index\"",
                     kTfConfigTag);
  task_type_ = options.task_type.value_or(text_of(task, "type"));
  task_id_ = options.task_id.has_value() ? options.task_id : index_of(task);
  rpc_layer_ = options.rpc_layer.value_or(text_of(json, "rpc_layer"));
  if (rpc_layer_.empty()) rpc_layer_ = "grpc";
  environment_ = options.environment.value_or(text_of(json, "environment"));
  if (cluster_spec_.empty() || task_type_.empty()) return;
  const bool is_listed = cluster_spec_.as_map().contains(task_type_) &&
                         cluster_spec_.tasks(task_type_).contains(task_id_.value_or(0));
  // An evaluator is not part of the cluster, as in TensorFlow.
  if (!is_listed && task_type_ != "evaluator")
    invalid_argument(
        "[{}] this process is task {} of job \"{}\", which is not in the cluster of TF_CONFIG: every process "
        "has the same \"cluster\" and a \"task\" of its own",
        kTfConfigTag, task_id_.value_or(0), task_type_);
}

std::string TFConfigClusterResolver::master(const TaskName& task) const {
  std::size_t num_tasks = 0;
  for (const auto& [job, tasks] : cluster_spec_.as_map()) num_tasks += tasks.size();
  const std::string job = task.task_type.value_or(task_type_);
  if (num_tasks <= 1 || job.empty()) return "";
  return master_url(cluster_spec_.task_address(job, task.task_id.value_or(task_id_.value_or(0))),
                    task.rpc_layer.value_or(rpc_layer_));
}

}  // namespace cornu::inline v0::distribute
