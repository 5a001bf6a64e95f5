#include "cornu/distribute/cluster_resolver/json_support.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/base/parse_number.h"

namespace cornu::inline v0::distribute {

nlohmann::json parse_json(std::string_view text, const char* tag) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  if (text.size() > kMostBytes)
    invalid_argument("[{}] the JSON has {} bytes, at most {} are read", tag, text.size(), kMostBytes);
  int depth = 0;
  const auto at_most_deep = [&](int level, nlohmann::json::parse_event_t, nlohmann::json&) {
    depth = std::max(depth, level);
    return level < 16;
  };
  try {
    nlohmann::json json = nlohmann::json::parse(text, at_most_deep);
    if (depth >= 16) invalid_argument("[{}] the JSON is nested too deeply", tag);
    return json;
  } catch (const nlohmann::json::parse_error& error) {
    const std::string_view before =
        text.substr(0, std::min(error.byte == 0 ? 0 : error.byte - 1, text.size()));
    const std::size_t line_begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    invalid_argument("[{}] the text is not JSON: there is an error at line {}, column {}", tag,
                     std::count(before.begin(), before.end(), '\n') + 1, before.size() - line_begin + 1);
  } catch (const nlohmann::json::out_of_range&) {
    invalid_argument("[{}] the JSON has a number that is too large", tag);
  }
}

ClusterSpec to_cluster_spec(const nlohmann::json& json, const char* tag) {
  if (!json.is_object())
    invalid_argument("[{}] a cluster must be an object of jobs, e.g. {{\"worker\": [\"10.0.0.2:8470\"]}}",
                     tag);
  std::map<std::string, JobTasks> jobs;
  for (const auto& [job, tasks] : json.items()) {
    const auto add = [&, &name = job](int index, const nlohmann::json& address) {
      if (!address.is_string())
        invalid_argument("[{}] task {} of job \"{}\" must be the text HOST:PORT", tag, index, name);
      jobs[name].emplace(index, address.get<std::string>());
    };
    if (tasks.is_array()) {
      for (std::size_t i = 0; i < tasks.size(); ++i) add(static_cast<int>(i), tasks[i]);
    } else if (tasks.is_object()) {
      for (const auto& [key, address] : tasks.items()) {
        const std::optional<int> index = parse_number<int>(key);
        if (!index.has_value() || *index < 0)
          invalid_argument("[{}] \"{}\" is not an index of a task of job \"{}\"", tag, key, job);
        add(*index, address);
      }
    } else {
      invalid_argument("[{}] the tasks of job \"{}\" must be a list of HOST:PORT, or an object by index", tag,
                       job);
    }
  }
  return ClusterSpec::sparse(jobs);
}

}  // namespace cornu::inline v0::distribute
