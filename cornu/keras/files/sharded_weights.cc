// Weights in several files, and the list that says where each group is: Keras's "model.weights.json".
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "cornu/base/check.h"
#include "cornu/io/file.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/files/model_files_support.h"
#include "cornu/keras/files/weights_hdf5_support.h"

namespace cornu::inline v0::keras::files {
namespace {

constexpr std::string_view kEnd = ".weights.json";
constexpr std::uintmax_t kLongestList = std::uintmax_t{64} << 20;

struct Shard {
  std::string name;
  io::Hdf5Content content;
  std::int64_t size_bytes = 0;
};

/// Arrays in their order, in as few files as the limit allows, as Keras cuts them.
class Shards {
 public:
  Shards(const std::string& path, double max_gib)
      : base_(std::filesystem::path(path).filename().string()), limit_bytes_(max_gib * 1024 * 1024 * 1024) {
    base_.resize(base_.size() - kEnd.size());
  }

  void add(const SavedVariables& saved, std::size_t index) {
    const auto size = static_cast<std::int64_t>(saved.variables[index].type().size_bytes());
    if (static_cast<double>(size) > limit_bytes_)
      invalid_argument({.argument = "max_shard_size"},
                       "[save_weights] max_shard_size must hold the largest array: {} takes {} bytes, and "
                       "the limit is {:.0f}",
                       saved.variables[index].path(), size, limit_bytes_);
    if (all_.empty() || static_cast<double>(all_.back().size_bytes + size) > limit_bytes_) {
      const std::string name = fmt::format("{}_{:05}.weights.h5", base_, all_.size());
      all_.emplace_back().name = name;
    }
    Shard& shard = all_.back();
    shard.size_bytes += size;
    put_variable(saved, index, shard.content, values_);
    std::vector<std::string>& places = map_[fmt::format("/{}", vars_of(saved.path))];
    if (places.empty() || places.back() != shard.name) places.push_back(shard.name);
  }

  void write(const std::filesystem::path& folder) const {
    for (const Shard& shard : all_) write_hdf5((folder / shard.name).string(), shard.content);
  }

  std::string list() const {
    std::int64_t total = 0;
    for (const Shard& shard : all_) total += shard.size_bytes;
    Config map = Config::dict();
    for (const auto& [path, places] : map_) {
      Config names{Config::List()};
      for (const std::string& place : places) names.append(Config(place));
      map.set(path, places.size() == 1 ? Config(places[0]) : names);
    }
    return Config::dict({{"metadata", Config::dict({{"total_size", total}})}, {"weight_map", map}}).json(4);
  }

 private:
  std::string base_;
  double limit_bytes_;
  std::deque<Shard> all_;
  std::deque<KeptArray> values_;
  std::map<std::string, std::vector<std::string>> map_;
};

[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  fail(ErrorCode::kDataLoss, "[load_weights] {}: {}", path, what);
}

/// The name of a file in the list's own folder.
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

Config read_list(const std::string& path) {
  const io::RandomAccessPointer bytes = io::open_random_access(path);
  if (bytes->size() > kLongestList) damaged(path, "a list of files is not that long");
  std::string text(static_cast<std::size_t>(bytes->size()), '\0');
  bytes->read(0, std::as_writable_bytes(std::span(text)));
  return in_part(path, [&] { return Config::parse(text); });
}

}  // namespace

PreparedFile prepare_sharded_weights(const Layer& network, const Optimizer* optimizer,
                                     const std::string& path, double max_shard_gib) {
  if (!(max_shard_gib > 0) || !std::isfinite(max_shard_gib))
    invalid_argument({.argument = "max_shard_size"},
                     "[save_weights] max_shard_size must be positive, in GiB; got max_shard_size = {}",
                     max_shard_gib);
  const auto shards = std::make_shared<Shards>(path, max_shard_gib);
  for (const SavedVariables& saved : saved_variables(network, optimizer))
    for (std::size_t i = 0; i < saved.variables.size(); ++i) shards->add(saved, i);
  return [path, shards] {
    shards->write(std::filesystem::path(path).parent_path());
    io::WholeFile list(path);  // last: until then the list that was there before counts
    const std::string text = shards->list();
    list.write(std::as_bytes(std::span(text)));
    list.commit();
  };
}

void load_sharded_weights(const std::string& path, const Layer& network, Optimizer* optimizer,
                          const LoadWeightsOptions& options) {
  WeightsFiles files{.name = path};
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const std::string& name : names_of(path, read_list(path)))
    files.files.push_back(in_part(path, [&] {
      return std::make_shared<const io::Hdf5File>(io::open_random_access((folder / name).string()));
    }));
  find_weights(files, network, optimizer, options).run();
}

}  // namespace cornu::inline v0::keras::files
