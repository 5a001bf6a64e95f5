#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/tensor/trace/infeed.h"

namespace cornu::inline v0::data {

/// Throws OutOfRange for a missing next element.
[[noreturn]] void fail_at_end();
/// Throws Unimplemented inside a trace: a loop over a data set would get the same elements for ever.
void check_not_traced();

/// Items of a pass, including those that were read ahead for a function and not consumed yet. `spec_of` and
/// `tensors_of` interpret the items.
template <typename Item>
class ReadAhead : public cornu::detail::ElementSource {
 public:
  /// Takes the next item, first of those that were read ahead.
  std::optional<Item> take() {
    if (items_.empty()) return pull();
    Item item = std::move(items_.front());
    items_.pop_front();
    return item;
  }
  /// The item that spec() describes: its tensors have the types that a traced function uses.
  const Item& model() {
    refresh();
    return *model_;
  }
  std::deque<Item>& items() { return items_; }

  const Spec& spec() override {
    refresh();
    return spec_;
  }
  std::int64_t read_ahead(std::int64_t count) override {
    if (count <= 0) return 0;
    if (!has_next()) return 0;
    refresh();
    std::int64_t fitting = 0;
    while (fitting < count) {
      if (std::cmp_equal(items_.size(), fitting) && !pull_ahead()) break;
      if (!is_alike(items_[static_cast<std::size_t>(fitting)], *model_)) break;
      ++fitting;
    }
    fitting_ = fitting;
    return fitting;
  }
  std::optional<std::string> spec_behind() override {
    if (std::cmp_greater_equal(fitting_, items_.size())) return std::nullopt;
    return spec_of(items_[static_cast<std::size_t>(fitting_)]).text;
  }
  std::vector<Tensor> ahead(std::int64_t i) override {
    return tensors_of(items_[static_cast<std::size_t>(i)]);
  }
  void drop(std::int64_t count) override { items_.erase(items_.begin(), items_.begin() + count); }

 protected:
  virtual std::optional<Item> pull() = 0;
  /// Errors: InvalidArgument for an item that a program cannot take.
  virtual Spec spec_of(const Item& item) const = 0;
  virtual std::vector<Tensor> tensors_of(const Item& item) const = 0;
  /// True if both have the same spec.
  virtual bool is_alike(const Item& a, const Item& b) const = 0;

 private:
  bool pull_ahead() {
    std::optional<Item> item = pull();
    if (!item.has_value()) return false;
    items_.push_back(*std::move(item));
    return true;
  }
  bool has_next() { return !items_.empty() || pull_ahead(); }
  void refresh() {
    if (has_next()) {
      if (model_.has_value() && is_alike(items_.front(), *model_)) return;
      spec_ = spec_of(items_.front());
      model_ = items_.front();
    } else if (!model_.has_value()) {
      fail_at_end();
    }
  }

  std::deque<Item> items_;
  std::optional<Item> model_;
  Spec spec_;
  std::int64_t fitting_ = 0;
};

}  // namespace cornu::inline v0::data
