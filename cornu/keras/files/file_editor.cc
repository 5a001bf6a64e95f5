#include "cornu/keras/files/file_editor.h"

#include <memory>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/io/file.h"
#include "cornu/io/random_access.h"
#include "cornu/io/zip.h"
#include "cornu/keras/files/weight_tree.h"
#include "cornu/keras/utils/arrays.h"

namespace cornu::inline v0::keras::saving {
namespace {

constexpr const char* kVars = "vars";

io::RandomAccessPointer weights_of(const std::string& path) {
  if (path.ends_with(".weights.h5")) return io::open_random_access(path);
  if (path.ends_with(".keras"))
    return io::ZipFile(io::open_random_access(path), ".keras").open("model.weights.h5");
  invalid_argument({.argument = "filepath"},
                   "[keras_file_editor] filepath must end in \".keras\" or \".weights.h5\"; got \"{}\"",
                   path);
}

std::string shape_of(const io::Array& value) {
  return fmt::format("shape=({}{}), dtype={}", fmt::join(value.dims, ", "), value.dims.size() == 1 ? "," : "",
                     io::element_type_name(value.type));
}

}  // namespace

KerasFileEditor::KerasFileEditor(const StringArgument& filepath) : filepath_(filepath) {
  const io::Hdf5File file(weights_of(filepath_));
  root_ = read(file, file.root());
}

KerasFileEditor::Object KerasFileEditor::read(const io::Hdf5File& file, const io::Hdf5Group& group) {
  Object object;
  const auto add = [&](const io::Hdf5Group& from) {
    for (const auto& [name, dataset] : from.datasets) {
      io::Array value{dataset.type, dataset.dims, std::vector<std::byte>(dataset.size_bytes)};
      file.read(dataset, value.data);
      object.weights.emplace(name, Weight{std::move(value), dataset.attributes});
    }
  };
  add(group);
  for (const auto& [name, inside] : group.groups) {
    if (name == kVars) {
      add(*inside);
      object.attributes = inside->attributes;
    } else if (Object made = read(file, *inside); !made.objects.empty() || !made.weights.empty()) {
      object.objects.emplace(name, std::move(made));
    }
  }
  return object;
}

void KerasFileEditor::describe(const Object& object, const std::string& indent, std::string& text) {
  for (const auto& [name, weight] : object.weights)
    text += indent + name + ": " + shape_of(weight.value) + "\n";
  for (const auto& [name, inside] : object.objects) {
    text += indent + name + "\n";
    describe(inside, indent + "  ", text);
  }
}

std::string KerasFileEditor::summary() const {
  std::string text = "Weights of " + filepath_ + "\n";
  describe(root_, "  ", text);
  return text;
}

void KerasFileEditor::find_named(Object& object, const std::string& name, std::vector<Place>& found) {
  for (auto& [own, inside] : object.objects) {
    if (own == name) found.push_back({&object, own});
    find_named(inside, name, found);
  }
}

KerasFileEditor::Place KerasFileEditor::find(const std::string& object_name) {
  if (object_name.find('/') == std::string::npos) {
    std::vector<Place> found;
    find_named(root_, object_name, found);
    if (found.size() != 1)
      invalid_argument({.argument = "object_name"},
                       "[keras_file_editor] {}: the name \"{}\" occurs {}; give a path that summary() shows",
                       filepath_, object_name, found.empty() ? "nowhere" : "more than once");
    return found[0];
  }
  Object* object = &root_;
  for (std::size_t begin = 0;;) {
    const std::size_t end = object_name.find('/', begin);
    const std::string name = object_name.substr(begin, end - begin);
    const auto next = object->objects.find(name);
    if (next == object->objects.end())
      invalid_argument({.argument = "object_name"}, "[keras_file_editor] {} has no object \"{}\"", filepath_,
                       object_name);
    if (end == std::string::npos) return {object, name};
    object = &next->second;
    begin = end + 1;
  }
}

std::map<std::string, KerasFileEditor::Weight, io::NumberedOrder> KerasFileEditor::named_weights(
    const char* caller, const Tensors& weights) {
  if (!weights.is_named())
    invalid_argument({.argument = "weights"},
                     "[{}] weights must have names, usually \"0\", \"1\": {{{{\"0\", kernel}}}}", caller);
  std::map<std::string, Weight, io::NumberedOrder> named;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights.names()[i].empty() || weights.names()[i].find('/') != std::string::npos)
      invalid_argument({.argument = "weights"}, "[{}] the name of a weight must have no \"/\"; got \"{}\"",
                       caller, weights.names()[i]);
    const io::ArrayView view = utils::to_array(weights[i]);
    io::Array value{view.type, {view.dims.begin(), view.dims.end()}, {view.data.begin(), view.data.end()}};
    named.emplace(weights.names()[i], Weight{std::move(value)});
  }
  return named;
}

void KerasFileEditor::rename_object(const StringArgument& object_name, const StringArgument& new_name) {
  if (new_name.empty() || new_name.find('/') != std::string::npos)
    invalid_argument({.argument = "new_name"},
                     "[rename_object] new_name must be a name without \"/\"; got \"{}\"", new_name);
  const Place place = find(object_name);
  if (place.name == new_name) return;
  if (place.parent->objects.contains(new_name))
    invalid_argument({.argument = "new_name"}, "[rename_object] there is an object \"{}\" already", new_name);
  auto node = place.parent->objects.extract(place.name);
  node.key() = new_name;
  place.parent->objects.insert(std::move(node));
}

void KerasFileEditor::delete_object(const StringArgument& object_name) {
  const Place place = find(object_name);
  place.parent->objects.erase(place.parent->objects.find(place.name));
}

void KerasFileEditor::add_object(const StringArgument& object_path, const Tensors& weights) {
  auto made = named_weights("add_object", weights);
  const std::size_t slash = object_path.rfind('/');
  Object* parent = &root_;
  if (slash != std::string::npos) {
    // A path of one name is found as such, not as a name that occurs once.
    const std::string folder = object_path.substr(0, slash);
    const auto at_root = root_.objects.find(folder);
    parent = at_root != root_.objects.end() ? &at_root->second : &find(folder).object();
  }
  const std::string name = object_path.substr(slash == std::string::npos ? 0 : slash + 1);
  if (name.empty() || name == kVars)
    invalid_argument({.argument = "object_path"},
                     "[add_object] object_path must end in the name of an object; got \"{}\"", object_path);
  parent->objects[name] = Object{.objects = {}, .weights = std::move(made)};
}

void KerasFileEditor::delete_weight(const StringArgument& object_name, const StringArgument& weight_name) {
  Object& object = find(object_name).object();
  const auto found = object.weights.find(weight_name);
  if (found == object.weights.end())
    invalid_argument({.argument = "weight_name"}, "[delete_weight] the object \"{}\" has no weight \"{}\"",
                     object_name, weight_name);
  object.weights.erase(found);
}

void KerasFileEditor::add_weights(const StringArgument& object_name, const Tensors& weights) {
  auto made = named_weights("add_weights", weights);
  Object& object = find(object_name).object();
  for (auto& [name, weight] : made) object.weights[name] = std::move(weight);
}

Tensors KerasFileEditor::weights(const StringArgument& object_name) const {
  const Object& object = const_cast<KerasFileEditor*>(this)->find(object_name).object();
  std::vector<Tensors::Named> named;
  for (const auto& [name, weight] : object.weights) named.emplace_back(name, utils::to_tensor(weight.value));
  return Tensors(named);
}

KerasFileEditor::Comparison KerasFileEditor::compare(const Model& reference_model) const {
  Comparison result;
  for (const SavedLayer& saved : weight_tree(*reference_model)) {
    if (saved.variables.empty()) continue;
    const Object* object = &root_;
    for (std::size_t begin = 0; object != nullptr && begin < saved.path.size();) {
      const std::size_t end = std::min(saved.path.find('/', begin), saved.path.size());
      const auto next = object->objects.find(saved.path.substr(begin, end - begin));
      object = next == object->objects.end() ? nullptr : &next->second;
      begin = end + 1;
    }
    if (object == nullptr) {
      result.errors.push_back(fmt::format("the file has no object \"{}\"", saved.path));
      continue;
    }
    for (std::size_t i = 0; i < saved.variables.size(); ++i) {
      const auto found = object->weights.find(std::to_string(i));
      const Dims& wanted = saved.variables[i].shape();
      if (found == object->weights.end())
        result.errors.push_back(fmt::format("object \"{}\" of the file has no weight \"{}\"", saved.path, i));
      else if (found->second.value.dims != wanted)
        result.errors.push_back(
            fmt::format("weight \"{}\" of object \"{}\" has shape {} in the file and {} in the model", i,
                        saved.path, ir::shape_str(found->second.value.dims), ir::shape_str(wanted)));
      else
        ++result.match_count;
    }
    for (const auto& [name, weight] : object->weights)
      if (const std::size_t count = saved.variables.size();
          name.find_first_not_of("0123456789") != std::string::npos || name.size() > 9 ||
          std::stoul(name) >= count)
        result.errors.push_back(
            fmt::format("the model has no weight \"{}\" of object \"{}\"", name, saved.path));
  }
  result.error_count = std::ssize(result.errors);
  result.is_success = result.errors.empty();
  return result;
}

void KerasFileEditor::put(const Object& object, io::Hdf5Content& content) {
  if (!object.weights.empty() || !object.attributes.empty()) {
    io::Hdf5Content& vars = content.group(kVars);
    vars.attributes = object.attributes;
    for (const auto& [name, weight] : object.weights)
      vars.datasets.emplace(name, std::pair(io::ArrayView(weight.value), weight.attributes));
  }
  for (const auto& [name, inside] : object.objects) put(inside, content.group(name));
}

void KerasFileEditor::save(const StringArgument& filepath) const {
  if (!filepath.ends_with(".weights.h5"))
    invalid_argument({.argument = "filepath"},
                     "[keras_file_editor] filepath must end in \".weights.h5\"; got \"{}\"", filepath);
  io::Hdf5Content content;
  put(root_, content);
  const io::Hdf5Writer writer(content);
  io::WholeFile file(filepath);
  writer.write([&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.commit();
}

}  // namespace cornu::inline v0::keras::saving
