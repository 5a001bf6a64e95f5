#include "cornu/backends/pjrt/topology.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "cornu/backends/pjrt/key_value_callbacks.h"
#include "cornu/base/error.h"

// What a plug-in is told of several processes, and what its calls for keys get.
namespace cornu::inline v0::backends::pjrt {
namespace {

const PJRT_NamedValue* find(const ClientSettings& settings, const std::string& name) {
  for (const PJRT_NamedValue& value : settings.named_values())
    if (std::string(value.name, value.name_size) == name) return &value;
  return nullptr;
}

TEST(TopologyTest, EachNodeTakesTheNextDevicesOfItsMachine) {
  ClientSettings settings("");
  add_node_settings(settings, "cuda", {.id = 5, .count = 8, .local_rank = 1, .num_devices = 2});
  ASSERT_NE(find(settings, "node_id"), nullptr);
  EXPECT_EQ(find(settings, "node_id")->int64_value, 5);
  EXPECT_EQ(find(settings, "num_nodes")->int64_value, 8);
  const PJRT_NamedValue* const devices = find(settings, "visible_devices");
  ASSERT_NE(devices, nullptr);
  ASSERT_EQ(devices->value_size, 2u);
  EXPECT_EQ(devices->int64_array_value[0], 2);
  EXPECT_EQ(devices->int64_array_value[1], 3);
  EXPECT_EQ(find(settings, "cpu_device_count"), nullptr);
  settings.check_platform("cuda");
}

TEST(TopologyTest, WhatTheUserSaysStays) {
  ClientSettings gpu("visible_devices=7");
  add_node_settings(gpu, "rocm", {.id = 1, .count = 2, .local_rank = 1});
  EXPECT_EQ(find(gpu, "visible_devices")->int64_array_value[0], 7);
  EXPECT_NE(choice_of_devices(gpu, {.id = 1, .count = 2, .local_rank = 1}).find("takes its devices 7"),
            std::string::npos);
  ClientSettings cpu("cpu_device_count=3");
  add_node_settings(cpu, "cpu", {.id = 1, .count = 2});
  EXPECT_EQ(find(cpu, "cpu_device_count")->int64_value, 3);
  EXPECT_EQ(find(cpu, "visible_devices"), nullptr);
  EXPECT_THROW(ClientSettings("node_id=1"), Error) << "it is no setting of users";
}

/// Keys of this process alone.
class LocalKeys final : public runtime::KeyValueStore {
 public:
  void put(std::string_view key, std::string_view value) override {
    if (key == "full") throw std::bad_alloc();
    values[std::string(key)] = value;
  }
  std::string get(std::string_view key, std::chrono::milliseconds timeout) override {
    last_timeout = timeout;
    const std::optional<std::string> value = try_get(key);
    if (!value.has_value()) throw Error(ErrorCode::kUnavailable, "rank 3 is missing");
    return *value;
  }
  std::optional<std::string> try_get(std::string_view key) override {
    const auto found = values.find(std::string(key));
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }
  void give_up(const std::string&) noexcept override {}
  void go_on() override {}
  void check_peers() override {}

  std::map<std::string, std::string> values;
  std::chrono::milliseconds last_timeout{0};
};

/// An error as a plug-in would make it.
struct MadeError {
  PJRT_Error_Code code;
  std::string message;
};
PJRT_Error* make_error(PJRT_Error_Code code, const char* message, std::size_t size) {
  return reinterpret_cast<PJRT_Error*>(new MadeError{code, std::string(message, size)});
}
MadeError taken(PJRT_Error* error) {
  const std::unique_ptr<MadeError> made(reinterpret_cast<MadeError*>(error));
  return made == nullptr ? MadeError{PJRT_Error_Code_CANCELLED, "none"} : *made;
}

class KeyValueCallbacksTest : public ::testing::Test {
 protected:
  KeyValueCallbacksTest() : store_(std::make_shared<LocalKeys>()), callbacks_(store_) {
    callbacks_.give_to(create_);
  }
  /// Arguments as plug-ins leave them: what they do not set is undefined. They point to `key`.
  template <typename Args>
  Args arguments(std::string_view key, void* user_arg) {
    Args args;
    std::memset(&args, 0xab, sizeof(args));
    args.key = key.data();
    args.key_size = key.size();
    args.callback_error = &error_;
    args.user_arg = user_arg;
    return args;
  }
  PJRT_Error* put(std::string_view key, std::string_view value) {
    auto args = arguments<PJRT_KeyValuePutCallback_Args>(key, create_.kv_put_user_arg);
    args.value = value.data();
    args.value_size = value.size();
    return create_.kv_put_callback(&args);
  }

  std::shared_ptr<LocalKeys> store_;
  KeyValueCallbacks callbacks_;
  PJRT_Client_Create_Args create_{};
  PJRT_CallbackError error_ = make_error;
};

TEST_F(KeyValueCallbacksTest, ValuesOfAnyBytesGoThereAndBack) {
  for (const std::string& value : {std::string("x"), std::string("\0y\0", 3), std::string()}) {
    EXPECT_EQ(put("key", value), nullptr);
    auto args = arguments<PJRT_KeyValueGetCallback_Args>("key", create_.kv_get_user_arg);
    args.timeout_in_ms = 1234;
    ASSERT_EQ(create_.kv_get_callback(&args), nullptr);
    EXPECT_EQ(std::string(args.value, args.value_size), value);
    args.value_deleter_callback(args.value);
    EXPECT_EQ(store_->last_timeout.count(), 1234);
    auto tried = arguments<PJRT_KeyValueTryGetCallback_Args>("key", create_.kv_try_get_user_arg);
    ASSERT_EQ(create_.kv_try_get_callback(&tried), nullptr);
    EXPECT_EQ(std::string(tried.value, tried.value_size), value);
    tried.value_deleter_callback(tried.value);
  }
}

TEST_F(KeyValueCallbacksTest, WhatIsThrownBecomesAnErrorOfThePlugins) {
  auto args = arguments<PJRT_KeyValueGetCallback_Args>("absent", create_.kv_get_user_arg);
  const MadeError absent = taken(create_.kv_get_callback(&args));
  EXPECT_EQ(absent.code, PJRT_Error_Code_UNAVAILABLE);
  EXPECT_EQ(absent.message, "rank 3 is missing");
  auto tried = arguments<PJRT_KeyValueTryGetCallback_Args>("absent", create_.kv_try_get_user_arg);
  EXPECT_EQ(taken(create_.kv_try_get_callback(&tried)).code, PJRT_Error_Code_NOT_FOUND);
  EXPECT_EQ(taken(put("full", "x")).code, PJRT_Error_Code_RESOURCE_EXHAUSTED);
}

}  // namespace
}  // namespace cornu::inline v0::backends::pjrt
