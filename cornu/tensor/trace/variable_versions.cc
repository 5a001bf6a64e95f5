#include "cornu/tensor/trace/variable_versions.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>

#include "cornu/tensor/trace/variable_claim.h"

namespace cornu::inline v0::detail {

using State = Variable::State;

void VariableVersion::look_at(std::size_t i, const std::byte* bytes) {
  views_[i].look_at(bytes);
  buffers_[i] = &views_[i];
}

/// Values of two versions.
struct VersionLease::Mixed {
  VersionLease earlier, own;
  std::vector<runtime::HostView> views;
  std::vector<runtime::Buffer*> buffers;
};

VersionLease::VersionLease(const VersionLease& other) : version_(other.version_), mixed_(other.mixed_) {
  if (version_ != nullptr) version_->num_users_.fetch_add(1);
}

// A writer first reads holds_values_, then the number of users; so one of the two sees the other.
VersionLease::~VersionLease() {
  if (version_ == nullptr || version_->num_users_.fetch_sub(1) > 1 || !version_->holds_values_.load()) return;
  std::vector<std::shared_ptr<const void>> over(version_->numbers_.size());  // freed without the lock
  const std::lock_guard lock(State::mutex());
  if (version_->num_users_.load() > 0) return;
  version_->held_.swap(over);
  version_->holds_values_.store(false);
}

std::span<runtime::Buffer* const> VersionLease::buffers() const {
  if (mixed_ != nullptr) return mixed_->buffers;
  return version_ == nullptr ? std::span<runtime::Buffer* const>() : version_->buffers();
}

VariableVersions::VariableVersions(std::span<const Variable> variables, Placement placement)
    : variables_(variables),
      placement_(std::move(placement)),
      is_addressable_(placement_.client() != nullptr && placement_.client()->is_addressable()) {
  const std::lock_guard lock(State::mutex());
  for (const Variable& variable : variables_) {  // so that memory ends here, with nothing listed
    std::vector<VariableVersions*>& listed = variable.state().versions;
    listed.reserve(listed.size() + 1);
  }
  for (const Variable& variable : variables_) variable.state().versions.push_back(this);
}

VariableVersions::~VariableVersions() {
  const std::lock_guard lock(State::mutex());
  for (const Variable& variable : variables_) std::erase(variable.state().versions, this);
}

VersionLease VariableVersions::take() {
  if (variables_.empty()) return {};
  std::optional<VariableClaim> claim;  // held from the first move until the read
  for (;;) {
    {
      std::vector<std::shared_ptr<const void>> over;  // freed without the lock
      std::unique_lock lock(State::mutex());
      if (!is_current_) wait_for_claims(lock, variables_, Access::kRead);
      if (is_current_ || look(over)) {
        now_->num_users_.fetch_add(1);
        return VersionLease(now_);
      }
    }
    if (!claim.has_value()) claim.emplace(VariableClaim::Variables{.read = variables_}, OtherThreads::kWait);
    move_variables(variables_, placement_, Access::kRead);
  }
}

bool VariableVersions::look(std::vector<std::shared_ptr<const void>>& over) {
  now_ = &unused_version(over);
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (!look_at_variable(i)) return false;
  // Writes by this thread under its own claim are not reported, so such a version holds its values at once.
  const bool is_noticed =
      !now_->holds_values_.load() && !is_written_by_this_thread(variables_) &&
      std::ranges::all_of(variables_, [](const Variable& one) { return one.state().is_claimed_by_runs; });
  is_current_ = is_noticed;
  if (is_noticed) {
    for (const Variable& variable : variables_) variable.state().is_watched = true;
  } else {
    now_->holds_values_.store(true);
    hold_values();
  }
  return true;
}

VariableVersion& VariableVersions::unused_version(std::vector<std::shared_ptr<const void>>& over) {
  for (const auto& version : all_) {
    if (version->num_users_.load() > 0) continue;
    if (version->holds_values_.load()) {
      over.resize(variables_.size());
      version->held_.swap(over);
      version->holds_values_.store(false);
    }
    return *version;
  }
  auto version = std::make_unique<VariableVersion>(variables_);
  if (is_addressable_) {
    version->views_.reserve(variables_.size());
    for (const Variable& variable : variables_)
      version->views_.emplace_back(variable.type(), placement_.client().get(), placement_.device());
  }
  return *all_.emplace_back(std::move(version));
}

bool VariableVersions::look_at_variable(std::size_t i) {
  State& state = variables_[i].state();
  const State::Copy* const copy = state.find_copy(placement_);  // valid, whichever copy has the authority
  if (copy == nullptr || !state.is_valid(*copy)) return false;
  runtime::Buffer* const buffer = copy->buffer.get();
  if (!is_addressable_) {
    now_->buffers_[i] = buffer;
    return true;
  }
  if (state.is_number()) {
    std::memcpy(&now_->numbers_[i], buffer->host_data(), state.type.size_bytes());
    now_->look_at(i, reinterpret_cast<const std::byte*>(&now_->numbers_[i]));
  } else if (state.storage != nullptr) {  // read in place
    now_->look_at(i, buffer->host_data());
  } else if (const std::shared_ptr<const std::byte> bytes = buffer->share()) {
    now_->look_at(i, bytes.get());
  } else {  // a backend that does not share
    const SeenValue seen = state.seen();
    now_->held_[i] = seen.bytes;
    now_->holds_values_.store(true);
    now_->look_at(i, seen.bytes.get());
  }
  return true;
}

void VariableVersions::on_write() {
  if (!is_current_) return;
  is_current_ = false;
  now_->holds_values_.store(true);
  if (now_->num_users_.load() == 0) {
    now_->holds_values_.store(false);
    return;
  }
  hold_values();
}

void VariableVersions::hold_values() {
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (now_->held_[i] != nullptr) continue;
    const State& state = variables_[i].state();
    if (!is_addressable_)
      now_->held_[i] = state.find_copy(placement_)->buffer;
    else if (!state.is_number())
      now_->held_[i] = state.find_copy(placement_)->buffer->share();
  }
}

// Programs of one model list its variables alike.
std::size_t VariableVersions::index_of(const Variable& variable, std::size_t guess) const {
  if (guess < variables_.size() && variables_[guess] == variable) return guess;
  return static_cast<std::size_t>(std::find(variables_.begin(), variables_.end(), variable) -
                                  variables_.begin());
}

VersionLease VariableVersions::take(const VersionLease& earlier,
                                    const VariableVersions& versions_of_earlier) {
  VersionLease own = take();
  if (!own.defined() || !earlier.defined()) return own;
  const std::span<runtime::Buffer* const> before = earlier.buffers(), now = own.buffers();
  const std::size_t num_before = versions_of_earlier.variables_.size();
  std::vector<std::size_t> places;
  bool is_same = true;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const std::size_t at = places.emplace_back(versions_of_earlier.index_of(variables_[i], i));
    is_same = is_same && (at == num_before || has_same_value(variables_[i], *before[at], *now[i]));
  }
  if (is_same) return own;
  auto mixed = std::make_shared<VersionLease::Mixed>();
  mixed->views.reserve(variables_.size());
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    runtime::Buffer* const buffer = places[i] < num_before ? before[places[i]] : now[i];
    if (!is_addressable_) {
      mixed->buffers.push_back(buffer);
      continue;
    }
    mixed->views.emplace_back(variables_[i].type(), placement_.client().get(), placement_.device())
        .look_at(buffer->host_data());
    mixed->buffers.push_back(&mixed->views.back());
  }
  mixed->earlier = earlier;
  mixed->own = own;
  own.mixed_ = std::move(mixed);
  return own;
}

bool VariableVersions::has_same_value(const Variable& variable, const runtime::Buffer& before,
                                      const runtime::Buffer& now) const {
  if (!is_addressable_) return &before == &now;
  if (!variable.state().is_number()) return before.host_data() == now.host_data();
  return std::memcmp(before.host_data(), now.host_data(), variable.type().size_bytes()) == 0;
}

}  // namespace cornu::inline v0::detail
