// Weights in several files, with a list of each group's file: Keras's "model.weights.json".
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "cornu/base/check.h"
#include "cornu/io/file.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/files/model_files_support.h"
#include "cornu/keras/files/weights_hdf5_support.h"

namespace cornu::inline v0::keras::files {
namespace {

constexpr std::string_view kEnd = ".weights.json", kShardEnd = ".weights.h5";
constexpr std::uintmax_t kLongestList = std::uintmax_t{64} << 20;

struct Shard {
  io::Hdf5Content content;
  std::int64_t size_bytes = 0;
};

/// The prefix of the names of a list's files: "model" for "folder/model.weights.json".
std::string base_of(const std::string& path) {
  std::string base = std::filesystem::path(path).filename().string();
  base.resize(base.size() - kEnd.size());
  return base;
}

/// Arrays in order, in as few files as the limit allows, split as in Keras.
class Shards {
 public:
  explicit Shards(double max_gib) : limit_bytes_(max_gib * 1024 * 1024 * 1024) {}

  std::size_t size() const { return all_.size(); }

  void add(const SavedVariables& saved, std::size_t index) {
    const auto size = static_cast<std::int64_t>(saved.variables[index].type().size_bytes());
    if (static_cast<double>(size) > limit_bytes_)
      invalid_argument({.argument = "max_shard_size"},
                       "[save_weights] max_shard_size must hold the largest array: {} takes {} bytes, and "
                       "the limit is {:.0f}",
                       saved.variables[index].path(), size, limit_bytes_);
    if (all_.empty() || static_cast<double>(all_.back().size_bytes + size) > limit_bytes_)
      all_.emplace_back();
    Shard& shard = all_.back();
    shard.size_bytes += size;
    put_variable(saved, index, shard.content, values_);
    std::vector<std::size_t>& places = map_[fmt::format("/{}", vars_of(saved.path))];
    if (places.empty() || places.back() != all_.size() - 1) places.push_back(all_.size() - 1);
  }

  /// `names`: the names of the files.
  void write(const std::filesystem::path& folder, const std::vector<std::string>& names) const {
    for (std::size_t i = 0; i < all_.size(); ++i) write_hdf5((folder / names[i]).string(), all_[i].content);
  }

  std::string list(const std::vector<std::string>& names) const {
    std::int64_t total = 0;
    for (const Shard& shard : all_) total += shard.size_bytes;
    Config map = Config::dict();
    for (const auto& [path, places] : map_) {
      Config all{Config::List()};
      for (const std::size_t place : places) all.append(Config(names[place]));
      map.set(path, places.size() == 1 ? all.at(std::size_t{0}) : all);
    }
    return Config::dict({{"metadata", Config::dict({{"total_size", total}})}, {"weight_map", map}}).json(4);
  }

 private:
  double limit_bytes_;
  std::deque<Shard> all_;
  std::deque<KeptArray> values_;
  std::map<std::string, std::vector<std::size_t>> map_;  // the files of each group
};

[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  fail(ErrorCode::kDataLoss, "[load_weights] {}: {}", path, what);
}

/// Adds the name of a file in the list's own folder.
void add_name(const std::string& path, const Config& place, std::set<std::string>& names) {
  if (!place.is_string()) damaged(path, "weight_map must hold names of files");
  const std::string& name = place.as_string();
  if (!name.ends_with(".h5") || name.find_first_of("/\\") != std::string::npos ||
      name.find('\0') != std::string::npos)
    damaged(path, fmt::format("weight_map names \"{}\", which is no .h5 file of its own folder", name));
  names.insert(name);
}

std::set<std::string> names_of(const std::string& path, const Config& list) {
  const Config* const map = list.is_dict() ? list.find("weight_map") : nullptr;
  if (map == nullptr || !map->is_dict()) damaged(path, "it has no weight_map");
  std::set<std::string> names;
  for (const auto& [group, place] : map->as_dict()) {
    if (!place.is_list()) {
      add_name(path, place, names);
      continue;
    }
    for (const Config& each : place.as_list()) add_name(path, each, names);
  }
  return names;
}

/// The text of a file; nullopt if it is longer than any list.
std::optional<std::string> list_text(const std::string& path) {
  const io::RandomAccessPointer bytes = io::open_random_access(path);
  if (bytes->size() > kLongestList) return std::nullopt;
  std::string text(static_cast<std::size_t>(bytes->size()), '\0');
  bytes->read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

std::string read_list(const std::string& path) {
  std::optional<std::string> text = list_text(path);
  if (!text.has_value()) damaged(path, "a list of files is not that long");
  return *std::move(text);
}

/// The files of an existing list; none if there is no list, or a damaged one, which cannot be loaded.
std::set<std::string> names_in_use(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  const std::optional<std::string> text = list_text(path);
  if (!text.has_value()) return {};
  try {
    return names_of(path, Config::parse(*text));
  } catch (const Error&) {
    return {};
  }
}

/// Keras's names, without those in use: a replaced list stays complete until the new one is written.
std::vector<std::string> free_names(const std::string& base, std::size_t count,
                                    const std::set<std::string>& in_use) {
  std::vector<std::string> names;
  for (int number = 0; names.size() < count; ++number) {
    std::string name = fmt::format("{}_{:05}{}", base, number, kShardEnd);
    if (!in_use.contains(name)) names.push_back(std::move(name));
  }
  return names;
}

/// True for names that save_weights makes: "model_00012.weights.h5".
bool is_shard_name(const std::string& name, const std::string& base) {
  const std::string begin = base + "_";
  if (!name.starts_with(begin) || !name.ends_with(kShardEnd)) return false;
  const std::string number = name.substr(begin.size(), name.size() - begin.size() - kShardEnd.size());
  return !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
}

void write_shards(const std::string& path, const Shards& shards) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string base = base_of(path);
  const std::set<std::string> before = names_in_use(path);
  const std::vector<std::string> names = free_names(base, shards.size(), before);
  shards.write(folder, names);
  io::WholeFile list(path);  // written last: until then the previous list is valid
  const std::string text = shards.list(names);
  list.write(std::as_bytes(std::span(text)));
  list.commit();
  std::error_code ignored;
  for (const std::string& name : before)
    if (is_shard_name(name, base)) std::filesystem::remove(folder / name, ignored);
}

}  // namespace

PreparedFile prepare_sharded_weights(const Layer& network, const Optimizer* optimizer,
                                     const std::string& path, double max_shard_gib) {
  if (!(max_shard_gib > 0) || !std::isfinite(max_shard_gib))
    invalid_argument({.argument = "max_shard_size"},
                     "[save_weights] max_shard_size must be positive, in GiB; got max_shard_size = {}",
                     max_shard_gib);
  const auto shards = std::make_shared<Shards>(max_shard_gib);
  for (const SavedVariables& saved : saved_variables(network, optimizer))
    for (std::size_t i = 0; i < saved.variables.size(); ++i) shards->add(saved, i);
  return [path, shards] { write_shards(path, *shards); };
}

void load_sharded_weights(const std::string& path, const Layer& network, Optimizer* optimizer,
                          const LoadWeightsOptions& options) {
  WeightsFiles files{.name = path};
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const Config list = in_part(path, [&] { return Config::parse(read_list(path)); });
  for (const std::string& name : names_of(path, list))
    files.files.push_back(in_part(path, [&] {
      return std::make_shared<const io::Hdf5File>(io::open_random_access((folder / name).string()));
    }));
  find_weights(files, network, optimizer, options).run();
}

}  // namespace cornu::inline v0::keras::files
