#include "cornu/distribute/kubernetes/login_support.h"

#include <filesystem>
#include <optional>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/cluster_environment.h"
#include "cornu/distribute/kubernetes/yaml_support.h"
#include "cornu/io/file.h"

namespace cornu::inline v0::distribute {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kTag = "KubernetesClusterResolver";
constexpr const char* kPodFolder = "/var/run/secrets/kubernetes.io/serviceaccount/";

std::string file_text(const std::string& path) {
  const std::vector<std::byte> bytes = io::read_file(path, {.max_size_bytes = 1 << 20});
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string first_line(const std::string& text) { return text.substr(0, text.find_first_of("\r\n")); }

std::optional<std::string> decode_base64(std::string_view text) {
  std::string bytes;
  unsigned bits = 0;
  int num_bits = 0;
  for (const char c : text) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (c == '=' || c == '\n' || c == '\r' || c == ' ') continue;
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<unsigned>(digit);
    num_bits += 6;
    if (num_bits < 8) continue;
    num_bits -= 8;
    bytes.push_back(static_cast<char>(bits >> num_bits & 0xFF));
  }
  return bytes;
}

/// A configuration in kubectl's format. Of several files the first that sets a value counts; missing files
/// are ignored.
class Config {
 public:
  explicit Config(std::vector<std::string> paths) : paths_(std::move(paths)) {
    std::error_code ignored;
    for (const std::string& path : paths_)
      if (fs::exists(path, ignored)) files_.push_back({path, parse_yaml(file_text(path), path)});
    if (files_.empty())
      fail(ErrorCode::kFailedPrecondition,
           "[{}] there is no \"{}\": give config_file, or run in a pod of the cluster", kTag, all_paths());
  }

  KubernetesLogin login(std::string context_name) const {
    for (const File& file : files_)
      if (context_name.empty()) context_name = text_of(file.value, "current-context");
    if (context_name.empty()) refuse("it has no current-context");
    const Entry context = entry("contexts", context_name, "context");
    const Entry cluster = entry("clusters", text_of(context.value, "cluster"), "cluster");
    const Entry user = entry("users", text_of(context.value, "user"), "user");
    if (text_of(cluster.value, "insecure-skip-tls-verify") == "true")
      refuse("it disables the check of the server's certificate; give certificate-authority");
    if (user.value.contains("exec") || user.value.contains("auth-provider"))
      refuse("its user logs in by a program, which is not run; give a token or a certificate");
    KubernetesLogin login{.server = text_of(cluster.value, "server"),
                          .authorities = content(cluster, "certificate-authority"),
                          .certificate = content(user, "client-certificate"),
                          .key = content(user, "client-key"),
                          .token = text_of(user.value, "token"),
                          .user = text_of(user.value, "username"),
                          .password = text_of(user.value, "password")};
    if (login.server.empty()) refuse("its cluster has no server");
    if (const std::string file = text_of(user.value, "tokenFile"); login.token.empty() && !file.empty())
      login.token = first_line(file_text(beside(user.path, file)));
    return login;
  }

 private:
  struct File {
    std::string path;
    json value;
  };
  /// A named entry, and the file that contains it.
  struct Entry {
    const std::string& path;
    const json& value;
  };

  std::string all_paths() const { return fmt::format("{}", fmt::join(paths_, ":")); }
  [[noreturn]] void refuse(std::string_view why) const {
    fail(ErrorCode::kFailedPrecondition, "[{}] \"{}\" cannot be used: {}", kTag, all_paths(), why);
  }
  static std::string text_of(const json& object, const char* key) {
    if (!object.is_object()) return "";
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
  }
  /// An entry of a list [{name: NAME, KIND: {...}}].
  Entry entry(const char* list, const std::string& name, const char* kind) const {
    for (const File& file : files_) {
      const auto found = file.value.is_object() ? file.value.find(list) : file.value.end();
      if (!file.value.is_object() || found == file.value.end() || !found->is_array()) continue;
      for (const json& one : *found)
        if (text_of(one, "name") == name && one.contains(kind)) return {file.path, one[kind]};
    }
    refuse(fmt::format("its {} have no \"{}\"", list, name));
  }
  /// Resolves a path relative to the configuration's file.
  static std::string beside(const std::string& config, const std::string& path) {
    return (fs::path(config).parent_path() / path).string();
  }
  /// The content of a file, or of a text: KEY is a file's path, KEY-data its content.
  std::string content(const Entry& found, const std::string& key) const {
    if (const std::string data = text_of(found.value, (key + "-data").c_str()); !data.empty()) {
      std::optional<std::string> text = decode_base64(data);
      if (!text.has_value()) refuse(fmt::format("its {}-data is not in base64", key));
      return std::move(*text);
    }
    const std::string path = text_of(found.value, key.c_str());
    return path.empty() ? "" : file_text(beside(found.path, path));
  }

  std::vector<std::string> paths_;
  std::vector<File> files_;  // the existing ones
};

}  // namespace

KubernetesLogin find_login(const KubernetesAccess& access) {
  const environment::KubernetesPlace place = environment::kubernetes_place();
  std::error_code ignored;
  if (access.config_file.empty() && place.host && place.port &&
      fs::exists(std::string(kPodFolder) + "token", ignored)) {
    const bool is_ipv6 = place.host->find(':') != std::string::npos;
    return {.server = fmt::format("https://{}{}{}:{}", is_ipv6 ? "[" : "", *place.host, is_ipv6 ? "]" : "",
                                  *place.port),
            .authorities = file_text(std::string(kPodFolder) + "ca.crt"),
            .token = first_line(file_text(std::string(kPodFolder) + "token"))};
  }
  const std::vector<std::string> paths =
      access.config_file.empty() ? place.configs : std::vector<std::string>{access.config_file};
  if (paths.empty())
    fail(ErrorCode::kFailedPrecondition,
         "[{}] there is no configuration: give config_file, set KUBECONFIG, or run in a pod", kTag);
  return Config(paths).login(access.context);
}

}  // namespace cornu::inline v0::distribute
