#include "cornu/plugin/shardings.h"

#include <algorithm>
#include <cstring>

#include "cornu/plugin/executable.h"

namespace cornu::inline v0::plugin {
namespace {

constexpr int kTileDims = 3, kTileDevices = 4;                   // fields of OpSharding
constexpr std::string_view kTiled("\x08\x03", 2);                // type = OTHER
constexpr std::string_view kReplicatedOnLastDim("\x30\x01", 2);  // replicate_on_last_tile_dim = true

std::string packed(std::span<const std::int64_t> values) {
  std::string bytes;
  for (const std::int64_t value : values) put_varint(bytes, static_cast<std::uint64_t>(value));
  return bytes;
}

/// An OpSharding; an empty message is a replicated tensor.
std::string message_of(const transform::TensorSharding& sharding) {
  if (sharding.is_replicated()) return "";
  // The devices by position, those with the same position in the order of their numbers.
  std::vector<std::int64_t> devices(sharding.positions.size());
  for (std::size_t device = 0; device < devices.size(); ++device)
    devices[device] = static_cast<std::int64_t>(device);
  std::stable_sort(devices.begin(), devices.end(), [&](std::int64_t a, std::int64_t b) {
    return sharding.positions[static_cast<std::size_t>(a)] < sharding.positions[static_cast<std::size_t>(b)];
  });
  std::int64_t num_tiles = 1;
  for (const std::int64_t count : sharding.num_parts) num_tiles *= count;
  ir::Dims dims = sharding.num_parts;
  const std::int64_t num_copies = static_cast<std::int64_t>(devices.size()) / num_tiles;
  if (num_copies > 1) dims.push_back(num_copies);
  std::string bytes(kTiled);
  put_bytes(bytes, kTileDims, packed(dims));
  put_bytes(bytes, kTileDevices, packed(devices));
  if (num_copies > 1) bytes += kReplicatedOnLastDim;
  return bytes;
}

PJRT_Shardings_Extension make_shardings_extension() {
  PJRT_Shardings_Extension extension = {};
  extension.base.struct_size = sizeof extension;
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

void put_varint(std::string& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  bytes += static_cast<char>(value);
}

void put_bytes(std::string& bytes, int field, std::string_view value) {
  bytes += static_cast<char>(field << 3 | 2);
  put_varint(bytes, value.size());
  bytes += value;
}

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
