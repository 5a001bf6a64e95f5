#include "cornu/tensor/value/device.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"

namespace cornu::inline v0 {
namespace {

constexpr const char* kFirst = "/job:localhost/replica:0/task:0/device:CPU:0";

TEST(DeviceTest, NamesInEveryForm) {
  for (const char* name :
       {"CPU:0", "cpu:0", "CPU", "/CPU:0", "/cpu:0", "/device:CPU:0", "/device:cpu:0",
        "/job:localhost/replica:0/task:0/device:CPU:0", "/job:worker/replica:0/task:0/device:CPU:0",
        "/job:localhost/device:CPU:0", "/replica:0/task:0", "/device:CPU:*"})
    EXPECT_EQ(canonical_device_name(name), kFirst) << name;
}

TEST(DeviceTest, ADeviceThatIsNotThereGetsAListOfThoseThatAre) {
  for (const char* name : {"GPU:0", "/device:TPU:0", "CPU:999", "/job:ps/task:0/device:CPU:0",
                           "/job:worker/replica:0/task:3/device:CPU:0"}) {
    try {
      (void)canonical_device_name(name);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kNotFound) << name;
      EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(std::string("there are: ") + kFirst), std::string::npos)
          << error.what();
    }
  }
}

TEST(DeviceTest, WhatIsNoNameIsRefused) {
  for (const char* name : {"CPU:x", "/device:", "CPU:-1", "/job:worker/replica:a", "CPU:0:1", "CPU/GPU",
                           "C PU:0", "foo", "foo:0"}) {
    try {
      (void)canonical_device_name(name);
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << name << ": " << error.what();
      EXPECT_NE(std::string(error.what()).find(std::string(name) + "\" is no device name"), std::string::npos)
          << error.what();
      EXPECT_NE(std::string(error.what()).find(std::string("there are: ") + kFirst), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0
