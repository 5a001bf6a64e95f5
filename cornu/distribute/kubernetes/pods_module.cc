#include <curl/curl.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cornu/base/check.h"
#include "cornu/base/module_loader.h"
#include "cornu/distribute/kubernetes/login_support.h"
#include "cornu/distribute/kubernetes/module.h"

namespace cornu::inline v0::distribute {
namespace {

constexpr const char* kTag = "KubernetesClusterResolver";
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

struct FreeCurl {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  void operator()(char* text) const { curl_free(text); }
};

/// Stores received bytes up to a limit; beyond it the transfer ends with an error.
std::size_t take_bytes(const char* from, std::size_t size, std::size_t count, void* to) {
  std::string& answer = *static_cast<std::string*>(to);
  if (count > kMostBytes - std::min(answer.size(), kMostBytes)) return 0;
  answer.append(from, size * count);
  return count;
}

void set_text(CURL* curl, CURLoption option, const std::string& text) {
  if (!text.empty()) curl_easy_setopt(curl, option, text.c_str());
}
void set_blob(CURL* curl, CURLoption option, const std::string& text) {
  if (text.empty()) return;
  curl_blob blob{.data = const_cast<char*>(text.data()), .len = text.size(), .flags = CURL_BLOB_COPY};
  curl_easy_setopt(curl, option, &blob);
}

bool is_loopback(const std::string& server) {
  return server.starts_with("http://127.") || server.starts_with("http://localhost:") ||
         server.starts_with("http://[::1]");
}

/// Sends a GET request with a login. Errors contain no part of the login.
std::string get(const KubernetesLogin& login, const std::string& path, const std::string& selector,
                int timeout_ms) {
  const std::unique_ptr<CURL, FreeCurl> curl(curl_easy_init());
  const std::unique_ptr<char, FreeCurl> escaped(
      curl_easy_escape(curl.get(), selector.c_str(), static_cast<int>(selector.size())));
  const std::string url = login.server + path + "?labelSelector=" + escaped.get();
  std::unique_ptr<curl_slist, FreeCurl> headers(curl_slist_append(nullptr, "Accept: application/json"));
  if (!login.token.empty())
    headers.reset(curl_slist_append(headers.release(), ("Authorization: Bearer " + login.token).c_str()));
  std::string answer;
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl.get(), CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(timeout_ms));
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, &take_bytes);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &answer);
  set_text(curl.get(), CURLOPT_USERNAME, login.user);
  set_text(curl.get(), CURLOPT_PASSWORD, login.password);
  set_blob(curl.get(), CURLOPT_CAINFO_BLOB, login.authorities);
  set_blob(curl.get(), CURLOPT_SSLCERT_BLOB, login.certificate);
  set_blob(curl.get(), CURLOPT_SSLKEY_BLOB, login.key);
  const CURLcode code = curl_easy_perform(curl.get());
  if (code != CURLE_OK)
    fail(ErrorCode::kUnavailable, "[{}] the API of Kubernetes at {} does not answer: {}", kTag, login.server,
         curl_easy_strerror(code));
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  if (status == 401 || status == 403)
    fail(ErrorCode::kFailedPrecondition,
         "[{}] the API of Kubernetes at {} rejects this login (HTTP {}), which must be allowed to list pods "
         "of all namespaces",
         kTag, login.server, status);
  if (status != 200)
    fail(ErrorCode::kUnavailable, "[{}] the API of Kubernetes at {} answers with HTTP {}", kTag, login.server,
         status);
  return answer;
}

std::string text_at(const nlohmann::json& pod, const char* part, const char* key) {
  const nlohmann::json::json_pointer place(std::string("/") + part + "/" + key);
  return pod.contains(place) && pod[place].is_string() ? pod[place].get<std::string>() : "";
}

std::vector<Pod> list_pods_by_http(const KubernetesAccess& access, const std::string& label_selector) {
  const KubernetesLogin login = find_login(access);
  const bool has_secret = !login.token.empty() || !login.password.empty();
  if (has_secret && login.server.starts_with("http://") && !is_loopback(login.server))
    fail(ErrorCode::kFailedPrecondition,
         "[{}] the login would be sent to {} without TLS; the server must begin with https://", kTag,
         login.server);
  const std::string answer = get(login, "/api/v1/pods", label_selector, access.timeout_ms);
  const nlohmann::json list = nlohmann::json::parse(answer, nullptr, false);
  if (!list.is_object() || !list.contains("items") || !list["items"].is_array())
    fail(ErrorCode::kDataLoss, "[{}] the response of {} is not a list of pods", kTag, login.server);
  std::vector<Pod> pods;
  for (const nlohmann::json& pod : list["items"])
    pods.push_back({.name = text_at(pod, "metadata", "name"),
                    .phase = text_at(pod, "status", "phase"),
                    .host_ip = text_at(pod, "status", "hostIP")});
  std::sort(pods.begin(), pods.end(), [](const Pod& a, const Pod& b) { return a.name < b.name; });
  return pods;
}

}  // namespace
}  // namespace cornu::inline v0::distribute

extern "C" [[gnu::visibility("default")]] const void* cornu_kubernetes_module() {
  static const cornu::distribute::KubernetesModule module{cornu::own_module_mark(),
                                                          &cornu::distribute::list_pods_by_http};
  return &module;
}
