#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/runtime/fake_device_test_support.h"

namespace cornu::inline v0::keras {

/// Tests beside a device whose memory the host cannot address.
class FakeDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    clear_session();
    set_random_seed(42);
    // The same number of threads as the fake device gives the same bits.
    set_default_client(runtime::make_client("cpu", {.num_threads = 1}));
    name_ = add_devices(gpu_).at(0);
  }
  void TearDown() override {
    remove_devices(gpu_);
    set_default_client(nullptr);
  }

  std::shared_ptr<runtime::FakeClient> gpu_ = std::make_shared<runtime::FakeClient>();
  std::string name_;
};

}  // namespace cornu::inline v0::keras
