#include "cornu/transform/sharding.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"

namespace cornu::inline v0::transform {
namespace {

constexpr std::string_view kMeshPrefix = "sdy.mesh @";

/// Reads the characters of an attribute's text, without the blanks between its parts.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool accept(std::string_view wanted) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }
  void expect(std::string_view wanted) {
    if (!accept(wanted)) fail_expected(wanted);
  }
  /// Moves to the first `wanted`.
  void seek(char wanted) {
    at_ = text_.find(wanted);
    if (at_ == std::string_view::npos) fail_expected(std::string_view(&wanted, 1));
  }
  std::int64_t integer() {
    skip_blanks();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail_expected("an integer");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  /// A name in quotes.
  std::string quoted() {
    expect("\"");
    const std::size_t end = text_.find('"', at_);
    if (end == std::string_view::npos) fail_expected("a quote");
    std::string name(text_.substr(at_, end - at_));
    at_ = end + 1;
    return name;
  }
  /// A symbol's name after "@", in quotes or not.
  std::string symbol() {
    if (text_.substr(at_).starts_with('"')) return quoted();
    const std::size_t end = std::min(text_.find_first_of(",<> ", at_), text_.size());
    std::string name(text_.substr(at_, end - at_));
    at_ = end;
    return name;
  }
  [[noreturn]] void fail_expected(std::string_view wanted) const {
    invalid_argument("[sharding] expected {} at character {} of the sharding {}", wanted,
                     std::min(at_, text_.size()), text_);
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// `["x"=2, "y"=4], device_ids=[0, 1]>`
DeviceMesh read_mesh(Scanner& scanner) {
  DeviceMesh mesh;
  scanner.expect("[");
  while (!scanner.accept("]")) {
    DeviceMesh::Axis axis{.name = scanner.quoted()};
    scanner.expect("=");
    axis.size = scanner.integer();
    if (axis.size < 1) scanner.fail_expected("a positive size");
    mesh.axes.push_back(std::move(axis));
    scanner.accept(",");
  }
  if (scanner.accept(",")) {
    scanner.expect("device_ids");
    scanner.expect("=");
    scanner.expect("[");
    while (!scanner.accept("]")) {
      mesh.devices.push_back(scanner.integer());
      scanner.accept(",");
    }
  }
  scanner.expect(">");
  return mesh;
}

/// A part of an axis that is factored as (pre_size, size, rest).
struct AxisPart {
  std::size_t axis = 0;
  std::int64_t pre_size = 1, size = 1;
};

/// `"x"` or `"x":(2)4`
AxisPart read_axis(Scanner& scanner, const DeviceMesh& mesh) {
  const std::string name = scanner.quoted();
  const auto found =
      std::find_if(mesh.axes.begin(), mesh.axes.end(), [&](const auto& axis) { return axis.name == name; });
  if (found == mesh.axes.end()) invalid_argument("[sharding] the mesh has no axis \"{}\"", name);
  AxisPart part{.axis = static_cast<std::size_t>(found - mesh.axes.begin()), .size = found->size};
  if (!scanner.accept(":")) return part;
  scanner.expect("(");
  part.pre_size = scanner.integer();
  scanner.expect(")");
  part.size = scanner.integer();
  if (part.pre_size < 1 || part.size < 1 || part.size > found->size || part.pre_size > found->size ||
      found->size % (part.pre_size * part.size) != 0)
    invalid_argument("[sharding] axis \"{}\" of {} devices has no part ({}){}", name, found->size,
                     part.pre_size, part.size);
  return part;
}

/// `{"x", "y", ?}p1`
std::vector<AxisPart> read_dimension(Scanner& scanner, const DeviceMesh& mesh) {
  std::vector<AxisPart> parts;
  scanner.expect("{");
  while (!scanner.accept("}")) {
    if (!scanner.accept("?")) parts.push_back(read_axis(scanner, mesh));
    scanner.accept(",");
  }
  if (scanner.accept("p")) scanner.integer();
  return parts;
}

/// The coordinates in the grid of each device.
std::vector<ir::Dims> coordinates_of(const DeviceMesh& mesh, std::int64_t num_devices) {
  std::vector<ir::Dims> coordinates(static_cast<std::size_t>(num_devices));
  for (std::int64_t position = 0; position < num_devices; ++position) {
    const std::int64_t device =
        mesh.devices.empty() ? position : mesh.devices[static_cast<std::size_t>(position)];
    if (device < 0 || device >= num_devices)
      invalid_argument("[sharding] the mesh names device {}; there are {}", device, num_devices);
    ir::Dims& of_device = coordinates[static_cast<std::size_t>(device)];
    of_device.assign(mesh.axes.size(), 0);
    std::int64_t rest = position;
    for (std::size_t axis = mesh.axes.size(); axis-- > 0;) {
      of_device[axis] = rest % mesh.axes[axis].size;
      rest /= mesh.axes[axis].size;
    }
  }
  return coordinates;
}

/// True for a mesh of one device, which has no axes.
bool is_single(const DeviceMesh& mesh) { return mesh.axes.empty(); }

void check_mesh(const DeviceMesh& mesh, std::int64_t num_devices) {
  ir::Dims sizes;
  for (const DeviceMesh::Axis& axis : mesh.axes) sizes.push_back(axis.size);
  const std::int64_t count = CheckedSize::product(sizes).value("[sharding] the mesh");
  if (count != num_devices || (!mesh.devices.empty() && std::cmp_not_equal(mesh.devices.size(), count)))
    fail(ErrorCode::kUnimplemented, "[sharding] a mesh of {} devices in a program for {}", count,
         num_devices);
}

/// Cuts what each device has into more parts, by one more axis: `index` of a device is the number of its part.
template <typename Index>
void cut_by(std::int64_t& num_parts, const AxisPart& part, const DeviceMesh& mesh,
            const std::vector<ir::Dims>& coordinates, const Index& index) {
  num_parts *= part.size;
  if (std::cmp_greater(num_parts, coordinates.size()))
    invalid_argument("[sharding] {} devices cannot have {} parts of a tensor", coordinates.size(), num_parts);
  const std::int64_t inside = mesh.axes[part.axis].size / (part.pre_size * part.size);
  for (std::size_t device = 0; device < coordinates.size(); ++device) {
    std::int64_t& number = index(device);
    number = number * part.size + coordinates[device][part.axis] / inside % part.size;
  }
}

void cut_dimension(TensorSharding& sharding, std::size_t dimension, const AxisPart& part,
                   const DeviceMesh& mesh, const std::vector<ir::Dims>& coordinates) {
  cut_by(sharding.num_parts[dimension], part, mesh, coordinates,
         [&](std::size_t device) -> std::int64_t& { return sharding.positions[device][dimension]; });
}

void add_summands(TensorSharding& sharding, const AxisPart& part, const DeviceMesh& mesh,
                  const std::vector<ir::Dims>& coordinates) {
  cut_by(sharding.num_summands, part, mesh, coordinates,
         [&](std::size_t device) -> std::int64_t& { return sharding.summands[device]; });
}

using Meshes = std::map<std::string, DeviceMesh, std::less<>>;

/// The mesh at the beginning of a sharding: `<@mesh` or `<mesh<["x"=2]>`.
DeviceMesh read_mesh_of_sharding(Scanner& scanner, const Meshes& meshes) {
  scanner.expect("<");
  if (scanner.accept("@")) {
    const std::string name = scanner.symbol();
    const auto found = meshes.find(name);
    if (found == meshes.end()) invalid_argument("[sharding] there is no mesh @{}", name);
    return found->second;
  }
  scanner.expect("mesh");
  scanner.expect("<");
  return read_mesh(scanner);
}

TensorSharding read_sharding(Scanner& scanner, const Meshes& meshes, std::int64_t num_devices,
                             std::int64_t rank, const std::vector<std::string>* axes) {
  const DeviceMesh mesh = read_mesh_of_sharding(scanner, meshes);
  TensorSharding sharding = replicated_sharding(rank, num_devices);
  std::vector<ir::Dims> coordinates;
  if (!is_single(mesh)) {
    check_mesh(mesh, num_devices);
    coordinates = coordinates_of(mesh, num_devices);
  }
  const auto counts = [&](const AxisPart& part) {
    return axes == nullptr || std::find(axes->begin(), axes->end(), mesh.axes[part.axis].name) != axes->end();
  };
  scanner.expect(",");
  scanner.expect("[");
  for (std::int64_t dimension = 0; !scanner.accept("]"); ++dimension) {
    if (dimension >= rank && !is_single(mesh))
      invalid_argument("[sharding] more dimensions than the tensor's {}", rank);
    for (const AxisPart& part : read_dimension(scanner, mesh))
      if (counts(part)) cut_dimension(sharding, static_cast<std::size_t>(dimension), part, mesh, coordinates);
    scanner.accept(",");
  }
  while (!scanner.accept(">")) {
    scanner.expect(",");
    // Replicated axes only tell how a sharding may be refined.
    const bool is_unreduced = scanner.accept("unreduced");
    if (!is_unreduced) scanner.expect("replicated");
    scanner.expect("=");
    for (const AxisPart& part : read_dimension(scanner, mesh))
      if (is_unreduced && counts(part)) add_summands(sharding, part, mesh, coordinates);
  }
  return sharding;
}

}  // namespace

bool TensorSharding::is_replicated() const {
  return num_summands == 1 &&
         std::all_of(num_parts.begin(), num_parts.end(), [](std::int64_t count) { return count == 1; });
}

bool TensorSharding::has_all_parts() const {
  const std::int64_t count = CheckedSize::product(num_parts).value("[sharding] a tensor");
  return std::cmp_equal(std::set<ir::Dims>(positions.begin(), positions.end()).size(), count);
}

ir::Dims TensorSharding::part_dims(const ir::Dims& dims) const {
  ir::Dims part = dims;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] % num_parts[d] != 0)
      fail(ErrorCode::kUnimplemented, "[sharding] {} elements cannot be divided into {} equal parts", dims[d],
           num_parts[d]);
    part[d] /= num_parts[d];
  }
  return part;
}

TensorSharding replicated_sharding(std::int64_t rank, std::int64_t num_devices) {
  return {.num_parts = ir::Dims(static_cast<std::size_t>(rank), 1),
          .positions = std::vector<ir::Dims>(static_cast<std::size_t>(num_devices),
                                             ir::Dims(static_cast<std::size_t>(rank), 0)),
          .num_summands = 1,
          .summands = std::vector<std::int64_t>(static_cast<std::size_t>(num_devices), 0)};
}

ShardingReader::ShardingReader(const ir::Attributes& module_attributes, std::int64_t num_devices)
    : num_devices_(num_devices) {
  for (const auto& [name, value] : module_attributes) {
    const auto* const text = std::get_if<std::string>(&value);
    if (!name.starts_with(kMeshPrefix) || text == nullptr) continue;
    Scanner scanner(*text);
    scanner.seek('<');
    scanner.expect("<");
    meshes_.emplace(name.substr(kMeshPrefix.size()), read_mesh(scanner));
  }
}

TensorSharding ShardingReader::sharding(std::string_view text, std::int64_t rank,
                                        const std::vector<std::string>* axes) const {
  Scanner scanner(text);
  scanner.seek('<');
  return read_sharding(scanner, meshes_, num_devices_, rank, axes);
}

std::vector<TensorSharding> ShardingReader::shardings(std::string_view text,
                                                      std::span<const std::int64_t> ranks,
                                                      const std::vector<std::string>& axes) const {
  Scanner scanner(text);
  scanner.seek('[');
  scanner.expect("[");
  std::vector<TensorSharding> found;
  while (!scanner.accept("]")) {
    if (found.size() == ranks.size())
      invalid_argument("[sharding] {} tensors have more shardings: {}", ranks.size(), text);
    found.push_back(read_sharding(scanner, meshes_, num_devices_, ranks[found.size()], &axes));
    scanner.accept(",");
  }
  if (found.size() != ranks.size())
    invalid_argument("[sharding] {} tensors have {} shardings: {}", ranks.size(), found.size(), text);
  return found;
}

std::vector<std::int64_t> ShardingReader::groups(std::string_view text,
                                                 const std::vector<std::string>& axes) const {
  Scanner scanner(text);
  scanner.seek('[');
  scanner.expect("[");
  const DeviceMesh mesh = read_mesh_of_sharding(scanner, meshes_);
  std::vector<std::int64_t> groups(static_cast<std::size_t>(num_devices_), 0);
  if (is_single(mesh)) return groups;
  check_mesh(mesh, num_devices_);
  const std::vector<ir::Dims> coordinates = coordinates_of(mesh, num_devices_);
  for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
    if (std::find(axes.begin(), axes.end(), mesh.axes[axis].name) == axes.end()) continue;
    for (std::size_t device = 0; device < groups.size(); ++device)
      groups[device] = groups[device] * mesh.axes[axis].size + coordinates[device][axis];
  }
  return groups;
}

std::vector<std::string> ShardingReader::manual_axes(std::string_view text) {
  Scanner scanner(text);
  scanner.seek('{');
  scanner.expect("{");
  std::vector<std::string> axes;
  while (!scanner.accept("}")) {
    axes.push_back(scanner.quoted());
    scanner.accept(",");
  }
  return axes;
}

}  // namespace cornu::inline v0::transform
