#pragma once

#include <pjrt_c_api.h>

#include <memory>

#include "cornu/runtime/key_value_store.h"

namespace cornu::inline v0::backends::pjrt {

/// Callbacks through which a plug-in uses a rendezvous store, on its own threads: while a client is made,
/// while programs of several processes are compiled and when they first run.
/// Lifetime: must outlive the client that was made with it.
class KeyValueCallbacks {
 public:
  explicit KeyValueCallbacks(std::shared_ptr<runtime::KeyValueStore> keys) : keys_(std::move(keys)) {}
  KeyValueCallbacks(const KeyValueCallbacks&) = delete;
  KeyValueCallbacks& operator=(const KeyValueCallbacks&) = delete;

  runtime::KeyValueStore& keys() const { return *keys_; }
  /// Sets the three functions in the arguments, which refer to this object.
  void give_to(PJRT_Client_Create_Args& arguments);

 private:
  std::shared_ptr<runtime::KeyValueStore> keys_;
};

}  // namespace cornu::inline v0::backends::pjrt
