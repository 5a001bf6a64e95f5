#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cornu/base/disk_cache.h"
#include "cornu/plugin/error.h"
#include "cornu/plugin/memory.h"
#include "cornu/plugin/queue.h"
#include "cornu/runtime/client.h"

namespace cornu::inline v0::plugin {

inline constexpr const char* kPlatformName = "cornu";
/// The kinds of memory that each device has, the default one first. All are memory of the host: the kind of a
/// buffer is a name for programs that move tensors between a device and its host.
inline constexpr std::array<const char*, 3> kMemoryKinds = {"device", "pinned_host", "unpinned_host"};

/// Options of a client, given as named values.
struct ClientSettings {
  runtime::ClientOptions engine;
  std::int64_t num_devices = 1;
  runtime::Precision precision = runtime::Precision::kAuto;
};
/// Errors: InvalidArgument for an unknown name, with the known ones, or a value of another kind or range.
ClientSettings read_settings(const PJRT_NamedValue* values, std::size_t num_values);
/// The folder with the engine's compiled code; empty if it keeps none.
std::string code_folder(const runtime::ClientOptions& options);

/// Adds the functions of the plug-in, clients, devices, memories and topologies to the interface.
void add_client_functions(PJRT_Api& api);

}  // namespace cornu::inline v0::plugin

struct PJRT_DeviceDescription {
  int id = 0;
  std::string debug_string, to_string;
};

/// Memory of a device of one kind.
struct PJRT_Memory {
  int id = 0;
  int kind = 0;  // in kMemoryKinds
  PJRT_Device* device = nullptr;
  std::string debug_string;
};

struct PJRT_Device {
  PJRT_Client* client = nullptr;
  PJRT_DeviceDescription* description = nullptr;
  std::array<PJRT_Memory*, cornu::plugin::kMemoryKinds.size()> memories = {};  // by kind
};

struct PJRT_TopologyDescription {
  std::string platform_version;
  std::vector<PJRT_DeviceDescription*> descriptions;
};

/// A client of the CPU engine. Its devices share the engine's threads and the memory of the host: they separate
/// the data of programs for several devices.
struct PJRT_Client {
  explicit PJRT_Client(const cornu::plugin::ClientSettings& settings);

  /// Errors: NotFound.
  PJRT_Device* find_device(int id) const;

  cornu::runtime::Precision precision;
  std::shared_ptr<cornu::runtime::Client> engine;
  cornu::DiskCache code_cache;  // the engine's
  std::shared_ptr<cornu::plugin::MemoryPool> pool = std::make_shared<cornu::plugin::MemoryPool>();
  std::deque<PJRT_DeviceDescription> descriptions;
  std::deque<PJRT_Memory> memories;
  std::deque<PJRT_Device> devices;
  std::vector<PJRT_Device*> device_list;
  std::vector<PJRT_Memory*> memory_list;
  PJRT_TopologyDescription topology;
  cornu::plugin::Queue queue;  // destroyed first: its work uses the others
};
