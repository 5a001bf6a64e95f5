#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>

#include "cornu/backends/remote/client/client.h"
#include "cornu/backends/remote/module.h"
#include "cornu/backends/remote/worker/server.h"
#include "cornu/base/module_loader.h"

extern "C" [[gnu::visibility("default")]] const cornu::backends::remote::Module* cornu_remote_module() {
  namespace remote = cornu::backends::remote;
  // gRPC's logs would repeat errors, and log untrusted data from the link: a line for each invalid message.
  gpr_set_log_function([](gpr_log_func_args*) {});
  google::protobuf::SetLogHandler(nullptr);
  static const remote::Module module{cornu::own_module_mark(), &remote::make_remote_client, &remote::serve,
                                     &remote::worker_status_text, &remote::worker_device_list};
  return &module;
}
