#include "cornu/plugin/shardings.h"

#include <cstring>
#include <map>

#include "cornu/io/proto_writer.h"
#include "cornu/plugin/executable.h"
#include "cornu/plugin/host_functions.h"

namespace cornu::inline v0::plugin {
namespace {

// Fields and types of OpSharding.
constexpr std::uint32_t kTileDims = 3, kTileDevices = 4, kTypesOfLastDims = 8;
constexpr std::int64_t kReplicated = 0, kUnreduced = 6;
constexpr std::string_view kTiled("\x08\x03", 2);  // type = OTHER

std::string packed(std::span<const std::int64_t> values) {
  std::string bytes;
  for (const std::int64_t value : values) io::append_varint(bytes, static_cast<std::uint64_t>(value));
  return bytes;
}

/// The devices by position. Those with the same position are in the order of their numbers, except that
/// summands of one tensor follow each other.
std::vector<std::int64_t> device_order(const transform::TensorSharding& sharding) {
  std::map<ir::Dims, std::vector<std::vector<std::int64_t>>> by_position;
  for (std::size_t device = 0; device < sharding.positions.size(); ++device) {
    auto& by_summand = by_position[sharding.positions[device]];
    by_summand.resize(static_cast<std::size_t>(sharding.num_summands));
    by_summand[static_cast<std::size_t>(sharding.summands[device])].push_back(
        static_cast<std::int64_t>(device));
  }
  std::vector<std::int64_t> order;
  for (const auto& [position, by_summand] : by_position)
    for (std::size_t copy = 0; copy < by_summand[0].size(); ++copy)
      for (const std::vector<std::int64_t>& devices : by_summand)
        if (copy < devices.size()) order.push_back(devices[copy]);
  return order;
}

/// An OpSharding; an empty message is a replicated tensor.
std::string message_of(const transform::TensorSharding& sharding) {
  if (sharding.is_replicated()) return "";
  std::int64_t num_tiles = sharding.num_summands;
  for (const std::int64_t count : sharding.num_parts) num_tiles *= count;
  const std::int64_t num_copies = static_cast<std::int64_t>(sharding.positions.size()) / num_tiles;
  ir::Dims dims = sharding.num_parts, types_of_last;
  if (num_copies > 1) {
    dims.push_back(num_copies);
    types_of_last.push_back(kReplicated);
  }
  if (sharding.num_summands > 1) {
    dims.push_back(sharding.num_summands);
    types_of_last.push_back(kUnreduced);
  }
  std::string bytes(kTiled);
  io::append_bytes_field(bytes, kTileDims, packed(dims));
  io::append_bytes_field(bytes, kTileDevices, packed(device_order(sharding)));
  if (!types_of_last.empty()) io::append_bytes_field(bytes, kTypesOfLastDims, packed(types_of_last));
  return bytes;
}

PJRT_Shardings_Extension make_shardings_extension() {
  PJRT_Shardings_Extension extension = {};
  extension.base.struct_size = sizeof extension;
  extension.base.next = host_functions_extension();
  // The number is beyond the enumerators of the header's type.
  static_assert(sizeof extension.base.type == sizeof kShardingsExtension);
  std::memcpy(&extension.base.type, &kShardingsExtension, sizeof kShardingsExtension);
  set_entry(extension.PJRT_Shardings_PJRT_Executable_ParameterShardings, [](auto& args) {
    const Program& program = *args.executable->program;
    args.num_parameters = program.parameters.size();
    args.shardings = program.parameter_shardings.data();
    args.sharding_sizes = program.parameter_shardings.sizes();
  });
  set_entry(extension.PJRT_Shardings_PJRT_Executable_OutputShardings, [](auto& args) {
    const Program& program = *args.executable->program;
    args.num_outputs = program.results.size();
    args.shardings = program.result_shardings.data();
    args.sharding_sizes = program.result_shardings.sizes();
  });
  return extension;
}

}  // namespace

void ShardingList::assign(std::span<const transform::TensorSharding> shardings) {
  for (const transform::TensorSharding& sharding : shardings) messages_.push_back(message_of(sharding));
  for (const std::string& message : messages_) {
    pointers_.push_back(message.data());
    sizes_.push_back(message.size());
  }
}

PJRT_Extension_Base* shardings_extension() {
  static auto& extension = *new PJRT_Shardings_Extension(make_shardings_extension());
  return &extension.base;
}

}  // namespace cornu::inline v0::plugin
