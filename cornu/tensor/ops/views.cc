#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/tensor/ops/arrays.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
using namespace internal;

Tensor view(const Tensor& x, DType dtype) {
  const auto is_viewed = [](DType type) { return type != DType::kI1 && !ir::is_complex(type); };
  if (!is_viewed(x.dtype()) || !is_viewed(dtype))
    invalid_argument({.argument = "dtype"},
                     "[view] x and the result must be integers or floats; got {} as {}", type_str(x.type()),
                     ir::numpy_name(dtype));
  if (dtype == x.dtype()) return x;
  const auto given = static_cast<std::int64_t>(ir::size_bytes(x.dtype()));
  const auto wanted = static_cast<std::int64_t>(ir::size_bytes(dtype));
  const bool narrows = wanted<given, widens = wanted> given;
  const std::int64_t ratio = std::max(given, wanted) / std::min(given, wanted);
  if ((narrows || widens) && x.rank() == 0)
    invalid_argument("[view] a scalar cannot have a dtype of another size; got {} as {}", type_str(x.type()),
                     ir::numpy_name(dtype));
  Dims shape = x.shape();
  Tensor source = x;
  if (widens) {
    if (shape.back() % ratio != 0)
      invalid_argument("[view] the last extent must be a multiple of {} for {}; got {}", ratio,
                       ir::numpy_name(dtype), type_str(x.type()));
    shape.back() /= ratio;
    Dims parts = shape;
    parts.push_back(ratio);
    source = reshape(x, parts);
  }
  const Tensor bits = run_op(OpKey("view", dtype), {&source, 1},
                             [&](ir::Builder& b, Values v) { return bitcast_convert(b, v[0], dtype); });
  if (!narrows) return bits;
  shape.back() *= ratio;
  return reshape(bits, shape);
}

namespace {

/// The axes of one side of a pattern, by groups: "b (h w)" is {{"b"}, {"h", "w"}}.
using Groups = std::vector<std::vector<std::string>>;

[[noreturn]] void refuse_pattern(std::string_view pattern, const std::string& why) {
  invalid_argument({.argument = "pattern"}, "[rearrange] {}; got pattern = \"{}\"", why, pattern);
}

Groups groups_of(std::string_view side, std::string_view pattern) {
  Groups groups;
  bool is_inside = false;
  const auto is_letter = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t i = 0; i < side.size();) {
    const char c = side[i];
    if (c == '(' && !is_inside) {
      is_inside = true;
      groups.emplace_back();
      ++i;
    } else if (c == ')' && is_inside) {
      is_inside = false;
      ++i;
    } else if (c == ' ') {
      ++i;
    } else if (is_letter(c)) {
      std::size_t end = i;
      while (end < side.size() && is_letter(side[end])) ++end;
      if (!is_inside) groups.emplace_back();
      groups.back().emplace_back(side.substr(i, end - i));
      i = end;
    } else {
      refuse_pattern(pattern, fmt::format("'{}' is neither an axis nor a group in parentheses", c));
    }
  }
  if (is_inside) refuse_pattern(pattern, "a parenthesis is not closed");
  return groups;
}

std::vector<std::string> axes_of(const Groups& groups) {
  std::vector<std::string> axes;
  for (const auto& group : groups) axes.insert(axes.end(), group.begin(), group.end());
  return axes;
}

/// The extents of a group of axes of the input; at most one of them may be unknown.
void find_extents(const std::vector<std::string>& group, std::int64_t extent, std::string_view pattern,
                  std::map<std::string, std::int64_t>& extents) {
  CheckedSize known = 1;
  const std::string* unknown = nullptr;
  for (const std::string& axis : group) {
    if (const auto at = extents.find(axis); at != extents.end())
      known = known * at->second;
    else if (unknown == nullptr)
      unknown = &axis;
    else
      refuse_pattern(pattern, fmt::format("axes_lengths must have \"{}\" or \"{}\"", *unknown, axis));
  }
  const std::int64_t product = checked_extent("rearrange", known);
  if (unknown == nullptr ? product != extent : (product == 0 || extent % product != 0))
    refuse_pattern(pattern,
                   fmt::format("an axis of extent {} cannot be split into {} parts", extent, product));
  if (unknown != nullptr) extents[*unknown] = extent / product;
}

}  // namespace

Tensor rearrange(const Tensor& x, StringViewArgument pattern, const RearrangeOptions& options) {
  const std::size_t arrow = pattern.find("->");
  if (arrow == std::string_view::npos)
    refuse_pattern(pattern, "the pattern must have the form \"input -> output\"");
  const Groups from = groups_of(pattern.substr(0, arrow), pattern);
  const Groups to = groups_of(pattern.substr(arrow + 2), pattern);
  const std::vector<std::string> axes = axes_of(from), order = axes_of(to);
  if (static_cast<std::int64_t>(from.size()) != x.rank())
    refuse_pattern(pattern, fmt::format("the pattern has {} axes for an input of shape {}", from.size(),
                                        ir::shape_str(x.shape())));
  if (axes.size() != order.size() || !std::is_permutation(axes.begin(), axes.end(), order.begin()))
    refuse_pattern(pattern, "both sides must have the same axes, each once");
  for (auto axis = axes.begin(); axis != axes.end(); ++axis)
    if (std::find(axis + 1, axes.end(), *axis) != axes.end())
      refuse_pattern(pattern, fmt::format("the axis \"{}\" occurs twice on one side", *axis));
  std::map<std::string, std::int64_t> extents;
  for (const auto& [axis, length] : options.axes_lengths) {
    if (std::find(axes.begin(), axes.end(), axis) == axes.end() || length < 1)
      refuse_pattern(
          pattern,
          fmt::format("axes_lengths has \"{}\" = {}, which is no axis with a positive extent", axis, length));
    extents[axis] = length;
  }
  for (std::size_t i = 0; i < from.size(); ++i) find_extents(from[i], x.shape()[i], pattern, extents);
  Dims split, permutation, joined;
  for (const std::string& axis : axes) split.push_back(extents.at(axis));
  for (const std::string& axis : order)
    permutation.push_back(std::find(axes.begin(), axes.end(), axis) - axes.begin());
  for (const auto& group : to) {
    std::int64_t extent = 1;
    for (const std::string& axis : group) extent *= extents.at(axis);
    joined.push_back(extent);
  }
  return reshape(transpose(reshape(x, split), permutation), joined);
}

}  // namespace cornu::inline v0::ops
