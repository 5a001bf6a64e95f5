#include "cornu/tensor/run/eager.h"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/per_thread.h"
#include "cornu/runtime/default_precision.h"
#include "cornu/tensor/run/operation_function.h"
#include "cornu/tensor/value/concrete.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0::detail {
namespace {

using Words = std::span<const std::int64_t>;
using Shared = std::shared_ptr<const EagerOperation>;

std::uint64_t hash_of(Words words) {
  std::uint64_t hash = 0;
  for (const std::int64_t word : words) {
    hash = (hash ^ static_cast<std::uint64_t>(word)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

/// The cache key including the process's precision and the inputs' types, as numbers, on the stack while it fits.
class CacheKey {
 public:
  CacheKey(const OpKey& key, std::span<const Tensor> inputs) {
    push(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(key.name())));
    push(static_cast<std::int64_t>(runtime::default_precision()));
    push(static_cast<std::int64_t>(key.attributes().size()));
    for (const std::int64_t attribute : key.attributes()) push(attribute);
    for (const Tensor& input : inputs) {
      const TensorType& type = input.type();
      push(type.rank() << 8 | static_cast<std::int64_t>(type.dtype));
      for (const std::int64_t extent : type.dims) push(extent);
    }
  }
  Words words() const { return overflow_.empty() ? Words(inline_.data(), size_) : Words(overflow_); }

 private:
  void push(std::int64_t word) {
    if (size_ < inline_.size()) {
      inline_[size_++] = word;
      return;
    }
    if (overflow_.empty()) overflow_.assign(inline_.begin(), inline_.end());
    overflow_.push_back(word);
  }
  std::array<std::int64_t, 64> inline_;
  std::size_t size_ = 0;
  std::vector<std::int64_t> overflow_;
};

struct WordsHash {
  std::size_t operator()(const std::vector<std::int64_t>& words) const { return hash_of(words); }
};

// Operations keep their client and its threads alive, so the tables drop operations of earlier default
// clients.

/// The operations of all threads. When they are too many, or take too much memory, the table is cleared;
/// operations in use are in the threads' own tables.
class SharedTable {
 public:
  Shared find(std::uint64_t generation, const std::vector<std::int64_t>& key) {
    const std::lock_guard lock(mutex_);
    if (generation != generation_) return nullptr;
    const auto found = operations_.find(key);
    return found == operations_.end() ? nullptr : found->second;
  }
  void add(std::uint64_t generation, const std::vector<std::int64_t>& key, const Shared& operation) {
    const std::size_t size_bytes = operation->program->size_bytes();
    Operations dropped;  // freed outside the lock
    {
      const std::lock_guard lock(mutex_);
      if (generation != generation_ || operations_.size() >= kMostOperations ||
          size_bytes_ + size_bytes > kMostBytes) {
        dropped.swap(operations_);
        size_bytes_ = 0;
      }
      generation_ = generation;
      size_bytes_ += size_bytes;
      operations_.insert_or_assign(key, operation);
    }
    if (dropped.empty()) return;
    dropped.clear();
    // Return freed memory to the system: small blocks between tensors of ever new sizes leave unusable holes.
    ::malloc_trim(0);
  }

 private:
  static constexpr std::size_t kMostOperations = 4096;
  static constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  using Operations = std::unordered_map<std::vector<std::int64_t>, Shared, WordsHash>;
  std::mutex mutex_;
  std::uint64_t generation_ = 0;
  Operations operations_;
  std::size_t size_bytes_ = 0;
};
SharedTable& shared_table() {
  static SharedTable& table = *new SharedTable;  // never destroyed: threads may outlive the statics
  return table;
}

/// A thread's operations: a set-associative cache. It is cleared when it takes too much memory.
class ThreadTable {
 public:
  const EagerOperation* find(std::uint64_t generation, std::uint64_t hash, Words words) const {
    if (generation != generation_) return nullptr;
    const std::size_t first = set_of(hash);
    for (std::size_t i = first; i < first + kWays; ++i) {
      const Entry& entry = entries_[i];
      if (entry.hash == hash && entry.operation != nullptr && entry.words.size() == words.size() &&
          std::equal(words.begin(), words.end(), entry.words.begin()))
        return entry.operation.get();
    }
    return nullptr;
  }
  const EagerOperation& add(std::uint64_t generation, std::uint64_t hash, std::vector<std::int64_t> words,
                            Shared operation) {
    if (std::exchange(generation_, generation) != generation) clear();
    const std::size_t first = set_of(hash);
    std::size_t at = first;
    while (at < first + kWays && entries_[at].operation != nullptr) ++at;
    if (at == first + kWays) at = first + next_victim_++ % kWays;
    const std::size_t size_bytes = operation->program->size_bytes();
    size_bytes_ -= size_of(entries_[at]);
    if (size_bytes_ + size_bytes > kMostBytes) clear();
    size_bytes_ += size_bytes;
    entries_[at] = {hash, std::move(words), std::move(operation)};
    return *entries_[at].operation;
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::vector<std::int64_t> words;
    Shared operation;
  };
  static constexpr std::size_t kWays = 4, kSets = 256;
  static constexpr std::size_t kMostBytes = std::size_t{32} << 20;
  static std::size_t size_of(const Entry& entry) {
    return entry.operation == nullptr ? 0 : entry.operation->program->size_bytes();
  }
  void clear() {
    entries_.assign(kWays * kSets, {});
    size_bytes_ = 0;
  }
  static std::size_t set_of(std::uint64_t hash) { return (hash >> 8) % kSets * kWays; }
  std::vector<Entry> entries_ = std::vector<Entry>(kWays * kSets);
  std::size_t next_victim_ = 0;
  std::uint64_t generation_ = 0;
  std::size_t size_bytes_ = 0;
};

/// Makes the operation for the default client if it supports eager operations, else for the CPU's.
Shared make_operation(const char* name, std::span<const Tensor> inputs, BuildManyFn build) {
  OperationFunction made = make_operation_function(name, inputs, build);
  auto operation = std::make_shared<EagerOperation>();
  operation->name = name;
  operation->results = std::move(made.results);
  operation->client = default_client();
  operation->program = operation->client->prepare(*made.function);
  if (operation->program == nullptr) {
    operation->client = host_client();
    operation->program = operation->client->prepare(*made.function);
  }
  return operation;
}

}  // namespace

std::vector<std::int64_t> operation_cache_key(const OpKey& key, std::span<const Tensor> inputs) {
  const CacheKey words(key, inputs);
  return {words.words().begin(), words.words().end()};
}

const EagerOperation& find_eager_operation(const OpKey& key, std::span<const Tensor> inputs,
                                           BuildManyFn build) {
  const std::uint64_t generation = default_client_generation();
  const CacheKey key_words(key, inputs);
  const Words words = key_words.words();
  const std::uint64_t hash = hash_of(words);
  ThreadTable& table = PerThread<ThreadTable>::get();
  if (const EagerOperation* operation = table.find(generation, hash, words)) return *operation;
  for (const Tensor& input : inputs) check_concrete(input);
  mark_devices_used();
  std::vector<std::int64_t> owned(words.begin(), words.end());
  Shared operation = shared_table().find(generation, owned);
  if (operation == nullptr) {
    operation = make_operation(key.name(), inputs, build);
    shared_table().add(generation, owned, operation);
  }
  return table.add(generation, hash, std::move(owned), std::move(operation));
}

void run_eager_operation(const EagerOperation& operation, std::span<const Tensor> inputs,
                         std::span<Tensor> results) {
  constexpr std::size_t kOnStack = 32;
  std::array<const std::byte*, kOnStack> sources_on_stack;
  std::array<std::byte*, kOnStack> targets_on_stack;
  std::vector<const std::byte*> sources_on_heap;
  std::vector<std::byte*> targets_on_heap;
  std::span<const std::byte*> sources(sources_on_stack.data(), std::min(inputs.size(), kOnStack));
  std::span<std::byte*> targets(targets_on_stack.data(), std::min(results.size(), kOnStack));
  if (inputs.size() > kOnStack) sources_on_heap.resize(inputs.size()), sources = sources_on_heap;
  if (results.size() > kOnStack) targets_on_heap.resize(results.size()), targets = targets_on_heap;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    sources[i] = inputs[i].bytes();  // throws for a symbolic tensor
  const int device = current_device_index();
  try {
    for (std::size_t i = 0; i < results.size(); ++i)
      results[i] = Tensor::uninitialized(operation.results[i], device, &targets[i]);
  } catch (const Error& error) {
    throw error.said_by(operation.name);
  }
  operation.program->run(sources, targets);
}

}  // namespace cornu::inline v0::detail
