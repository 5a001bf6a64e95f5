#include "cornu/plugin/client.h"

#include <array>
#include <cstring>
#include <span>
#include <string_view>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/environment.h"
#include "cornu/base/machine_limits.h"
#include "cornu/base/nearest_names.h"
#include "cornu/version.h"

namespace cornu::inline v0::plugin {
namespace {

constexpr std::int64_t kMaxDevices = 256, kMaxNodes = 1 << 20;

std::int64_t number_of(const PJRT_NamedValue& value, std::string_view name, std::int64_t least,
                       std::int64_t most) {
  if (value.type != PJRT_NamedValue_kInt64 || value.int64_value < least || value.int64_value > most)
    invalid_argument("[pjrt_plugin] option \"{}\" must be an integer from {} to {}", name, least, most);
  return value.int64_value;
}

std::string text_of(const PJRT_NamedValue& value, std::string_view name) {
  if (value.type != PJRT_NamedValue_kString)
    invalid_argument("[pjrt_plugin] option \"{}\" must be a string", name);
  return {value.string_value, value.value_size};
}

PJRT_NamedValue named(const char* name) {
  PJRT_NamedValue value = {};
  value.struct_size = PJRT_NamedValue_STRUCT_SIZE;
  value.name = name;
  value.name_size = std::strlen(name);
  return value;
}

PJRT_NamedValue named_list(const char* name, std::span<const std::int64_t> list) {
  PJRT_NamedValue value = named(name);
  value.type = PJRT_NamedValue_kInt64List;
  value.int64_array_value = list.data();
  value.value_size = list.size();
  return value;
}

/// The version in which clients should send programs, and the oldest one that the reader knows.
constexpr std::array<std::int64_t, 3> kStableHloVersion = {1, 13, 0}, kOldestStableHlo = {0, 12, 0};

std::span<const PJRT_NamedValue> plugin_attributes() {
  static const auto& attributes = *new std::array<PJRT_NamedValue, 3>{[] {
    PJRT_NamedValue xla_version = named("xla_version");
    xla_version.type = PJRT_NamedValue_kInt64;
    xla_version.int64_value = 2;
    xla_version.value_size = 1;
    return std::array<PJRT_NamedValue, 3>{xla_version,
                                          named_list("stablehlo_current_version", kStableHloVersion),
                                          named_list("stablehlo_minimum_version", kOldestStableHlo)};
  }()};
  return attributes;
}

void set_text(const char*& text, std::size_t& size, std::string_view value) {
  text = value.data();
  size = value.size();
}

void add_plugin_functions(PJRT_Api& api) {
  set_entry(api.PJRT_Plugin_Initialize, [](PJRT_Plugin_Initialize_Args&) { watch_forks(); });
  set_entry(api.PJRT_Plugin_Attributes, [](PJRT_Plugin_Attributes_Args& args) {
    args.attributes = plugin_attributes().data();
    args.num_attributes = plugin_attributes().size();
  });
  set_entry(api.PJRT_TopologyDescription_PlatformName,
            [](auto& args) { set_text(args.platform_name, args.platform_name_size, kPlatformName); });
  set_entry(api.PJRT_TopologyDescription_PlatformVersion, [](auto& args) {
    set_text(args.platform_version, args.platform_version_size, args.topology->platform_version);
  });
  set_entry(api.PJRT_TopologyDescription_GetDeviceDescriptions, [](auto& args) {
    args.descriptions = args.topology->descriptions.data();
    args.num_descriptions = args.topology->descriptions.size();
  });
  set_entry(api.PJRT_TopologyDescription_Attributes, [](auto& args) {
    args.attributes = nullptr;
    args.num_attributes = 0;
  });
  set_release(api.PJRT_TopologyDescription_Destroy, [](auto&) {});  // a topology belongs to its client
}

void add_device_functions(PJRT_Api& api) {
  set_entry(api.PJRT_DeviceDescription_Id, [](auto& args) { args.id = args.device_description->id; });
  set_entry(api.PJRT_DeviceDescription_ProcessIndex, [](auto& args) { args.process_index = 0; });
  set_entry(api.PJRT_DeviceDescription_Attributes, [](auto& args) {
    args.attributes = nullptr;
    args.num_attributes = 0;
  });
  set_entry(api.PJRT_DeviceDescription_Kind,
            [](auto& args) { set_text(args.device_kind, args.device_kind_size, "cpu"); });
  set_entry(api.PJRT_DeviceDescription_DebugString, [](auto& args) {
    set_text(args.debug_string, args.debug_string_size, args.device_description->debug_string);
  });
  set_entry(api.PJRT_DeviceDescription_ToString, [](auto& args) {
    set_text(args.to_string, args.to_string_size, args.device_description->to_string);
  });
  set_entry(api.PJRT_Device_GetDescription,
            [](auto& args) { args.device_description = args.device->description; });
  set_entry(api.PJRT_Device_IsAddressable, [](auto& args) { args.is_addressable = true; });
  set_entry(api.PJRT_Device_LocalHardwareId,
            [](auto& args) { args.local_hardware_id = args.device->description->id; });
  set_entry(api.PJRT_Device_AddressableMemories, [](auto& args) {
    args.memories = args.device->memories.data();
    args.num_memories = args.device->memories.size();
  });
  set_entry(api.PJRT_Device_DefaultMemory, [](auto& args) { args.memory = args.device->memories[0]; });
  set_entry(api.PJRT_Device_MemoryStats, [](PJRT_Device_MemoryStats_Args& args) {
    // A caller of a later version has more fields, which stay unset.
    std::memset(&args.bytes_in_use, 0,
                args.struct_size - offsetof(PJRT_Device_MemoryStats_Args, bytes_in_use));
    const MemoryStatistics statistics = args.device->client->pool->statistics();
    const auto set = [](std::int64_t& field, bool& is_set, std::size_t value) {
      field = static_cast<std::int64_t>(value);
      is_set = true;
    };
    args.bytes_in_use = static_cast<std::int64_t>(statistics.bytes_in_use);
    set(args.peak_bytes_in_use, args.peak_bytes_in_use_is_set, statistics.peak_bytes);
    set(args.num_allocs, args.num_allocs_is_set, static_cast<std::size_t>(statistics.num_allocations));
    set(args.largest_alloc_size, args.largest_alloc_size_is_set, statistics.largest_bytes);
    set(args.bytes_limit, args.bytes_limit_is_set, static_cast<std::size_t>(memory_budget_bytes()));
    set(args.pool_bytes, args.pool_bytes_is_set, statistics.pool_bytes + statistics.bytes_in_use);
  });
}

void add_memory_functions(PJRT_Api& api) {
  set_entry(api.PJRT_Memory_Id, [](auto& args) { args.id = args.memory->id; });
  set_entry(api.PJRT_Memory_Kind, [](auto& args) {
    set_text(args.kind, args.kind_size, kMemoryKinds[static_cast<std::size_t>(args.memory->kind)]);
  });
  set_entry(api.PJRT_Memory_Kind_Id, [](auto& args) { args.kind_id = args.memory->kind; });
  set_entry(api.PJRT_Memory_DebugString, [](auto& args) {
    set_text(args.debug_string, args.debug_string_size, args.memory->debug_string);
  });
  set_entry(api.PJRT_Memory_ToString,
            [](auto& args) { set_text(args.to_string, args.to_string_size, args.memory->debug_string); });
  set_entry(api.PJRT_Memory_AddressableByDevices, [](auto& args) {
    args.devices = &args.memory->device;
    args.num_devices = 1;
  });
}

void default_assignment(PJRT_Client_DefaultDeviceAssignment_Args& args) {
  const int num_places = args.num_replicas * args.num_partitions;
  if (args.num_replicas < 1 || args.num_partitions < 1 ||
      static_cast<std::size_t>(num_places) > args.client->devices.size() ||
      static_cast<std::size_t>(num_places) > args.default_assignment_size)
    invalid_argument("[pjrt_plugin] there are {} devices; {} replicas of {} partitions do not fit",
                     args.client->devices.size(), args.num_replicas, args.num_partitions);
  for (int i = 0; i < num_places; ++i) args.default_assignment[i] = i;
}

}  // namespace

ClientSettings read_settings(const PJRT_NamedValue* values, std::size_t num_values) {
  ClientSettings settings;
  for (std::size_t i = 0; i < num_values; ++i) {
    const PJRT_NamedValue& value = values[i];
    const std::string_view name(value.name, value.name_size);
    if (name == "threads") {
      settings.engine.num_threads = static_cast<int>(number_of(value, name, 0, 1024));
    } else if (name == "num_devices") {
      settings.num_devices = number_of(value, name, 1, kMaxDevices);
    } else if (name == "isa") {
      settings.engine.isa = text_of(value, name);
    } else if (name == "cache_folder") {
      settings.engine.cache_folder = text_of(value, name);
    } else if (name == "precision") {
      settings.precision = runtime::parse_precision(text_of(value, name), "[pjrt_plugin]");
    } else if (name == "num_nodes") {  // of jax.distributed
      if (const std::int64_t count = number_of(value, name, 1, kMaxNodes); count > 1)
        fail(ErrorCode::kUnimplemented,
             "[pjrt_plugin] a client has the devices of its own process; {} processes of jax.distributed "
             "cannot "
             "share programs on Cornu: use one process, with CORNU_PJRT_DEVICES for several devices",
             count);
    } else if (name != "node_id") {
      const std::array<std::string, 5> known = {"threads", "num_devices", "isa", "cache_folder", "precision"};
      invalid_argument("[pjrt_plugin] there is no option \"{}\" of a client: {}", name,
                       name_proposal(name, known));
    }
  }
  return settings;
}

std::string code_folder(const runtime::ClientOptions& options) {
  if (options.cache_folder == "off") return "";
  return options.cache_folder.empty() ? environment::cache_folder().value_or("") : options.cache_folder;
}

void add_client_functions(PJRT_Api& api) {
  add_plugin_functions(api);
  add_device_functions(api);
  add_memory_functions(api);
  set_work(api.PJRT_Client_Create, [](PJRT_Client_Create_Args& args) {
    watch_forks();
    args.client = new PJRT_Client(read_settings(args.create_options, args.num_options));
  });
  set_release(api.PJRT_Client_Destroy, [](auto& args) { delete args.client; });
  set_entry(api.PJRT_Client_PlatformName,
            [](auto& args) { set_text(args.platform_name, args.platform_name_size, kPlatformName); });
  set_entry(api.PJRT_Client_PlatformVersion, [](auto& args) {
    set_text(args.platform_version, args.platform_version_size, args.client->topology.platform_version);
  });
  set_entry(api.PJRT_Client_ProcessIndex, [](auto& args) { args.process_index = 0; });
  set_entry(api.PJRT_Client_TopologyDescription, [](auto& args) { args.topology = &args.client->topology; });
  set_entry(api.PJRT_Client_Devices, [](auto& args) {
    args.devices = args.client->device_list.data();
    args.num_devices = args.client->device_list.size();
  });
  set_entry(api.PJRT_Client_AddressableDevices, [](auto& args) {
    args.addressable_devices = args.client->device_list.data();
    args.num_addressable_devices = args.client->device_list.size();
  });
  set_entry(api.PJRT_Client_LookupDevice,
            [](auto& args) { args.device = args.client->find_device(args.id); });
  set_entry(api.PJRT_Client_LookupAddressableDevice,
            [](auto& args) { args.addressable_device = args.client->find_device(args.local_hardware_id); });
  set_entry(api.PJRT_Client_AddressableMemories, [](auto& args) {
    args.addressable_memories = args.client->memory_list.data();
    args.num_addressable_memories = args.client->memory_list.size();
  });
  set_entry(api.PJRT_Client_DefaultDeviceAssignment, [](auto& args) { default_assignment(args); });
  set_entry(api.PJRT_Client_UpdateGlobalProcessInfo, [](auto&) {});
}

}  // namespace cornu::inline v0::plugin

PJRT_Client::PJRT_Client(const cornu::plugin::ClientSettings& settings)
    : precision(settings.precision),
      engine(cornu::runtime::make_client("cpu", settings.engine)),
      code_cache({.folder = cornu::plugin::code_folder(settings.engine)}) {
  topology.platform_version = fmt::format("Cornu {}: {}", CORNU_VERSION_STRING, engine->description());
  for (int id = 0; id < settings.num_devices; ++id) {
    descriptions.push_back({.id = id,
                            .debug_string = fmt::format("CornuDevice(id={})", id),
                            .to_string = fmt::format("CORNU_{}", id)});
    PJRT_Device& device = devices.emplace_back();
    device.client = this;
    device.description = &descriptions.back();
    for (int kind = 0; kind < static_cast<int>(device.memories.size()); ++kind) {
      const auto number = static_cast<std::size_t>(kind);
      const int memory_id = id * static_cast<int>(device.memories.size()) + kind;
      memories.push_back({.id = memory_id,
                          .kind = kind,
                          .device = &device,
                          .debug_string = fmt::format("CornuMemory(id={}, kind={})", memory_id,
                                                      cornu::plugin::kMemoryKinds[number])});
      device.memories[number] = &memories.back();
      memory_list.push_back(&memories.back());
    }
    topology.descriptions.push_back(&descriptions.back());
    device_list.push_back(&device);
  }
}

PJRT_Device* PJRT_Client::find_device(int id) const {
  if (id < 0 || static_cast<std::size_t>(id) >= device_list.size())
    cornu::fail(cornu::ErrorCode::kNotFound, "[pjrt_plugin] there is no device {}; there are {}", id,
                device_list.size());
  return device_list[static_cast<std::size_t>(id)];
}
