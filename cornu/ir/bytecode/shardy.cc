#include <string>

#include "cornu/base/check.h"
#include "cornu/ir/bytecode/attributes.h"

/// Encodings of Shardy's attributes. Source: shardy/dialect/sdy/ir/bytecode.td.
namespace cornu::inline v0::ir::bytecode {
namespace {

enum class ShardyCode : std::uint8_t {
  kManualAxes = 0,
  kMeshAxis = 1,
  kMesh = 2,
  kSubAxis = 3,
  kAxisReference = 4,
  kDimension = 5,
  kSharding = 6,
  kShardings = 7,
  kShardingWithUnreduced = 15,
  kShardingsWithUnreduced = 16,
  kShardingWithReduction = 17,
};

std::string quoted(std::string_view name) { return fmt::format("\"{}\"", name); }

}  // namespace

/// Texts of attributes, separated by commas.
std::string AttributeReader::shardy_list(ByteReader& bytes) {
  std::string text;
  for (std::size_t left = bytes.count("items"); left > 0; --left) {
    const std::size_t number = read_attribute_number(bytes);
    if (!text.empty()) text += ", ";
    text += shardy_text(number);
  }
  return text;
}

std::string AttributeReader::shardy_sharding(ByteReader& bytes, bool has_unreduced_axes) {
  const std::size_t mesh = read_attribute_number(bytes);
  std::string text = "<";
  if (is_shardy(sections_.attributes()[mesh])) {
    text += "mesh" + shardy_text(mesh);
  } else {
    const std::optional<text::Syntax> name = value(mesh);
    text += "@" + (name.has_value() ? name->text : "");
  }
  text += ", [" + shardy_list(bytes) + "]";
  const std::string replicated = shardy_list(bytes);
  if (!replicated.empty()) text += ", replicated={" + replicated + "}";
  if (has_unreduced_axes) text += ", unreduced={" + shardy_list(bytes) + "}";
  return text + ">";
}

/// `"x"=2` of a mesh, or `"x"` and `"x":(1)2` of a sharding.
std::string AttributeReader::shardy_axis(ByteReader& bytes, bool is_of_mesh) {
  const std::size_t at = bytes.position();
  const std::string_view name = sections_.read_string(bytes);
  take_size(name.size(), at);
  if (is_of_mesh) return fmt::format("{}={}", quoted(name), bytes.signed_varint());
  const auto [sub_axis, has_sub_axis] = bytes.varint_with_flag();
  if (!has_sub_axis) return quoted(name);
  if (sub_axis >= sections_.attributes().size()) source_.fail_at(at, "there is no such attribute");
  return quoted(name) + shardy_text(static_cast<std::size_t>(sub_axis));
}

std::string AttributeReader::shardy_mesh(ByteReader& bytes) {
  std::string text = "<[" + shardy_list(bytes) + "]";
  const std::size_t count = bytes.count("devices");
  for (std::size_t i = 0; i < count; ++i)
    text += fmt::format("{}{}", i == 0 ? ", device_ids=[" : ", ", bytes.signed_varint());
  return text + (count > 0 ? "]>" : ">");
}

std::string AttributeReader::shardy_text(std::size_t number) {
  const Sections::Entry& entry = sections_.attributes()[number];
  const text::Level level(source_, entry.begin, budget_);
  take_size(1 + (entry.end - entry.begin), entry.begin);
  if (entry.is_text) return std::string(open(entry).zero_terminated());
  if (!is_shardy(entry)) {  // the name of an axis
    const std::optional<text::Syntax> name = value(number);
    return quoted(name.has_value() ? name->text : "");
  }
  ByteReader bytes = open(entry);
  const auto code = static_cast<ShardyCode>(bytes.varint());
  switch (code) {
    case ShardyCode::kManualAxes: return "#sdy<manual_axes{" + shardy_list(bytes) + "}>";
    case ShardyCode::kMeshAxis:
    case ShardyCode::kAxisReference: return shardy_axis(bytes, code == ShardyCode::kMeshAxis);
    case ShardyCode::kMesh: return shardy_mesh(bytes);
    case ShardyCode::kSubAxis: {
      const std::int64_t pre_size = bytes.signed_varint();
      return fmt::format(":({}){}", pre_size, bytes.signed_varint());
    }
    case ShardyCode::kDimension: {
      const std::string axes = shardy_list(bytes);
      const bool is_closed = bytes.byte() != 0;
      return "{" + axes + (is_closed ? "}" : axes.empty() ? "?}" : ", ?}");
    }
    case ShardyCode::kSharding: return shardy_sharding(bytes, false);
    case ShardyCode::kShardingWithUnreduced:
    case ShardyCode::kShardingWithReduction: return shardy_sharding(bytes, true);
    case ShardyCode::kShardings:
    case ShardyCode::kShardingsWithUnreduced: return "[" + shardy_list(bytes) + "]";
    default: return "";
  }
}

}  // namespace cornu::inline v0::ir::bytecode
