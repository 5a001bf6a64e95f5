#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cornu/backends/cpu/plan/access.h"
#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/backends/cpu/plan/walk.h"

/// Shared by the sources of fuse; internal.
namespace cornu::inline v0::backends::cpu::fusing {

using ir::Op;
using ir::Value;

/// The maximum number of ops in a group: longer chains are split, so that planning (which recurses over a
/// group's ops) and compilation stay linear.
inline constexpr std::size_t kMaxGroupOps = 512;

/// The cost, in vector additions, up to which a value is recomputed instead of stored.
inline constexpr double kRecompute = 2;

/// The same limit for a large tensor (kLargeBytes), if recomputing reads no more bytes than loading it: its
/// time is bounded by bytes.
inline constexpr double kRecomputeLarge = 8;
inline constexpr std::size_t kLargeBytes = std::size_t{512} << 10;

/// A set of cluster numbers. Sets share equal chunks: in a long chain of clusters each set has the numbers of
/// the one before and a few more, and takes memory for the last chunk only.
class ClusterSet {
 public:
  bool contains(int i) const {
    const std::size_t c = chunk_of(i);
    return c < chunks_.size() && chunks_[c] != nullptr && (chunks_[c]->words[word_of(i)] & bit_of(i)) != 0;
  }
  void insert(int i);
  /// Adds all of `other`; true if the set grew.
  bool merge(const ClusterSet& other);

 private:
  struct Chunk {
    static constexpr std::size_t kWords = 64;
    std::array<std::uint64_t, kWords> words = {};
    bool operator==(const Chunk&) const = default;
  };
  static std::size_t chunk_of(int i) { return static_cast<std::size_t>(i) / 64 / Chunk::kWords; }
  static std::size_t word_of(int i) { return static_cast<std::size_t>(i) / 64 % Chunk::kWords; }
  static std::uint64_t bit_of(int i) { return std::uint64_t{1} << (static_cast<unsigned>(i) % 64); }

  std::vector<std::shared_ptr<const Chunk>> chunks_;  // null: empty
};

/// A set of ops that will share loops, while it is built.
struct Cluster {
  const Op* root = nullptr;  // the op with a group of its own; null: elementwise loops
  ir::Dims dims = {};        // the iteration space of a loop cluster
  ir::Dims tile = {};        // if not empty: iterated window by window, with these extents
  std::vector<const Op*> ops = {};
  ClusterSet before = {};       // clusters that must run earlier, transitively; some of them may be merged
  std::set<int> needs = {};     // clusters that make its operands
  std::set<int> users = {};     // clusters that need it
  std::set<int> views_of = {};  // clusters whose values it reads at other indices; never merged with them
  bool merged = false;          // true after its ops moved to another cluster
};

/// A read of a value by another cluster, or by its own at other indices.
struct Reading {
  int cluster = 0;
  const void* viewed = nullptr;  // the value after views
  const Op* windows = nullptr;   // the op that reads it by windows, if any
  bool is_in_order = false;      // each element once, in row-major order
  bool is_repeated = false;      // a small value that many iterations of the innermost loop read again
  auto operator<=>(const Reading&) const = default;
};

/// The readings of each value that loops make, and its copies in another order.
struct Readings {
  std::unordered_map<Value, std::set<Reading>, ir::ValueHash> crossing = {};
  std::unordered_map<Value, bool, ir::ValueHash> copied = {};  // true: a copy reads it repeatedly
};

/// Decides which ops of a block share loops, and which values exist in memory.
struct Fuser {
  Plan& plan;
  const ir::Block& block;
  const PlanOptions& options;
  std::vector<Group> groups = {};
  std::vector<Cluster> clusters = {};
  std::unordered_map<const Op*, int> cluster_of = {};
  std::unordered_map<Value, std::vector<const Op*>, ir::ValueHash> consumers = {};
  std::unordered_set<Value, ir::ValueHash> forced = {};     // values that must be in memory
  std::unordered_set<Value, ir::ValueHash> row_major = {};  // values that must be row-major
  std::unordered_set<Value, ir::ValueHash> materialised = {};
  std::unordered_map<const Op*, std::size_t> position = {};
  std::unordered_map<Value, Value, ir::ValueHash> aliases = {};  // of reshapes in memory, to operands
  std::unordered_set<const Op*> nested = {};                     // see find_nested

  void run();
  void find_consumers();
  void find_nested();
  void force_operands();
  void force_operands_of(const Op& op);
  void force_dot_operands(const Op& dot);
  void force_control_operands(const Op& control);
  void force_view_operands(const Op& view);
  void force(Value v, bool plain);
  std::unordered_set<Value, ir::ValueHash> results_with_buffers() const;
  void alias_reshapes();
  void add_own_groups();
  void grow_reduce(const Op& reduce, int cluster);
  void add_loop_op(const Op& op);
  int loop_to_join(const Op& op, const std::set<int>& dependencies, const std::set<int>& viewed) const;
  void attach_sums();
  int sum_host(int reduce) const;
  bool can_sum_in_passing(const Op& reduce) const;
  std::set<int> loops_that_make(int reduce) const;
  bool can_host_sums(int host, int reduce) const;
  bool runs_between(int first, int last) const;
  bool is_zero_behind_windows(Value v, const ir::Dims& tile) const;
  std::set<int> operand_clusters(const Op& op) const;
  std::set<int> viewed_clusters(const Op& op) const;
  bool can_join(int cluster, const std::set<int>& dependencies) const;
  void add_dependencies(int cluster, const std::set<int>& dependencies);
  void add_before(int cluster, const ClusterSet& add);
  bool try_merge(int into, int from);
  void absorb(int into, int from);
  void choose_materialised();
  Readings find_readings() const;
  bool is_copy_of_costly(Value v, const Readings& readings) const;
  bool is_recomputed(Value v, const std::set<Reading>& readings) const;
  std::vector<const Op*> made_with(Value v, const Cluster& reader) const;
  std::optional<std::unordered_set<const Op*>> loop_ops_of(std::vector<const Op*> wanted,
                                                           std::size_t most) const;
  bool is_made_for_one(Value v, const std::set<Reading>& readings) const;
  bool is_used_only_by(Value v, const std::function<bool(const Op&)>& is_user) const;
  bool is_made_by_windows(Value v) const;
  void cut_view_chains();
  double rematerialization_cost(Value v, double most) const;
  std::unordered_set<Value, ir::ValueHash> sources_of(std::span<const Op* const> ops, Value except) const;
  bool is_cheaper_than_its_bytes(Value v, const std::set<Reading>& readings) const;
  int add_buffer(Value v, MemorySpace where, int index);
  void add_arguments();
  void add_copy_group(const Op& op);
  void make_groups();
  std::unordered_map<const Op*, int> last_ops() const;
  void add_values_of(const Op& op);
  void add_cluster_groups(const Cluster& cluster);
  std::int64_t most_columns() const;
  ir::Dims tile_of_few_columns(const ir::Dims& dims, std::size_t num_dimensions) const;
  ir::Dims copy_tile(Value v) const;
  ir::Dims column_tile(const Cluster& cluster) const;
  void add_loop_groups(const Cluster& cluster, Group group);
};

/// True for a concatenate.
bool is_concatenate(const Op& op);

/// True for a concatenate of a few operands of one shape, some of which loops compute: one loop makes all of them, see
/// update_parts.
bool makes_parts_together(const Op& op);

/// Follows views to the underlying value.
Value behind_views(Value v);

/// True if an op of this class is a group by itself (with the ops pulled into it).
bool has_own_group(OpKind c);

bool is_loop_op(const Op& op);

/// True if a loop over the op's result reads this operand at other indices than its own.
bool reads_windows(const Op& op, Value operand);

/// True for ops whose results loops make window by window.
bool is_tiled(const Op& op);

}  // namespace cornu::inline v0::backends::cpu::fusing
