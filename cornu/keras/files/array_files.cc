#include <algorithm>
#include <map>

#include "cornu/base/check.h"
#include "cornu/io/npz.h"
#include "cornu/io/safetensors.h"
#include "cornu/keras/files/array_files_support.h"
#include "cornu/keras/files/model_files_support.h"
#include "cornu/keras/files/weight_tree.h"
#include "cornu/keras/files/weights_hdf5_support.h"
#include "cornu/keras/utils/arrays.h"
#include "cornu/tensor/trace/variable_fill.h"

/// Files of weights as arrays by path, in formats that other programs read.
namespace cornu::inline v0::keras::files {
namespace {

/// The weights with their names, made of the layer's position and the weight's name: "layers/dense/kernel". A
/// number is appended if a layer has several weights of one name.
std::vector<std::pair<std::string, Variable>> named_weights(const Layer& network) {
  std::vector<std::pair<std::string, Variable>> all;
  std::map<std::string, int> counts;
  for (const SavedLayer& saved : weight_tree(network)) {
    for (const Variable& variable : saved.variables) {
      const std::string name = (saved.path.empty() ? "" : saved.path + "/") + variable.name();
      const int count = counts[name]++;
      all.emplace_back(count == 0 ? name : fmt::format("{}_{}", name, count), variable);
    }
  }
  return all;
}

std::string with_dots(std::string name) {
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

/// Pairs the model's weights with the arrays of a file: `find` returns an array by name, or nullopt.
template <typename Find>
void load_named(const Layer& network, const std::string& file_name, std::vector<std::string> names,
                const LoadWeightsOptions& options, bool dotted, const Find& find) {
  Assignments assignments;
  Difference difference;
  for (const auto& [path, variable] : named_weights(network)) {
    const std::string name = dotted ? with_dots(path) : path;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      difference.missing(name);
      continue;
    }
    names.erase(found);
    assignments.add(name, variable, find(name), difference);
  }
  for (const std::string& name : names) difference.unexpected(name);
  report(difference, file_name, options);
  assignments.run();
}

}  // namespace

PreparedFile prepare_safetensors(const Layer& network, const std::string& path) {
  std::vector<std::pair<std::string, KeptArray>> values;
  for (const auto& [name, variable] : named_weights(network)) values.emplace_back(with_dots(name), variable);
  return [path, values = std::move(values)] {
    std::vector<std::pair<std::string, io::ArrayView>> arrays;
    arrays.reserve(values.size());
    for (const auto& [name, value] : values) arrays.emplace_back(name, value.view());
    io::write_safetensors(path, arrays);
  };
}

void load_safetensors(const io::RandomAccessPointer& bytes, const Layer& network,
                      const LoadWeightsOptions& options) {
  const io::SafetensorsFile file(bytes);
  std::vector<std::string> names;
  for (const auto& [name, entry] : file.entries()) names.push_back(name);
  load_named(network, file.name(), std::move(names), options, true, [&](const std::string& name) {
    const io::SafetensorsFile::Entry& entry = file.entries().at(name);
    return FoundArray{entry.type, entry.dims,
                      [&](std::span<std::byte> destination) { file.read(entry, destination); }};
  });
}

PreparedFile prepare_npz_weights(const Layer& network, const std::string& path) {
  std::vector<Tensors::Named> arrays;
  for (const auto& [name, variable] : named_weights(network))
    arrays.emplace_back(name, cornu::detail::host_value(variable));
  return [path, arrays = Tensors(arrays)] { utils::save_npz(path, arrays); };
}

void load_npz_weights(const std::string& path, const Layer& network, const LoadWeightsOptions& options) {
  const io::NpzFile file(path, {.max_size_bytes = std::int64_t{1} << 40});
  load_named(network, path, file.names(), options, false, [&](const std::string& name) {
    auto array = std::make_shared<io::Array>(file.read(name));
    return FoundArray{array->type, array->dims, [array](std::span<std::byte> destination) {
                        std::copy(array->data.begin(), array->data.end(), destination.begin());
                      }};
  });
}

}  // namespace cornu::inline v0::keras::files
