#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cornu/keras/base/handle.h"
#include "cornu/keras/callbacks/callback.h"

namespace cornu::inline v0::keras::callbacks {

struct RemoteMonitorOptions {  // options/callbacks.toml
  /// Address of the server.
  std::string root = "http://localhost:9000";
  /// Path below root that gets the requests.
  std::string path = "/publish/epoch/end/";
  /// Name of the form's field; without effect with send_as_json.
  std::string field = "data";
  /// Names and values of further headers of the requests; empty: none.
  std::vector<std::pair<std::string, std::string>> headers = {};
  /// True: sends the object as application/json; false: as a field of a form.
  bool send_as_json = false;
};

/// Sends the logs of each epoch to a server, as a JSON object with "epoch" in a POST request. A server that
/// cannot be reached is a warning, and training goes on, as in Keras. Of several processes the first one
/// sends.
/// Errors: InvalidArgument at the end of an epoch for an address that is not http:// or https://, and for
///         headers with line ends; FailedPrecondition without libcornu_http.so beside Cornu.
class RemoteMonitor : public Callback {
 public:
  explicit RemoteMonitor(RemoteMonitorOptions options = {}) : options_(std::move(options)) {}
  explicit RemoteMonitor(NoOptions) : RemoteMonitor() {}
  void on_epoch_end(std::int64_t epoch, Logs& logs) override;

 private:
  RemoteMonitorOptions options_;
};

}  // namespace cornu::inline v0::keras::callbacks
