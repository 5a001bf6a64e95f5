#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"

namespace cornu::inline v0::keras {

/// Throws InvalidArgument `[history] there is no "los"; did you mean "loss"? there are: loss, accuracy`.
[[noreturn]] void throw_no_such_name(std::string_view what, std::string_view name,
                                     const std::vector<std::string>& known);

/// Values by name, in insertion order like Python's dict.
///
/// Errors: at() and operator[] throw InvalidArgument, listing the names.
template <typename T>
class ByName {
 public:
  using Entry = std::pair<std::string, T>;

  /// `what` ("history") is the tag of errors.
  explicit ByName(const char* what) : what_(what) {}
  ByName(const char* what, std::initializer_list<Entry> entries) : what_(what), entries_(entries) {}

  /// Replaces the value of `name`, or appends it.
  void set(StringViewArgument name, T value) {
    if (T* old = find(name)) {
      *old = std::move(value);
    } else {
      entries_.emplace_back(name, std::move(value));
    }
  }
  /// Null if there is none.
  const T* find(StringViewArgument name) const {
    const auto entry =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& each) { return each.first == name; });
    return entry == entries_.end() ? nullptr : &entry->second;
  }
  T* find(StringViewArgument name) { return const_cast<T*>(std::as_const(*this).find(name)); }
  bool contains(StringViewArgument name) const { return find(name) != nullptr; }
  const T& at(StringViewArgument name) const {
    if (const T* value = find(name)) return *value;
    throw_no_such_name(what_, name, keys());
  }
  const T& operator[](StringViewArgument name) const { return at(name); }
  std::vector<std::string> keys() const {
    std::vector<std::string> names;
    names.reserve(entries_.size());
    for (const Entry& entry : entries_) names.push_back(entry.first);
    return names;
  }

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  void clear() { entries_.clear(); }
  void sort_by_name() {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.first < b.first; });
  }

  bool operator==(const ByName& other) const { return entries_ == other.entries_; }

 private:
  const char* what_;
  std::vector<Entry> entries_;
};

}  // namespace cornu::inline v0::keras
