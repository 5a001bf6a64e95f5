#include "cornu/io/hdf5.h"

#include <algorithm>
#include <cctype>

namespace cornu::inline v0::io {
namespace {

/// A name's text and the number at its end: "vars_10" is ("vars_", 10).
struct NumberedName {
  std::string_view stem;
  std::string_view digits;  // without leading zeros

  explicit NumberedName(std::string_view name) {
    std::size_t end = name.size();
    while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1])) != 0) --end;
    stem = name.substr(0, end);
    digits = name.substr(end);
    while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  }
};

/// Splits off the first name of a path.
std::string_view first_name(std::string_view& path) {
  const std::size_t end = std::min(path.find('/'), path.size());
  const std::string_view name = path.substr(0, end);
  path.remove_prefix(std::min(end + 1, path.size()));
  return name;
}

}  // namespace

bool NumberedOrder::operator()(std::string_view x, std::string_view y) const {
  const NumberedName a(x), b(y);
  if (a.stem != b.stem) return a.stem < b.stem;
  if (a.digits.size() != b.digits.size()) return a.digits.size() < b.digits.size();
  if (a.digits != b.digits) return a.digits < b.digits;
  return x < y;  // "01" and "1"
}

const Hdf5Group* Hdf5Group::find_group(StringViewArgument path) const {
  const Hdf5Group* group = this;
  while (group != nullptr && !path.empty()) {
    const auto found = group->groups.find(first_name(path));
    group = found == group->groups.end() ? nullptr : found->second.get();
  }
  return group;
}

const Hdf5Dataset* Hdf5Group::find_dataset(StringViewArgument path) const {
  const std::size_t end = path.rfind('/');
  const Hdf5Group* group = end == std::string_view::npos ? this : find_group(path.substr(0, end));
  if (group == nullptr) return nullptr;
  const auto found = group->datasets.find(end == std::string_view::npos ? path : path.substr(end + 1));
  return found == group->datasets.end() ? nullptr : &found->second;
}

Hdf5Content& Hdf5Content::group(StringViewArgument path) {
  Hdf5Content* content = this;
  while (!path.empty()) {
    std::unique_ptr<Hdf5Content>& inside = content->groups[std::string(first_name(path))];
    if (inside == nullptr) inside = std::make_unique<Hdf5Content>();
    content = inside.get();
  }
  return *content;
}

}  // namespace cornu::inline v0::io
