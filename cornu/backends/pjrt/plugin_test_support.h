#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "cornu/backends/pjrt/discovery.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::backends::pjrt {

/// Whether the plug-in for CPUs is there; CTest fetches it (cmake/Pjrt.cmake).
inline bool has_cpu_plugin() {
  for (const PluginFile& plugin : find_plugins())
    if (plugin.name == "cpu") return std::filesystem::exists(plugin.path);
  return false;
}

/// Tests that run programs by the plug-in for CPUs.
class CpuPluginTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_cpu_plugin())
      GTEST_SKIP()
          << "the plug-in for CPUs is not there: run this by ctest, or set CORNU_PJRT_PLUGINS=cpu=PATH";
  }
  /// One for all tests of a program.
  static const std::shared_ptr<runtime::Client>& client() {
    static auto& client = *new std::shared_ptr<runtime::Client>(runtime::make_client("pjrt:cpu"));
    return client;
  }
};

}  // namespace cornu::inline v0::backends::pjrt
