#pragma once

#include <pjrt_c_api.h>

#include <memory>

#include "cornu/runtime/key_value_store.h"

namespace cornu::inline v0::backends::pjrt {

/// A store as a plug-in calls it, from threads of its own: while a client is made, while programs of several
/// processes are compiled and when they first run.
/// Lifetime: longer than the client that was made with it.
class KeyValueCallbacks {
 public:
  explicit KeyValueCallbacks(std::shared_ptr<runtime::KeyValueStore> keys) : keys_(std::move(keys)) {}
  KeyValueCallbacks(const KeyValueCallbacks&) = delete;
  KeyValueCallbacks& operator=(const KeyValueCallbacks&) = delete;

  runtime::KeyValueStore& keys() const { return *keys_; }
  /// Puts the three functions into the arguments, which refer to this.
  void give_to(PJRT_Client_Create_Args& arguments);

 private:
  std::shared_ptr<runtime::KeyValueStore> keys_;
};

}  // namespace cornu::inline v0::backends::pjrt
