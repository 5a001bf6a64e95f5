#include <cstdio>
#include <set>

#include "cornu/base/check.h"
#include "cornu/keras/files/weight_tree.h"
#include "cornu/keras/files/weights_hdf5_support.h"

namespace cornu::inline v0::keras::files {
namespace {

std::string vars_of(const std::string& path) { return path.empty() ? "vars" : path + "/vars"; }

void put_variables(const std::vector<Variable>& variables, const std::string& path, const std::string& name,
                   WeightsContent& written) {
  io::Hdf5Content& vars = written.content.group(vars_of(path));
  vars.attributes["name"] = {.is_list = false, .texts = {name}};
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const KeptArray& value = written.values.emplace_back(variables[i]);
    io::Hdf5Attributes attributes;
    if (value.type == io::ElementType::kBF16) attributes["dtype"] = {.is_list = false, .texts = {"bfloat16"}};
    vars.datasets.emplace(std::to_string(i), std::pair(value.view(), std::move(attributes)));
  }
}

/// The group of a layer. Keras 2 calls lists of layers otherwise.
const io::Hdf5Group* find_vars(const io::Hdf5Group& root, const std::string& path) {
  if (const io::Hdf5Group* found = root.find_group(vars_of(path))) return found;
  std::string other = vars_of(path);
  constexpr std::string_view kNew = "layers/", kOld = "_layer_checkpoint_dependencies/";
  for (std::size_t at = 0; (at = other.find(kNew, at)) != std::string::npos; at += kOld.size()) {
    if (at > 0 && other[at - 1] != '/') {
      at += kNew.size() - kOld.size();
      continue;
    }
    other.replace(at, kNew.size(), kOld);
  }
  return root.find_group(other);
}

/// Groups with arrays that no layer of the model took.
void find_unexpected(const io::Hdf5Group& group, const std::string& path,
                     const std::set<const io::Hdf5Group*>& taken, Difference& difference) {
  for (const auto& [name, inside] : group.groups) {
    const bool is_other_state =  // of older files: what is drawn or measured, no weights
        name == "optimizer" || name == "seed_generator" || name == "metrics" || name == "_metrics";
    if (path.empty() && is_other_state) continue;
    if (name == "seed_generator") continue;
    const std::string inside_path = path.empty() ? name : path + "/" + name;
    if (!inside->datasets.empty() && !taken.contains(inside.get())) difference.unexpected(inside_path);
    find_unexpected(*inside, inside_path, taken, difference);
  }
}

}  // namespace

WeightsContent weights_content(const Layer& model, const Optimizer* optimizer) {
  WeightsContent written;
  for (const SavedLayer& saved : weight_tree(model))
    put_variables(saved.variables, saved.path, saved.layer->name(), written);
  if (optimizer != nullptr) put_variables(optimizer->variables(), "optimizer", optimizer->name(), written);
  return written;
}

FoundArray found_array(const std::shared_ptr<const io::Hdf5File>& file, const io::Hdf5Dataset& dataset) {
  return {dataset.type, dataset.dims,
          [file, &dataset](std::span<std::byte> destination) { file->read(dataset, destination); }};
}

void report(const Difference& difference, const std::string& file_name, const LoadWeightsOptions& options) {
  if (difference.empty()) return;
  if (!options.skip_mismatch)
    invalid_argument("[load_weights] {} does not fit the model: {}; nothing was changed", file_name,
                     difference.str());
  std::fprintf(stderr, "[load_weights] %s fits the model in part: %s\n", file_name.c_str(),
               difference.str().c_str());
}

void assign_optimizer(Optimizer& optimizer, const std::vector<Variable>& trainable,
                      std::vector<FoundArray> found, Assignments& assignments, Difference& difference) {
  if (found.size() > optimizer.variables().size() && !optimizer.built()) optimizer.build(trainable);
  const std::vector<Variable> variables = optimizer.variables();
  if (found.size() > variables.size())
    difference.unexpected(fmt::format("optimizer/vars/{}", variables.size()));
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::string path = fmt::format("optimizer/vars/{}", i);
    if (i < found.size())
      assignments.add(path, variables[i], std::move(found[i]), difference);
    else
      difference.missing(path);
  }
}

Assignments find_weights(const std::shared_ptr<const io::Hdf5File>& file, const Layer& model,
                         Optimizer* optimizer, const LoadWeightsOptions& options) {
  Assignments assignments;
  Difference difference;
  std::set<const io::Hdf5Group*> taken;
  for (const SavedLayer& saved : weight_tree(model)) {
    const io::Hdf5Group* vars = find_vars(file->root(), saved.path);
    taken.insert(vars);
    for (std::size_t i = 0; i < saved.variables.size(); ++i) {
      const std::string path = fmt::format("{}/{}", vars_of(saved.path), i);
      const io::Hdf5Dataset* array = vars == nullptr ? nullptr : vars->find_dataset(std::to_string(i));
      if (array == nullptr)
        difference.missing(path);
      else
        assignments.add(path, saved.variables[i], found_array(file, *array), difference);
    }
    if (vars != nullptr && vars->datasets.size() > saved.variables.size())
      difference.unexpected(fmt::format("{}/{}", vars_of(saved.path), saved.variables.size()));
  }
  find_unexpected(file->root(), "", taken, difference);
  const io::Hdf5Group* slots = file->root().find_group("optimizer/vars");
  if (optimizer != nullptr && slots != nullptr) {
    std::vector<FoundArray> found;
    for (const auto& [name, dataset] : slots->datasets) found.push_back(found_array(file, dataset));
    assign_optimizer(*optimizer, model.trainable_weights(), std::move(found), assignments, difference);
  }
  report(difference, file->name(), options);
  return assignments;
}

}  // namespace cornu::inline v0::keras::files
