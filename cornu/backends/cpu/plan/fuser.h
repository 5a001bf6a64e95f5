#pragma once

#include <compare>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cornu/backends/cpu/plan/passes.h"

/// What the parts of fuse share; for nobody else.
namespace cornu::inline v0::backends::cpu::fusing {

using ir::Op;
using ir::Value;

/// Ops in a group at most: longer chains are cut, so that planning (which walks a group's ops by recursion)
/// and compiling stay linear.
inline constexpr std::size_t kMaxGroupOps = 512;

/// A value that can be recomputed for at most this many vector additions gets no buffer.
inline constexpr double kRecompute = 2;

/// The same limit for a large tensor (kLargeBytes), if recomputing reads no more bytes than loading it: its
/// bytes are what takes time.
inline constexpr double kRecomputeLarge = 8;
inline constexpr std::size_t kLargeBytes = std::size_t{512} << 10;

/// A set of cluster numbers.
class ClusterSet {
 public:
  bool contains(int i) const {
    return word_of(i) < words_.size() && (words_[word_of(i)] >> bit_of(i) & 1U) != 0;
  }
  void insert(int i) {
    if (word_of(i) >= words_.size()) words_.resize(word_of(i) + 1);
    words_[word_of(i)] |= std::uint64_t{1} << bit_of(i);
  }
  void erase(int i) {
    if (word_of(i) < words_.size()) words_[word_of(i)] &= ~(std::uint64_t{1} << bit_of(i));
  }
  /// Adds all of `other`; true when that brought something new.
  bool merge(const ClusterSet& other) {
    if (other.words_.size() > words_.size()) words_.resize(other.words_.size());
    std::uint64_t added = 0;
    for (std::size_t w = 0; w < other.words_.size(); ++w) {
      added |= other.words_[w] & ~words_[w];
      words_[w] |= other.words_[w];
    }
    return added != 0;
  }

 private:
  static std::size_t word_of(int i) { return static_cast<std::size_t>(i) / 64; }
  static unsigned bit_of(int i) { return static_cast<unsigned>(i) % 64; }
  std::vector<std::uint64_t> words_;
};

/// A set of ops that will share loops, while it grows.
struct Cluster {
  GroupKind kind = GroupKind::kLoop;
  const Op* root = nullptr;  // the reduce, dot or reference op
  ir::Dims dims;             // the iteration space of a loop cluster
  ir::Dims tile;             // not empty: walked window by window, of these extents
  std::vector<const Op*> ops;
  ClusterSet before;       // clusters that must run earlier, transitively
  std::set<int> views_of;  // clusters whose values it reads at other indices: never joined with it
  bool merged = false;     // emptied into another
};

/// How a cluster reads a value of another one, or of its own at other indices.
struct Reading {
  int cluster = 0;
  const void* viewed = nullptr;  // the value that views make of it
  const Op* windows = nullptr;   // the op, if that reads windows
  bool is_in_order = false;      // each element once, in row-major order
  bool is_repeated = false;      // a small value that the innermost of many iterations reads anew
  auto operator<=>(const Reading&) const = default;
};

/// The readings of each value that loops make, and the copies of it in another order.
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
  std::unordered_set<Value, ir::ValueHash> forced = {};     // must be in memory
  std::unordered_set<Value, ir::ValueHash> row_major = {};  // and in plain layout
  std::unordered_set<Value, ir::ValueHash> materialised = {};
  std::unordered_map<const Op*, std::size_t> position = {};
  std::unordered_map<Value, Value, ir::ValueHash> aliases = {};  // reshapes in memory, with what they reshape

  void run();
  void find_consumers();
  void force_operands();
  void force_operands_of(const Op& op);
  void force_dot_operands(const Op& dot);
  void force_control_operands(const Op& control);
  void force_view_operands(const Op& view);
  void force(Value v, bool plain);
  void alias_reshapes();
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
  bool is_made_for_one(Value v, const std::set<Reading>& readings) const;
  bool is_used_only_by(Value v, const std::unordered_set<const Op*>& ops) const;
  bool is_made_by_windows(Value v) const;
  void cut_view_chains();
  double cone_cost(Value v, double most) const;
  void add_sources(const Op& op, Value except, std::unordered_set<Value, ir::ValueHash>& sources) const;
  bool is_cheaper_than_its_bytes(Value v, const std::set<Reading>& readings) const;
  int add_buffer(Value v, Place where, int index);
  void add_arguments();
  void add_copy_group(const Op& op);
  void make_groups();
  std::unordered_map<const Op*, int> last_ops() const;
  void add_values_of(const Op& op);
  void add_cluster_groups(const Cluster& cluster);
  void add_loop_groups(const Cluster& cluster, Group group);
};

/// Follows views to the value behind them.
Value behind_views(Value v);

/// Whether an op of this class is a group by itself (with what is pulled into it).
bool has_own_group(OpClass c);

bool is_loop_op(const Op& op);

/// Whether a loop over the op's result reads this operand at other indices than its own.
bool reads_windows(const Op& op, Value operand);

/// Ops whose results loops make window by window.
bool is_tiled(const Op& op);

}  // namespace cornu::inline v0::backends::cpu::fusing
