#include "cornu/keras/callbacks/control/remote_monitor.h"

#include <cctype>
#include <cmath>

#include "cornu/base/log_formatted.h"
#include "cornu/io/http/http_access.h"
#include "cornu/keras/config/config.h"
#include "cornu/runtime/collective.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::callbacks {
namespace {

/// A log as Python's json writes it: a number, or a list of them.
Config json_of(const LogValue& value) {
  if (!value.is_array()) return {value.mean()};
  Config list{Config::List()};
  for (const double each : ops::cast(value.tensor(), DType::kF64).to_vector<double>()) list.append(each);
  return list;
}

/// A text in a form: letters, digits and "-._" as they are, a space as "+", other bytes as %XX.
std::string form_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '~') {
      encoded += c;
    } else if (c == ' ') {
      encoded += '+';
    } else {
      encoded += '%';
      encoded += "0123456789ABCDEF"[byte >> 4];
      encoded += "0123456789ABCDEF"[byte & 15];
    }
  }
  return encoded;
}

}  // namespace

void RemoteMonitor::on_epoch_end(std::int64_t epoch, Logs& logs) {
  if (!runtime::is_chief()) return;
  Config object = Config::dict({{"epoch", epoch}});
  for (const auto& [name, value] : logs) object.set(name, json_of(value));
  std::vector<io::HttpHeader> headers = options_.headers;
  std::string body = object.json();
  if (!options_.send_as_json) body = form_encoded(options_.field) + "=" + form_encoded(body);
  headers.emplace_back("Content-Type",
                       options_.send_as_json ? "application/json" : "application/x-www-form-urlencoded");
  try {
    io::post_http(options_.root + options_.path, body, headers);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnavailable) throw;
    log_warning("[remote_monitor] the server at {} could not be reached: {}", options_.root, error.what());
  }
}

}  // namespace cornu::inline v0::keras::callbacks
