#include "cornu/keras/files/load_model.h"

#include <algorithm>
#include <filesystem>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"
#include "cornu/io/file.h"
#include "cornu/io/zip.h"
#include "cornu/keras/files/compile_config.h"
#include "cornu/keras/files/enough_memory_support.h"
#include "cornu/keras/files/model_files_support.h"
#include "cornu/runtime/collective.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/tensor/trace/variable_watcher.h"

namespace cornu::inline v0::keras {
namespace files {

std::optional<Format> format_of(std::string_view path) {
  constexpr std::pair<std::string_view, Format> kEnds[] = {{".keras", Format::kKeras},
                                                           {".weights.h5", Format::kHdf5Weights},
                                                           {".weights.json", Format::kShardedWeights},
                                                           {".h5", Format::kHdf5Model},
                                                           {".hdf5", Format::kHdf5Model},
                                                           {".safetensors", Format::kSafetensors},
                                                           {".npz", Format::kNpz}};
  for (const auto& [end, format] : kEnds)
    if (path.ends_with(end)) return format;
  return std::nullopt;
}

void check_overwrite(const std::string& path, bool overwrite, const char* caller) {
  std::error_code ignored;
  if (!overwrite && std::filesystem::exists(path, ignored))
    invalid_argument("[{}] {} is there, and overwrite is false", caller, path);
}

namespace {

void require_built(const Layer& network, const char* caller) {
  if (network.built()) return;
  fail(ErrorCode::kFailedPrecondition,
       "[{}] model \"{}\" has no weights yet: call build(), or the model on data, first", caller,
       network.name());
}

/// The values, taken together, of the weights and, if `optimizer` is not null, of its state.
cornu::detail::VariableValues values_of(const Layer& network, const Optimizer* optimizer) {
  std::vector<Variable> all = network.weights();
  for (; optimizer != nullptr; optimizer = optimizer->inner_optimizer()) {
    const std::vector<Variable> state = optimizer->variables();
    all.insert(all.end(), state.begin(), state.end());
  }
  // The other processes only send their parts.
  if (!runtime::is_chief())
    std::erase_if(all, [](const Variable& variable) { return !cornu::detail::spans_processes(variable); });
  return cornu::detail::VariableValues(all, {.hides_other_threads = true, .joins_at_first_process = true});
}

[[noreturn]] void unknown_format(const char* caller, const std::string& path, const char* known) {
  invalid_argument("[{}] the extension of a path selects the format: {}; got \"{}\"", caller, known, path);
}

bool begins_with(const io::RandomAccess& bytes, std::string_view mark) {
  if (bytes.size() < mark.size()) return false;
  std::vector<std::byte> begin(mark.size());
  bytes.read(0, begin);
  return std::equal(begin.begin(), begin.end(), std::as_bytes(std::span(mark)).begin());
}

void load_weights_of(const std::string& path, const Layer& network, Optimizer* optimizer,
                     const LoadWeightsOptions& options) {
  switch (format_of(path).value_or(Format::kHdf5Weights)) {
    case Format::kKeras: {
      const io::ZipFile zip(io::open_random_access(path), "a .keras",
                            {.max_size_bytes = std::int64_t{1} << 40});
      return load_hdf5_weights(zip.open("model.weights.h5"), network, optimizer, options);
    }
    case Format::kHdf5Model:
    case Format::kHdf5Weights:
      return load_hdf5_weights(io::open_random_access(path), network, optimizer, options);
    case Format::kShardedWeights: return load_sharded_weights(path, network, optimizer, options);
    case Format::kSafetensors: return load_safetensors(io::open_random_access(path), network, options);
    case Format::kNpz: return load_npz_weights(path, network, options);
  }
}

Model load_model_of(const std::string& path, const LoadModelOptions& options) {
  const io::RandomAccessPointer bytes = io::open_random_access(path);
  if (begins_with(*bytes, "PK")) return load_keras_file(bytes, options);
  if (begins_with(*bytes, "\x89HDF")) return load_hdf5_model(bytes, options);
  fail(ErrorCode::kDataLoss, "[load_model] {} is neither a .keras nor an .h5 file: it {}", path,
       bytes->size() == 0 ? "is empty" : "begins otherwise");
}

/// The options of compile() for a file. Errors: as Model::get_compile_config, with the remedy.
Config compile_config_of(const Model& model) {
  try {
    return model.get_compile_config();
  } catch (const Error& error) {
    throw error.with({.notes = "or save without the options of compile() and the optimizer's state, "
                               "{.include_optimizer = false}, or weights alone"});
  }
}

}  // namespace

void fail_no_memory_for(const char* caller, const std::string& path) {
  fail(ErrorCode::kResourceExhausted,
       "[{}] {}: not enough memory for the contents that the file declares; this process can have {} bytes. "
       "If you trust the file, read it on a machine with more memory",
       caller, path, memory_budget_bytes());
}

std::string written_by(const saving::KerasVersion& version, const char* way_out) {
  const std::string keras =
      version.text().empty()
          ? ""
          : ", written by Keras " + printable(std::string_view(version.text()).substr(0, 40));
  return keras + ": " + way_out;
}

Format save_format(const std::string& path) {
  const std::optional<Format> format = format_of(path);
  if (format != Format::kKeras && format != Format::kHdf5Model)
    unknown_format("save", path, ".keras or .h5 (weights alone: save_weights)");
  return *format;
}

PreparedFile prepare_save(const Model& model, const std::string& path, const SaveOptions& options) {
  const Format format = save_format(path);
  check_overwrite(path, options.overwrite, "save");
  if (runtime::is_chief() && !model->built())
    log_warning(
        "[save] model \"{}\" has no weights yet, so {} holds none: call build(), or the model on data, "
        "before you save it",
        model.name(), printable(path));
  const bool with_optimizer = options.include_optimizer && model.compiled();
  Optimizer* const optimizer = with_optimizer ? model.optimizer().get() : nullptr;
  const cornu::detail::VariableValues values = values_of(*model, optimizer);
  if (!runtime::is_chief()) return [] {};
  const cornu::detail::ValuesScope scope(values);
  const SavedModel saved{.network = *model,
                         .optimizer = optimizer,
                         .compile_config = with_optimizer ? compile_config_of(model) : Config()};
  return format == Format::kKeras ? prepare_keras_file(saved, path) : prepare_hdf5_model(saved, path);
}

PreparedFile prepare_save_weights(const Model& model, const std::string& path,
                                  const SaveWeightsOptions& options) {
  const std::optional<Format> format = format_of(path);
  check_overwrite(path, options.overwrite, "save_weights");
  require_built(*model, "save_weights");
  const bool has_state = model.compiled() && model.optimizer()->built();
  const Optimizer* const kept = has_state ? model.optimizer().get() : nullptr;
  if (options.max_shard_size.has_value() != (format == Format::kShardedWeights))
    invalid_argument(
        {.argument = "max_shard_size"},
        "[save_weights] max_shard_size goes with a path that ends in .weights.json; got \"{}\" {} it", path,
        options.max_shard_size.has_value() ? "with" : "without");
  const bool has_arrays_alone = format == Format::kSafetensors || format == Format::kNpz;
  const cornu::detail::VariableValues values = values_of(*model, has_arrays_alone ? nullptr : kept);
  if (!runtime::is_chief()) return [] {};
  const cornu::detail::ValuesScope scope(values);
  if (format == Format::kShardedWeights)
    return prepare_sharded_weights(*model, kept, path, *options.max_shard_size);
  if (format == Format::kHdf5Weights) return prepare_hdf5_weights(*model, kept, path);
  if (format == Format::kSafetensors) return prepare_safetensors(*model, path);
  if (format == Format::kNpz) return prepare_npz_weights(*model, path);
  unknown_format("save_weights", path, ".weights.h5, .weights.json, .safetensors or .npz");
}

}  // namespace files

Config Model::get_compile_config() const {
  if (!compiled()) return nullptr;
  return files::write_compile_config(trainer_->compile_options(), *trainer_->optimizer(),
                                     trainer_->network().output_names());
}

void Model::compile_from_config(const Config& config) {
  compile(files::read_compile_config(config, saving::KerasVersion(), *this));
}

void Model::save(const StringArgument& path, const SaveOptions& options) const {
  files::prepare_save(*this, path, options)();
}

void Model::save_weights(const StringArgument& path, const SaveWeightsOptions& options) const {
  files::prepare_save_weights(*this, path, options)();
}

void Model::load_weights(const StringArgument& path, const LoadWeightsOptions& options) {
  files::require_built(**this, "load_weights");
  Optimizer* const optimizer = compiled() ? this->optimizer().get() : nullptr;
  files::with_enough_memory("load_weights", path,
                            [&] { files::load_weights_of(path, **this, optimizer, options); });
}

Model load_model(const StringArgument& path, const LoadModelOptions& options) {
  return files::with_enough_memory("load_model", path, [&] { return files::load_model_of(path, options); });
}

}  // namespace cornu::inline v0::keras
