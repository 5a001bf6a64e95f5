#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cornu/io/hdf5.h"
#include "cornu/keras/files/array_files_support.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/core/lora_support.h"
#include "cornu/keras/models/file_options.h"
#include "cornu/keras/optimizers/optimizer.h"

/// Keras's weights files: a group "vars" for each layer, with arrays "0", "1", ... For a layer with LoRA they
/// contain the sum of weight and LoRA product, and not the LoRA weights, which are zero after reading.
namespace cornu::inline v0::keras::files {

/// The content of a weights file, with the values to which it refers.
struct WeightsContent {
  io::Hdf5Content content;
  std::deque<KeptArray> values;
};

/// The variables of one group.
struct SavedVariables {
  std::string path;  // without "/vars"
  std::string name;  // of the layer, checked by readers
  std::vector<Variable> variables;
  const layers::LoraLayer* lora = nullptr;  // null if the layer has no LoRA weights

  /// True if the file has the sum with the LoRA product in place of this variable.
  bool is_lora_sum(std::size_t index) const {
    return lora != nullptr && variables[index] == lora->lora()->weight;
  }
};
/// The groups in the order in which Keras writes them; `optimizer` null: without its state.
std::vector<SavedVariables> saved_variables(const Layer& model, const Optimizer* optimizer);
/// Adds one variable to `content`; `values` keeps its value. Lifetime: the content's, of `values`.
void put_variable(const SavedVariables& saved, std::size_t index, io::Hdf5Content& content,
                  std::deque<KeptArray>& values);
/// "layers/dense/vars"
std::string vars_of(const std::string& path);

WeightsContent weights_content(const Layer& model, const Optimizer* optimizer);
/// Writes the content to a file, atomically.
void write_hdf5(const std::string& path, const io::Hdf5Content& content);

/// One or several files that contain the weights together; a group's arrays may be in more than one.
struct WeightsFiles {
  std::string name;  // for errors
  std::vector<std::shared_ptr<const io::Hdf5File>> files;
};

/// Finds a model's weights, and the optimizer's if `optimizer` is not null; builds the optimizer first if
/// there are slots.
/// Errors: InvalidArgument listing the differences, unless options.skip_mismatch: differences are then left
///         out with a warning.
Assignments find_weights(const WeightsFiles& files, const Layer& model, Optimizer* optimizer,
                         const LoadWeightsOptions& options);
inline Assignments find_weights(const std::shared_ptr<const io::Hdf5File>& file, const Layer& model,
                                Optimizer* optimizer, const LoadWeightsOptions& options) {
  return find_weights(WeightsFiles{file->name(), {file}}, model, optimizer, options);
}

FoundArray found_array(const std::shared_ptr<const io::Hdf5File>& file, const io::Hdf5Dataset& dataset);

/// Throws InvalidArgument with the difference, or warns if mismatches are skipped.
void report(const Difference& difference, const std::string& file_name, const LoadWeightsOptions& options);

/// Pairs an optimizer's variables with those in a file, in its order; builds the optimizer for `trainable` if
/// the file has slots. Another number of variables belongs to another optimizer: with options.skip_mismatch
/// nothing is paired and a warning reports it, as in Keras; otherwise it is a difference.
void assign_optimizer(Optimizer& optimizer, const std::vector<Variable>& trainable,
                      std::vector<FoundArray> found, const LoadWeightsOptions& options,
                      Assignments& assignments, Difference& difference);

/// The order of an optimizer's slots in a file from before Keras 3: grouped by variable or by kind.
enum class SlotOrder { kByVariable, kByKind };

/// An optimizer's state in a file that may be from before Keras 3.
struct OldState {
  std::vector<FoundArray> found = {};
  SlotOrder order = SlotOrder::kByVariable;
  bool is_before_3 = true;        // the learning rate is not part of it
  std::string why_no_slots = {};  // the reason why slots cannot be used; empty if they can
};

/// The names in a warning.
struct StateReader {
  const char* caller;  // "load_model", whose optimizer is a new one, or "load_weights"
  std::string file;
};

/// Pairs an optimizer's variables with such a state. If it does not fit, nothing is paired, and a warning
/// reports that the optimizer is unchanged. Builds the optimizer for `trainable` if the file has slots.
void assign_old_state(const StateReader& reader, Optimizer& optimizer, const std::vector<Variable>& trainable,
                      OldState state, Assignments& assignments);
/// Loads the state in a .keras file from before Keras 3, for load_model.
void load_old_state(const std::shared_ptr<const io::Hdf5File>& file, Optimizer& optimizer,
                    const std::vector<Variable>& trainable);

}  // namespace cornu::inline v0::keras::files
