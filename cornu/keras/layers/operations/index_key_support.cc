#include "cornu/keras/layers/operations/index_key_support.h"

#include <optional>
#include <string_view>

#include "cornu/keras/config/values_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

constexpr saving::Place kPlace = {"GetItem", "key"};
constexpr const char* kSlice = "__slice__";
constexpr const char* kEllipsisClass = "__ellipsis__";

bool is_class(const Config& part, std::string_view name) {
  const Config* const class_name = part.find("class_name");
  return class_name != nullptr && class_name->is_string() && class_name->as_string() == name;
}

std::optional<std::int64_t> bound(const Config& slice, const char* key) {
  std::optional<std::int64_t> value;
  if (const Config* const given = slice.find(key)) saving::read_value(*given, kPlace, value);
  return value;
}

Slice slice_of(const Config& part) {
  const Config* const slice = part.find("config");
  if (slice == nullptr || !slice->is_dict())
    saving::wrong_type(kPlace, "a slice with start, stop and step", part);
  return {bound(*slice, "start"), bound(*slice, "stop"), bound(*slice, "step").value_or(1)};
}

Index part_of(const Config& part) {
  if (part.is_null()) return kNewAxis;
  if (part.is_integer()) return part.as_integer();
  if (is_class(part, kEllipsisClass)) return kEllipsis;
  if (!is_class(part, kSlice)) saving::wrong_type(kPlace, "integers, slices, an ellipsis and null", part);
  return slice_of(part);
}

Config object(const char* class_name, Config config) {
  return Config::dict({{"class_name", class_name}, {"config", std::move(config)}});
}

struct PartWriter {
  Config operator()(std::int64_t position) const { return position; }
  Config operator()(const Slice& slice) const {
    const auto bound = [](const std::optional<std::int64_t>& at) { return at ? Config(*at) : Config(); };
    return object(kSlice, Config::dict({{"start", bound(slice.begin)},
                                        {"stop", bound(slice.end)},
                                        {"step", slice.step == 1 ? Config() : Config(slice.step)}}));
  }
  Config operator()(Ellipsis) const { return object(kEllipsisClass, Config::dict()); }
  Config operator()(NewAxis) const { return {}; }
};

}  // namespace

std::vector<Index> index_key(const Config& key) {
  if (!key.is_list()) return {part_of(key)};
  std::vector<Index> parts;
  for (const Config& part : key.as_list()) parts.push_back(part_of(part));
  return parts;
}

Config index_key_config(const std::vector<Index>& key) {
  if (key.size() == 1) return std::visit(PartWriter(), key[0].value());
  Config parts{Config::List()};
  for (const Index& part : key) parts.append(std::visit(PartWriter(), part.value()));
  return parts;
}

}  // namespace cornu::inline v0::keras::layers
