#include <curl/curl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>
#include <string_view>

#include "cornu/base/parse_number.h"
#include "cornu/io/http/module_interface.h"

namespace cornu::inline v0::io {
namespace {

using Clock = std::chrono::steady_clock;

struct Transfer {
  const HttpRequest* request;
  unsigned char* to;
  HttpAnswer* answer;
  CURL* curl;
  Clock::time_point last_byte = Clock::now();
  bool has_stalled = false, is_too_long = false;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '\r' || text.back() == '\n' || text.back() == ' '))
    text.remove_suffix(1);
  return text;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return (x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x) == y; });
}

/// Parses "bytes 0-99/1234", or "bytes */1234" for a range out of bounds.
void read_content_range(std::string_view text, HttpAnswer* answer) {
  if (!text.starts_with("bytes ")) return;
  text.remove_prefix(6);
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return;
  const auto total = parse_number<std::uint64_t>(text.substr(slash + 1));
  if (!total.has_value()) return;
  answer->total = *total;
  const std::string_view range = text.substr(0, slash);
  const auto begin = parse_number<std::uint64_t>(range.substr(0, range.find('-')));
  if (begin.has_value()) answer->range_begin = *begin;
  answer->has_range = range == "*" || begin.has_value();
}

std::size_t take_header(const char* from, std::size_t size, std::size_t count, void* of) {
  auto& transfer = *static_cast<Transfer*>(of);
  const std::string_view line(from, size * count);
  if (line.starts_with("HTTP/")) {  // of the next response, after a redirection
    transfer.answer->has_range = false;
    transfer.answer->version[0] = 0;
    return line.size();
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return line.size();
  const std::string_view name = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
  if (equals_ignoring_case(name, "content-range")) read_content_range(value, transfer.answer);
  const bool is_tag = equals_ignoring_case(name, "etag");
  if (is_tag || (equals_ignoring_case(name, "last-modified") && transfer.answer->version[0] == 0)) {
    const std::size_t length = std::min(value.size(), sizeof transfer.answer->version - 1);
    std::memcpy(transfer.answer->version, value.data(), length);
    transfer.answer->version[length] = 0;
  }
  return line.size();
}

/// Stores the body of a range response only: other content would be stored at the wrong offset.
std::size_t take_body(const char* from, std::size_t size, std::size_t count, void* of) {
  auto& transfer = *static_cast<Transfer*>(of);
  HttpAnswer& answer = *transfer.answer;
  transfer.last_byte = Clock::now();
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  constexpr long kOk = 200, kPartialContent = 206;
  if (status != (transfer.request->is_whole ? kOk : kPartialContent))
    return status == kOk ? 0 : size * count;  // the whole file is not wanted; errors have texts
  if (size * count > transfer.request->size - answer.received) {
    transfer.is_too_long = true;
    return 0;
  }
  std::memcpy(transfer.to + answer.received, from, size * count);
  answer.received += size * count;
  return size * count;
}

int watch(void* of, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  auto& transfer = *static_cast<Transfer*>(of);
  transfer.has_stalled =
      Clock::now() - transfer.last_byte > std::chrono::milliseconds(transfer.request->stall_timeout_ms);
  return transfer.has_stalled ? 1 : 0;
}

void* open_connection() {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  return started == CURLE_OK ? curl_easy_init() : nullptr;
}
void close_connection(void* connection) { curl_easy_cleanup(connection); }

void fetch(void* connection, const HttpRequest* request, unsigned char* to, HttpAnswer* answer) {
  CURL* const curl = connection;
  *answer = {};
  Transfer transfer{.request = request, .to = to, .answer = answer, .curl = curl};
  char range[64];
  std::snprintf(range, sizeof range, "%llu-%llu", static_cast<unsigned long long>(request->offset),
                static_cast<unsigned long long>(request->offset + request->size - 1));
  curl_easy_reset(curl);  // keeps the connection
  curl_easy_setopt(curl, CURLOPT_URL, request->url);
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl, CURLOPT_MAXREDIRS, 5L);
  if (!request->is_whole) curl_easy_setopt(curl, CURLOPT_RANGE, range);
  if (request->bearer_token != nullptr) {  // not for the hosts of redirections
    curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
    curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, request->bearer_token);
  }
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, request->stall_timeout_ms);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, &take_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, &watch);
  curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
  if (request->body != nullptr) {
    curl_easy_setopt(curl, CURLOPT_POST, 1L);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request->body_size));
  }
  curl_slist* headers = nullptr;
  for (const char* const* header = request->headers; header != nullptr && *header != nullptr; ++header)
    headers = curl_slist_append(headers, *header);
  if (headers != nullptr) curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  const CURLcode code = curl_easy_perform(curl);
  curl_slist_free_all(headers);
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer->status);
  answer->is_complete = code == CURLE_OK;
  const char* const why = transfer.has_stalled   ? "no data arrived before the timeout"
                          : transfer.is_too_long ? "the response is longer than requested"
                          : code == CURLE_OK     ? ""
                                                 : curl_easy_strerror(code);
  std::snprintf(answer->message, sizeof answer->message, "%s", why);
}

}  // namespace
}  // namespace cornu::inline v0::io

extern "C" __attribute__((visibility("default"))) const cornu::io::HttpModule* cornu_http() {
  static const cornu::io::HttpModule module = {cornu::io::open_connection, cornu::io::close_connection,
                                               cornu::io::fetch};
  return &module;
}
