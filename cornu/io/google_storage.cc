#include "cornu/io/google_storage.h"

#include <fnmatch.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cornu/base/check.h"
#include "cornu/base/data_environment.h"
#include "cornu/io/byte_reader.h"
#include "cornu/io/file.h"
#include "cornu/io/http/http_access.h"

namespace cornu::inline v0::io {
namespace {

/// Percent-encodes a text for a URL.
std::string encoded(std::string_view text, std::string_view plain) {
  std::string url;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          plain.find(c) != std::string_view::npos;
    url += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return url;
}

/// The parts of "gs://bucket/object".
struct ObjectPath {
  explicit ObjectPath(const std::string& path) {
    constexpr std::string_view kScheme = "gs://";
    const std::size_t slash = path.find('/', kScheme.size());
    if (!path.starts_with(kScheme) || slash == std::string::npos || slash == kScheme.size() ||
        slash + 1 == path.size())
      invalid_argument("[gs] a path must be gs://bucket/object; got \"{}\"", shown(path));
    bucket = path.substr(kScheme.size(), slash - kScheme.size());
    object = path.substr(slash + 1);
  }
  std::string bucket, object;
};

std::string endpoint() {
  std::string host = environment::storage_emulator().value_or("https://storage.googleapis.com");
  while (host.ends_with('/')) host.pop_back();
  return host.find("://") == std::string::npos ? "http://" + host : host;
}

HttpOptions options_with_token() {
  HttpOptions options;
  if (const std::optional<std::string> token = environment::google_access_token()) {
    options.bearer_token = *token;
  } else if (const std::optional<std::string> file = environment::google_access_token_file()) {
    const std::vector<std::byte> bytes = read_file(*file, {.max_size_bytes = 64 << 10});
    options.bearer_token.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  // Remove characters that cannot be part of a token: they might add a header.
  std::erase_if(options.bearer_token, [](unsigned char c) { return c <= ' ' || c >= 0x7f; });
  return options;
}

/// Adds the names of one page of a list; returns the next page's token.
std::string add_page(const std::string& url, const std::string& text, std::vector<std::string>& names) {
  const nlohmann::json page = nlohmann::json::parse(text, nullptr, false);
  const auto refuse = [&] { corrupt(url, 0, "the response is not a list of objects"); };
  if (!page.is_object()) refuse();
  const auto items = page.find("items"), next = page.find("nextPageToken");
  if (items != page.end()) {
    if (!items->is_array()) refuse();
    for (const nlohmann::json& item : *items) {
      const auto name = item.is_object() ? item.find("name") : item.end();
      if (!item.is_object() || name == item.end() || !name->is_string()) refuse();
      names.push_back(name->get<std::string>());
    }
  }
  if (next == page.end()) return "";
  if (!next->is_string()) refuse();
  return next->get<std::string>();
}

}  // namespace

RandomAccessPointer open_google_storage(const std::string& path) {
  const ObjectPath parts(path);
  return open_http(
      fmt::format("{}/{}/{}", endpoint(), encoded(parts.bucket, "-_."), encoded(parts.object, "-_.~/")),
      options_with_token());
}

std::vector<std::string> list_google_storage(const std::string& pattern) {
  constexpr const char* kWild = "*?[";
  constexpr std::size_t kMostPageBytes = std::size_t{4} << 20;
  const ObjectPath parts(pattern);
  if (parts.bucket.find_first_of(kWild) != std::string::npos)
    invalid_argument("[gs] the bucket of a pattern must not have wildcards; got \"{}\"", shown(pattern));
  const std::string prefix = parts.object.substr(0, parts.object.find_first_of(kWild));
  std::vector<std::string> names;
  const HttpOptions options = options_with_token();
  std::string token;
  do {
    const std::string url =
        fmt::format("{}/storage/v1/b/{}/o?fields=items%28name%29%2CnextPageToken&maxResults=1000&prefix={}{}",
                    endpoint(), encoded(parts.bucket, "-_."), encoded(prefix, "-_.~"),
                    token.empty() ? "" : "&pageToken=" + encoded(token, "-_.~"));
    const std::string before = token;
    token = add_page(url, read_http(url, kMostPageBytes, options), names);
    if (!token.empty() && token == before) corrupt(url, 0, "the list repeats a page");
  } while (!token.empty());
  std::vector<std::string> found;
  for (const std::string& name : names)
    if (::fnmatch(parts.object.c_str(), name.c_str(), FNM_PATHNAME) == 0)
      found.push_back(fmt::format("gs://{}/{}", parts.bucket, name));
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace cornu::inline v0::io
