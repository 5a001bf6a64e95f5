#include "cornu/plugin/compile_options.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/io/proto_reader.h"

namespace cornu::inline v0::plugin {
namespace {

using io::ProtoReader;

constexpr std::string_view kName = "CompileOptionsProto";
constexpr std::uint64_t kMaxCount = 1 << 20;

/// Calls read(number, reader) for each field; `read` returns false for fields that it leaves.
template <typename F>
void for_each_field(std::string_view bytes, std::string_view all, const F& read) {
  ProtoReader reader(bytes, kName, all.data());
  while (reader.has_more()) {
    const ProtoReader::Field field = reader.take_field();
    if (!read(field, reader)) reader.skip(field.wire);
  }
}

bool is_varint(const ProtoReader::Field& field, std::uint32_t number) {
  return field.number == number && field.wire == ProtoReader::Wire::kVarint;
}
bool is_message(const ProtoReader::Field& field, std::uint32_t number) {
  return field.number == number && field.wire == ProtoReader::Wire::kBytes;
}

std::int64_t take_count(ProtoReader& reader) {
  return static_cast<std::int64_t>(std::min(reader.take_varint(), kMaxCount));
}

/// DeviceAssignmentProto.ComputationDevice: device numbers, packed or not.
void read_devices(std::string_view bytes, std::string_view all, std::vector<std::int64_t>& devices) {
  for_each_field(bytes, all, [&](const auto& field, ProtoReader& reader) {
    if (is_varint(field, 1)) {
      devices.push_back(take_count(reader));
    } else if (is_message(field, 1)) {
      const std::string_view packed = reader.take_bytes();
      ProtoReader numbers(packed, kName, all.data());
      while (numbers.has_more()) devices.push_back(take_count(numbers));
    } else {
      return false;
    }
    return true;
  });
}

/// ExecutableBuildOptionsProto.
void read_build_options(std::string_view bytes, std::string_view all, CompileOptions& options) {
  for_each_field(bytes, all, [&](const auto& field, ProtoReader& reader) {
    if (is_varint(field, 4)) {
      options.num_replicas = take_count(reader);
    } else if (is_varint(field, 5)) {
      options.num_partitions = take_count(reader);
    } else if (is_message(field, 9)) {
      for_each_field(reader.take_bytes(), all, [&](const auto& inner, ProtoReader& assignment) {
        if (!is_message(inner, 3)) return false;
        read_devices(assignment.take_bytes(), all, options.devices);
        return true;
      });
    } else {
      return false;
    }
    return true;
  });
}

/// An entry of the map of options by name. Those of XLA, of any device, have no effect; another name is a mistake.
void check_named_option(std::string_view entry, std::string_view all) {
  for_each_field(entry, all, [&](const auto& field, ProtoReader& reader) {
    if (!is_message(field, 1)) return false;
    const std::string_view name = reader.take_bytes();
    if (!name.starts_with("xla_"))
      invalid_argument(
          "[compile] there is no option \"{}\" of the compiler: Cornu has none, and ignores those of XLA, "
          "xla_...",
          name);
    return true;
  });
}

}  // namespace

CompileOptions parse_compile_options(std::string_view bytes) {
  CompileOptions options;
  for_each_field(bytes, bytes, [&](const auto& field, ProtoReader& reader) {
    if (is_message(field, 3))
      read_build_options(reader.take_bytes(), bytes, options);
    else if (is_varint(field, 4))
      options.is_portable = reader.take_varint() != 0;
    else if (is_message(field, 7))
      check_named_option(reader.take_bytes(), bytes);
    else
      return false;
    return true;
  });
  if (options.num_replicas < 1 || options.num_partitions < 1)
    invalid_argument("[compile] a program needs at least one replica and one partition; got {} and {}",
                     options.num_replicas, options.num_partitions);
  const auto num_places = static_cast<std::size_t>(options.num_replicas * options.num_partitions);
  if (!options.devices.empty() && options.devices.size() != num_places)
    invalid_argument("[compile] a device assignment of {} devices does not fit {} replicas of {} partitions",
                     options.devices.size(), options.num_replicas, options.num_partitions);
  return options;
}

}  // namespace cornu::inline v0::plugin
