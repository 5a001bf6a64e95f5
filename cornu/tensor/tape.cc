#include "cornu/tensor/tape.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::detail {

std::size_t Tape::index_of(const Variable& variable) const {
  const auto found = std::find_if(reads_.begin(), reads_.end(),
                                  [&](const Reads& reads) { return reads.variable == variable; });
  return static_cast<std::size_t>(found - reads_.begin());
}

bool Tape::knows(const Reads& reads, const Tensor& value) const {
  return std::any_of(reads.values.begin(), reads.values.end(),
                     [&](const Tensor& known) { return is_same(known, value); });
}

void Tape::watch(const Variable& variable) {
  if (index_of(variable) == reads_.size()) reads_.push_back({variable, {}});
}

bool Tape::counts_read(const Variable& variable) const {
  if (!recording_ || !ir::is_float(variable.dtype())) return false;
  return (watches_accessed_ && variable.trainable()) || index_of(variable) < reads_.size();
}

bool Tape::has_read(const Variable& variable, const Tensor& value) const {
  const std::size_t index = index_of(variable);
  return index < reads_.size() && knows(reads_[index], value);
}

bool Tape::note_read(const Variable& variable, const Tensor& value) {
  if (!counts_read(variable)) return false;
  const std::size_t index = index_of(variable);
  if (index == reads_.size()) reads_.push_back({variable, {}});
  if (knows(reads_[index], value)) return false;
  reads_[index].values.push_back(value);
  return true;
}

std::vector<Tensor> Tape::gradient(std::span<const Tensor> targets, std::span<const Tensor> output_gradients,
                                   std::span<const Variable> sources) {
  // All reads of all sources at once, then their sums.
  std::vector<Tensor> values;
  std::vector<std::size_t> source_of;
  for (std::size_t i = 0; i < sources.size(); ++i)
    for (const Reads& reads : reads_) {
      if (!(reads.variable == sources[i])) continue;
      values.insert(values.end(), reads.values.begin(), reads.values.end());
      source_of.resize(values.size(), i);
    }
  const std::vector<Tensor> gradients = gradient(targets, output_gradients, std::span<const Tensor>(values));
  std::vector<Tensor> sums(sources.size());
  for (std::size_t k = 0; k < gradients.size(); ++k) {
    if (!gradients[k].defined()) continue;
    Tensor& sum = sums[source_of[k]];
    sum = sum.defined() ? sum + gradients[k] : gradients[k];
  }
  return sums;
}

void Tape::clear() {
  clear_record();
  reads_.clear();
}

void Tape::finish() {
  set_recording(false);
  clear_record();
  for (Reads& reads : reads_) reads.values.clear();
}

std::vector<Variable> Tape::watched_variables() const {
  std::vector<Variable> variables;
  variables.reserve(reads_.size());
  for (const Reads& reads : reads_) variables.push_back(reads.variable);
  return variables;
}

Tensor with_new_identity(const Tensor& x) {
  return Tensor::from_bytes(x.type(), x.bytes(), x.type().size_bytes(), x.memory());
}

}  // namespace cornu::inline v0::detail
