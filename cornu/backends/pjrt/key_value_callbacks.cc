#include "cornu/backends/pjrt/key_value_callbacks.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "cornu/base/error.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

runtime::KeyValueStore& keys_of(void* user_arg) {
  return static_cast<const KeyValueCallbacks*>(user_arg)->keys();
}

template <typename Args>
PJRT_Error* failed(const Args& args, PJRT_Error_Code code, std::string_view message) {
  return (*args.callback_error)(code, message.data(), message.size());
}

/// Calls `f` and converts exceptions to errors made by the plug-in: no exception may cross its frames.
/// Plug-ins leave struct_size of these arguments undefined, so it is not checked.
template <typename Args, typename F>
PJRT_Error* guarded(const Args& args, const F& f) noexcept {
  try {
    return f();
  } catch (const Error& error) {
    return failed(args, PJRT_Error_Code_UNAVAILABLE, error.what());
  } catch (const std::bad_alloc&) {
    return failed(args, PJRT_Error_Code_RESOURCE_EXHAUSTED, "there is no memory for a key's value");
  } catch (const std::exception& error) {
    return failed(args, PJRT_Error_Code_INTERNAL, error.what());
  } catch (...) {
    return failed(args, PJRT_Error_Code_INTERNAL, "a key-value call has failed");
  }
}

void delete_value(char* value) { std::free(value); }

/// The plug-in frees the value, by delete_value, even if it is empty.
template <typename Args>
void give_value(Args& args, const std::string& value) {
  args.value = static_cast<char*>(std::malloc(value.size() + 1));
  if (args.value == nullptr) throw std::bad_alloc();
  std::memcpy(args.value, value.data(), value.size());
  args.value_size = value.size();
  args.value_deleter_callback = &delete_value;
}

PJRT_Error* get(PJRT_KeyValueGetCallback_Args* args) {
  return guarded(*args, [&]() -> PJRT_Error* {
    give_value(*args, keys_of(args->user_arg)
                          .get({args->key, args->key_size}, std::chrono::milliseconds(args->timeout_in_ms)));
    return nullptr;
  });
}

PJRT_Error* try_get(PJRT_KeyValueTryGetCallback_Args* args) {
  return guarded(*args, [&]() -> PJRT_Error* {
    const std::string_view key(args->key, args->key_size);
    const std::optional<std::string> value = keys_of(args->user_arg).try_get(key);
    if (!value.has_value())
      return failed(*args, PJRT_Error_Code_NOT_FOUND, "no process has put key \"" + std::string(key) + "\"");
    give_value(*args, *value);
    return nullptr;
  });
}

PJRT_Error* put(PJRT_KeyValuePutCallback_Args* args) {
  return guarded(*args, [&]() -> PJRT_Error* {
    keys_of(args->user_arg).put({args->key, args->key_size}, {args->value, args->value_size});
    return nullptr;
  });
}

}  // namespace

void KeyValueCallbacks::give_to(PJRT_Client_Create_Args& arguments) {
  arguments.kv_get_callback = &get;
  arguments.kv_put_callback = &put;
  arguments.kv_try_get_callback = &try_get;
  arguments.kv_get_user_arg = arguments.kv_put_user_arg = arguments.kv_try_get_user_arg = this;
}

}  // namespace cornu::inline v0::backends::pjrt
