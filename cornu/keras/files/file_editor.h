#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/io/hdf5.h"
#include "cornu/keras/base/tensors.h"
#include "cornu/keras/models/model.h"

namespace cornu::inline v0::keras::saving {

/// Inspects and changes a file of weights, for example after a model's layers have changed.
///
///     saving::KerasFileEditor editor("model.weights.h5");
///     editor.delete_object("layers/dense_2");
///     editor.add_object("layers/einsum_dense", {{"0", kernel}});
///     editor.save("edited.weights.h5");
///
/// An object (a layer, a list of layers) is given by its path, "layers/dense_2", or by a name that occurs once,
/// "dense_2". Its weights have the names "0", "1", ... A file need not be trusted (see load_model).
/// Errors: InvalidArgument for a path that is not ".keras" or ".weights.h5", a path or name that does not
///         exist, a name that occurs several times, and a new name with "/"; those of io::Hdf5File and
///         io::ZipFile. An error changes nothing.
/// Source: keras.saving.KerasFileEditor.
class KerasFileEditor {
 public:
  /// Reads the weights of a file, ".keras" or ".weights.h5".
  explicit KerasFileEditor(const StringArgument& filepath);

  /// The objects with their weights' shapes and dtypes, an object or a weight a line.
  std::string summary() const;

  struct Comparison {
    bool is_success = false;
    std::int64_t error_count = 0;
    std::int64_t match_count = 0;
    std::vector<std::string> errors = {};  // a sentence each
  };
  /// Compares the file with the weights that a model would write.
  Comparison compare(const Model& reference_model) const;

  void rename_object(const StringArgument& object_name, const StringArgument& new_name);
  void delete_object(const StringArgument& object_name);
  /// Adds an object of this path, or replaces it. `weights` have names: `{{"0", kernel}, {"1", bias}}`.
  void add_object(const StringArgument& object_path, const Tensors& weights);
  void delete_weight(const StringArgument& object_name, const StringArgument& weight_name);
  /// Adds weights to an object; existing ones of these names are replaced.
  void add_weights(const StringArgument& object_name, const Tensors& weights);

  /// Writes the weights, atomically. Errors: InvalidArgument for a path that does not end in ".weights.h5".
  void save(const StringArgument& filepath) const;
  void resave_weights(const StringArgument& filepath) const { save(filepath); }

  /// The names and values of an object's own weights.
  Tensors weights(const StringArgument& object_name) const;

 private:
  struct Weight {
    io::Array value;
    io::Hdf5Attributes attributes = {};
  };
  struct Object {
    std::map<std::string, Object, io::NumberedOrder> objects = {};
    std::map<std::string, Weight, io::NumberedOrder> weights = {};
    io::Hdf5Attributes attributes = {};
  };

  /// An object's parent and its name in it.
  struct Place {
    Object* parent;
    std::string name;
    Object& object() const { return parent->objects.find(name)->second; }
  };
  Place find(const std::string& object_name);
  static void find_named(Object& object, const std::string& name, std::vector<Place>& found);
  static Object read(const io::Hdf5File& file, const io::Hdf5Group& group);
  static std::map<std::string, Weight, io::NumberedOrder> named_weights(const char* caller,
                                                                        const Tensors& weights);
  static void describe(const Object& object, const std::string& indent, std::string& text);
  static void put(const Object& object, io::Hdf5Content& content);

  std::string filepath_;
  Object root_;
};

}  // namespace cornu::inline v0::keras::saving
