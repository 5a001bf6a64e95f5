#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/keras/base/names.h"

namespace cornu::inline v0::keras {

// The errors of PerOutput, defined in a source file because users include this header.
[[noreturn]] void throw_not_a_number(std::string_view option, const std::string& text);
[[noreturn]] void throw_wrong_count(std::string_view option, std::size_t got, std::size_t wanted,
                                    std::span<const std::string> output_names);
[[noreturn]] void throw_unknown_output(std::string_view option, const std::string& name,
                                       std::span<const std::string> output_names);
[[noreturn]] void throw_output_twice(std::string_view option, const std::string& name);
[[noreturn]] void throw_shared_output_name(std::string_view option, const std::string& name);

/// An option of compile() for each output of a model: one value for all, a list by position, or entries by
/// the output's name.
///
///     .loss = "mse"                  .loss = {"mse", losses::Huber()}       .loss = {{"box", "mse"}, {"label", "crossentropy"}}
///     .metrics = {"mae"}             .metrics = {{"mae"}, {"accuracy", "mse"}}
///     .metrics = {{"box", "mae"}, {"label", {"accuracy", "mse"}}}           .loss_weights = {{"box", 0.5}, {"label", 2.0}}
///
/// A list of pairs that begin with a string is by name. If an output itself takes a list (`kTakesLists`),
/// `{"mae", "mse"}` is ambiguous: it is by name only if one of the strings is the name of an output or is
/// followed by a list. An empty entry, as in {"box", {}}, is Keras's None: nothing for that output.
template <typename T, bool kTakesLists = false>
class PerOutput {
 public:
  class Entry {
   public:
    /// An empty entry: nothing for its output.
    Entry() = default;
    Entry(const char* text) : text_(or_empty(text)) {}
    Entry(std::string text) : text_(std::move(text)) {}
    template <typename U>
      requires(!std::same_as<std::remove_cvref_t<U>, Entry> && !std::convertible_to<U, std::string> &&
               std::convertible_to<U, T>)
    Entry(U&& value) : value_(T(std::forward<U>(value))) {}
    Entry(std::initializer_list<Entry> entries) : is_list_(true), entries_(entries) {}
    explicit Entry(std::vector<Entry> entries) : is_list_(true), entries_(std::move(entries)) {}

    bool is_none() const { return !is_list_ && !value_.has_value() && !is_text(); }
    bool is_list() const { return is_list_; }
    bool is_text() const { return !text_.empty(); }
    const std::string& text() const { return text_; }
    const std::vector<Entry>& entries() const { return entries_; }
    /// The value of an entry that is not a list. Errors: InvalidArgument, naming `option`, for a string in
    /// place of a number.
    T value(std::string_view option) const {
      if (value_.has_value()) return *value_;
      if constexpr (std::constructible_from<T, std::string>) {
        return T(text_);
      } else {
        throw_not_a_number(option, text_);
      }
    }

   private:
    std::string text_;
    std::optional<T> value_;
    bool is_list_ = false;
    std::vector<Entry> entries_;
  };

  PerOutput() = default;
  PerOutput(const char* text) : root_(text) {}
  PerOutput(std::string text) : root_(std::move(text)) {}
  template <typename U>
    requires(!std::same_as<std::remove_cvref_t<U>, PerOutput> &&
             !std::same_as<std::remove_cvref_t<U>, Entry> && !std::convertible_to<U, std::string> &&
             std::convertible_to<U, T>)
  PerOutput(U&& value) : root_(std::forward<U>(value)) {}
  PerOutput(std::initializer_list<Entry> entries) : root_(entries) {}
  explicit PerOutput(Entry root) : root_(std::move(root)) {}
  PerOutput(const std::vector<T>& values) : root_(std::vector<Entry>(values.begin(), values.end())) {}

  /// True if anything other than an empty list was given.
  bool is_set() const { return root_.is_list() ? !root_.entries().empty() : !root_.is_none(); }
  /// True if one value is given for all outputs.
  bool is_single() const { return !root_.is_list(); }
  const Entry& root() const { return root_; }

  /// True if the entries are by the outputs' names.
  bool is_named(std::span<const std::string> output_names) const {
    if (!root_.is_list() || root_.entries().empty()) return false;
    const auto is_pair = [](const Entry& entry) {
      return entry.is_list() && entry.entries().size() == 2 && entry.entries()[0].is_text();
    };
    const auto names_output = [&](const Entry& entry) {
      const bool is_output = std::find(output_names.begin(), output_names.end(), entry.entries()[0].text()) !=
                             output_names.end();
      return is_output || entry.entries()[1].is_list();
    };
    const std::vector<Entry>& entries = root_.entries();
    return std::all_of(entries.begin(), entries.end(), is_pair) &&
           (!kTakesLists || std::any_of(entries.begin(), entries.end(), names_output));
  }
  /// The first output that a list by name leaves out; empty if there is none, or if the list is not by name.
  std::string left_out(std::span<const std::string> output_names) const {
    if (!is_named(output_names)) return {};
    for (const std::string& name : output_names) {
      const auto is_it = [&](const Entry& entry) { return entry.entries()[0].text() == name; };
      if (std::none_of(root_.entries().begin(), root_.entries().end(), is_it)) return name;
    }
    return {};
  }

  /// The entry of each of `num_outputs` outputs; an empty entry for outputs that a list by name leaves out.
  /// Errors: InvalidArgument, naming `option`, for a name that no output has, that several outputs have or
  ///         that is listed twice, and for a list of another length.
  std::vector<Entry> by_output(std::span<const std::string> output_names, std::size_t num_outputs,
                               std::string_view option) const {
    if (is_single()) return std::vector<Entry>(num_outputs, root_);
    if (!is_named(output_names)) {
      if (root_.entries().size() != num_outputs)
        throw_wrong_count(option, root_.entries().size(), num_outputs, output_names);
      return root_.entries();
    }
    std::vector<Entry> result(num_outputs);
    std::vector<std::string> seen;
    for (const Entry& entry : root_.entries()) {
      const std::string& name = entry.entries()[0].text();
      const auto found = std::find(output_names.begin(), output_names.end(), name);
      if (found == output_names.end()) throw_unknown_output(option, name, output_names);
      if (std::find(found + 1, output_names.end(), name) != output_names.end())
        throw_shared_output_name(option, name);
      if (std::find(seen.begin(), seen.end(), name) != seen.end()) throw_output_twice(option, name);
      seen.push_back(name);
      result[static_cast<std::size_t>(found - output_names.begin())] = entry.entries()[1];
    }
    return result;
  }

 private:
  Entry root_;
};

}  // namespace cornu::inline v0::keras
