#include "cornu/distribute/kubernetes/yaml_support.h"

#include <yaml.h>

#include "cornu/base/check.h"

namespace cornu::inline v0::distribute {
namespace {

constexpr int kMostLevels = 32;

class YamlReader {
 public:
  YamlReader(std::string_view text, const std::string& name) : name_(name) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  ~YamlReader() {
    yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;

  nlohmann::json read() {
    next();  // the stream
    next();  // the document
    if (event_.type == YAML_STREAM_END_EVENT) return nullptr;
    next();
    return value(0);
  }

 private:
  [[noreturn]] void refuse(std::string_view why, const yaml_mark_t& mark) const {
    fail(ErrorCode::kFailedPrecondition, "[KubernetesClusterResolver] {}:{}:{}: {}", name_, mark.line + 1,
         mark.column + 1, why);
  }
  void next() {
    yaml_event_delete(&event_);
    event_ = {};
    if (yaml_parser_parse(&parser_, &event_) == 0) refuse("this is not YAML", parser_.problem_mark);
  }
  std::string scalar() const {
    return {reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length};
  }

  nlohmann::json value(int level) {
    if (level > kMostLevels) refuse("it is nested too deeply", event_.start_mark);
    switch (event_.type) {
      case YAML_SCALAR_EVENT: return scalar();
      case YAML_SEQUENCE_START_EVENT: return list(level);
      case YAML_MAPPING_START_EVENT: return map(level);
      default: refuse("a text, a list or a map without references is expected", event_.start_mark);
    }
  }
  nlohmann::json list(int level) {
    nlohmann::json all = nlohmann::json::array();
    for (next(); event_.type != YAML_SEQUENCE_END_EVENT; next()) all.push_back(value(level + 1));
    return all;
  }
  nlohmann::json map(int level) {
    nlohmann::json all = nlohmann::json::object();
    for (next(); event_.type != YAML_MAPPING_END_EVENT; next()) {
      if (event_.type != YAML_SCALAR_EVENT) refuse("the key must be a text", event_.start_mark);
      const std::string key = scalar();
      next();
      all[key] = value(level + 1);
    }
    return all;
  }

  const std::string& name_;
  yaml_parser_t parser_{};
  yaml_event_t event_{};
};

}  // namespace

nlohmann::json parse_yaml(std::string_view text, const std::string& name) {
  return YamlReader(text, name).read();
}

}  // namespace cornu::inline v0::distribute
