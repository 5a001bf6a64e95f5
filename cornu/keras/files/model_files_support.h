#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/io/random_access.h"
#include "cornu/keras/files/load_model.h"
#include "cornu/keras/files/prepared_file.h"
#include "cornu/keras/models/file_options.h"
#include "cornu/keras/network/network.h"
#include "cornu/keras/saving/old_config.h"
#include "cornu/keras/trainer/trainer.h"

/// The file formats of models; each has its own source file.
namespace cornu::inline v0::keras::files {

enum class Format { kKeras, kHdf5Model, kHdf5Weights, kShardedWeights, kSafetensors, kNpz };
/// The format by a path's extension; nullopt for other extensions.
std::optional<Format> format_of(std::string_view path);

/// The format of a path for a model. Errors: InvalidArgument for all others.
Format save_format(const std::string& path);

/// The data to save: a network and, if it is compiled and they are requested, the options of compile().
struct SavedModel {
  const Layer& network;
  Optimizer* optimizer = nullptr;  // null: not saved
  Config compile_config = {};      // null: not saved
};

/// Errors: InvalidArgument if the file exists and must not be replaced.
void check_overwrite(const std::string& path, bool overwrite, const char* caller);

/// Runs one part of reading a file; notes in errors name the file and the part.
template <typename F>
decltype(auto) in_part(const std::string& name, F&& f) {
  try {
    return f();
  } catch (const Error& error) {
    throw error.with({.notes = "in " + name});
  }
}

/// ", written by Keras 2.4.0: WAY_OUT".
std::string written_by(const saving::KerasVersion& version, const char* way_out);

/// The same for a model's description and for the options of compile(): errors also note the version of Keras
/// that wrote the file, and the way to load it without this part.
template <typename F>
decltype(auto) in_description(const std::string& name, const saving::KerasVersion& version, F&& f) {
  return in_part(name + written_by(version,
                                   "make the model in the program, or its class in custom_objects, and "
                                   "take the weights with load_weights()"),
                 std::forward<F>(f));
}
template <typename F>
decltype(auto) in_compile_config(const std::string& name, const saving::KerasVersion& version, F&& f) {
  return in_part(
      name + written_by(version, "load_model(path, {.compile = false}) reads the model without it"),
      std::forward<F>(f));
}
/// The bytes that a description may allocate if the weights take `size_bytes` in the file, where they may be
/// bfloat16.
std::int64_t weight_budget(std::uint64_t size_bytes);

PreparedFile prepare_keras_file(const SavedModel& model, const std::string& path);
/// The same for any layer with this description. The current values of its variables are written.
PreparedFile prepare_keras_archive(const Config& description, const Layer& layer, const Optimizer* optimizer,
                                   const std::string& path);
Model load_keras_file(const io::RandomAccessPointer& bytes, const LoadModelOptions& options);

PreparedFile prepare_hdf5_model(const SavedModel& model, const std::string& path);
Model load_hdf5_model(const io::RandomAccessPointer& bytes, const LoadModelOptions& options);

/// Prepares "model.weights.h5" of a .keras file as a file of its own.
PreparedFile prepare_hdf5_weights(const Layer& network, const Optimizer* optimizer, const std::string& path);
/// Loads the weights of either kind of .h5 file; those of Keras's older format by the order of layers or by
/// their names.
void load_hdf5_weights(const io::RandomAccessPointer& bytes, const Layer& network, Optimizer* optimizer,
                       const LoadWeightsOptions& options);

/// Prepares a list, and the files of weights beside it.
/// Errors: InvalidArgument for a limit that is not positive or too small for one array.
PreparedFile prepare_sharded_weights(const Layer& network, const Optimizer* optimizer,
                                     const std::string& path, double max_shard_gib);
/// Errors: also DataLoss for a list that names files outside its own folder.
void load_sharded_weights(const std::string& path, const Layer& network, Optimizer* optimizer,
                          const LoadWeightsOptions& options);

/// Prepares arrays by path: "layers/dense/0" is "layers.dense.0" in safetensors.
PreparedFile prepare_safetensors(const Layer& network, const std::string& path);
void load_safetensors(const io::RandomAccessPointer& bytes, const Layer& network,
                      const LoadWeightsOptions& options);
PreparedFile prepare_npz_weights(const Layer& network, const std::string& path);
void load_npz_weights(const std::string& path, const Layer& network, const LoadWeightsOptions& options);

}  // namespace cornu::inline v0::keras::files
