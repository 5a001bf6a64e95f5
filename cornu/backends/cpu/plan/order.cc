#include <algorithm>
#include <set>

#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/base/check.h"

namespace cornu::backends::cpu {
namespace {

using ir::Value;

struct Orderer {
  Plan& plan;
  std::vector<std::vector<Read>> reads;  // of each group
  std::vector<std::set<int>> before;     // direct predecessors of each group
  std::unordered_map<Value, int, ir::ValueHash> writer;

  void find_dependencies();
  bool reaches(int from, int to) const;
  void overwrite_state();
  bool overwrite_in_place(Value argument, Value result);
  void add_copy(Value result, int buffer);
  void sort();
};

void Orderer::find_dependencies() {
  const std::size_t n = plan.groups.size();
  for (std::size_t g = 0; g < n; ++g)
    for (const Store& store : plan.groups[g].stores) writer.emplace(store.value, static_cast<int>(g));
  reads.resize(n);
  before.resize(n);
  for (std::size_t g = 0; g < n; ++g) {
    reads[g] = group_reads(plan, plan.groups[g]);
    for (const Read& read : reads[g])
      if (const auto found = writer.find(read.value); found != writer.end() && found->second != static_cast<int>(g))
        before[g].insert(found->second);
  }
}

/// Whether group `to` must run before group `from`.
bool Orderer::reaches(int from, int to) const {
  std::vector<int> stack = {from};
  std::set<int> seen;
  while (!stack.empty()) {
    const int g = stack.back();
    stack.pop_back();
    for (int b : before[static_cast<std::size_t>(g)]) {
      if (b == to) return true;
      if (seen.insert(b).second) stack.push_back(b);
    }
  }
  return false;
}

/// The group that makes `result` may write over `argument` when all other readers of `argument` can run before it, and it reads
/// `argument` itself only at the index that it writes.
bool Orderer::overwrite_in_place(Value argument, Value result) {
  const auto found = writer.find(result);
  if (found == writer.end()) return false;
  const int w = found->second;
  Group& group = plan.groups[static_cast<std::size_t>(w)];
  const bool loop = group.kind == GroupKind::kLoop;
  std::vector<int> readers;
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    for (const Read& read : reads[g]) {
      if (read.value != argument) continue;
      if (static_cast<int>(g) == w) {
        if (!loop || read.linear || !is_identity(read.map, group.extents)) return false;
      } else {
        readers.push_back(static_cast<int>(g));
      }
    }
  }
  for (int r : readers)
    if (reaches(r, w)) return false;
  for (int r : readers) before[static_cast<std::size_t>(w)].insert(r);
  // The result now lives in the state's buffer.
  const int buffer = plan.buffer_of.at(argument);
  for (Store& store : group.stores)
    if (store.value == result) store.buffer = buffer;
  plan.buffer_of[result] = buffer;
  return true;
}

/// A group at the end that copies `result` into `buffer`.
void Orderer::add_copy(Value result, int buffer) {
  Group group;
  group.stores = {{result, buffer}};
  group.extents = result.dims();
  const int id = static_cast<int>(plan.groups.size());
  std::set<int> predecessors;
  for (int g = 0; g < id; ++g) predecessors.insert(g);
  plan.groups.push_back(std::move(group));
  reads.push_back({{result, identity_map(result.dims().size())}});
  before.push_back(std::move(predecessors));
}

void Orderer::overwrite_state() {
  const auto results = plan.step->body.results();
  std::vector<std::pair<Value, int>> copies;  // result, buffer
  std::size_t next = 0;
  for (std::size_t i = 0; i < plan.arguments.size(); ++i) {
    if (plan.arguments[i] != runtime::ArgumentKind::kState) continue;
    const Value argument = plan.step->body.arguments()[i];
    const Value result = results[next++];
    if (result != argument && !overwrite_in_place(argument, result)) copies.emplace_back(result, plan.buffer_of.at(argument));
  }
  for (int output = 0; next < results.size(); ++next, ++output) {
    PlanBuffer& buffer = plan.buffers[static_cast<std::size_t>(plan.buffer_of.at(results[next]))];
    buffer.place = Place::kOutput;
    buffer.index = output;
    buffer.row_major_only = true;
  }
  for (const auto& [result, buffer] : copies) add_copy(result, buffer);
}

/// Topological, earliest in program order first.
void Orderer::sort() {
  const std::size_t n = plan.groups.size();
  std::vector<Group> sorted;
  std::vector<bool> done(n, false);
  while (sorted.size() < n) {
    bool progress = false;
    for (std::size_t g = 0; g < n && !progress; ++g) {
      if (done[g] || !std::all_of(before[g].begin(), before[g].end(), [&](int b) { return done[static_cast<std::size_t>(b)]; })) continue;
      done[g] = progress = true;
      sorted.push_back(std::move(plan.groups[g]));
    }
    CORNU_CHECK(progress, "the groups depend on each other in a circle");
  }
  plan.groups = std::move(sorted);
}

}  // namespace

void order(Plan& plan) {
  Orderer orderer{plan, {}, {}, {}};
  orderer.find_dependencies();
  orderer.overwrite_state();
  orderer.sort();
}

}  // namespace cornu::backends::cpu
