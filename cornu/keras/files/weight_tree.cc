#include "cornu/keras/files/weight_tree.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cornu/keras/base/names.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/network/network.h"

namespace cornu::inline v0::keras {
namespace {

std::string group_name(const Layer& layer, GroupNames names) {
  const std::string name = snake_case(layer.class_name());
  if (names == GroupNames::kToday || name != "batch_normalization") return name;
  const Config options = layer.get_config();
  const Config* const synchronized = options.find("synchronized");
  return synchronized != nullptr && *synchronized == Config(true) ? "sync_" + name : name;
}

class TreeWalk {
 public:
  explicit TreeWalk(GroupNames names) : names_(names) {}

  std::vector<SavedLayer> walk(const Layer& model) {
    add(model, "");
    return std::move(saved_);
  }

 private:
  void add(const Layer& layer, const std::string& path) {
    if (!seen_.insert(&layer).second) return;
    saved_.push_back({path, &layer, layer.saved_weights()});
    const std::string prefix = path.empty() ? "" : path + "/";
    const Network* const network = layer.network_or_null();
    std::unordered_map<std::string, int> counts;  // of names in lists
    for (const std::shared_ptr<Layer>& inside : network == nullptr ? layer.sublayers() : network->layers()) {
      const HeldAs held = layer.held_as(*inside);
      const std::string in = prefix + (held.attribute.empty() ? "layers" : held.attribute);
      add(*inside, held.in_list ? in + "/" + numbered(counts, in, group_name(*inside, names_)) : in);
    }
  }

  /// "dense", "dense_1", ... in each list.
  static std::string numbered(std::unordered_map<std::string, int>& counts, const std::string& list,
                              const std::string& name) {
    const int count = counts[list + "/" + name]++;
    return count == 0 ? name : fmt::format("{}_{}", name, count);
  }

  GroupNames names_;
  std::vector<SavedLayer> saved_;
  std::unordered_set<const Layer*> seen_;
};

}  // namespace

std::vector<SavedLayer> weight_tree(const Layer& model, GroupNames names) {
  return TreeWalk(names).walk(model);
}

}  // namespace cornu::inline v0::keras
