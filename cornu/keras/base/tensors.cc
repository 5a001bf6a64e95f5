#include "cornu/keras/base/tensors.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/base/by_name.h"
#include "cornu/keras/base/names.h"

namespace cornu::inline v0::keras {

Tensors::Tensors(const Tensor& tensor) {
  if (tensor.defined()) tensors_.push_back(tensor);
}

Tensors::Tensors(std::initializer_list<Named> tensors) : Tensors(std::vector<Named>(tensors)) {}

Tensors::Tensors(const std::vector<Named>& tensors) {
  for (const auto& [name, tensor] : tensors) {
    if (std::find(names_.begin(), names_.end(), name) != names_.end())
      invalid_argument("two tensors are named \"{}\"", name);
    names_.push_back(name);
    tensors_.push_back(tensor);
  }
}

const Tensor& Tensors::at(StringViewArgument name) const {
  if (!is_named())
    invalid_argument("[tensors] there is no \"{}\": these {} tensors have no names; take one by its index",
                     std::string_view(name), size());
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) throw_no_such_name("tensors", name, names_);
  return tensors_[static_cast<std::size_t>(found - names_.begin())];
}

bool Tensors::contains(StringViewArgument name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

const Tensor& Tensors::single(StringViewArgument what) const {
  if (tensors_.size() != 1) invalid_argument("expected one tensor for {}; got {}", what, tensors_.size());
  return tensors_[0];
}

Tensors Tensors::ordered(std::span<const std::string> wanted, StringViewArgument what,
                         std::size_t num_optional) const {
  CORNU_CHECK(num_optional == 0 || num_optional < wanted.size(), "{} of {} tensors are optional",
              num_optional, wanted.size());
  const std::size_t num_needed = wanted.size() - num_optional;
  if (tensors_.size() < num_needed || tensors_.size() > wanted.size())
    invalid_argument("expected {}{} tensors for {} ({}); got {}",
                     num_optional == 0 ? "" : fmt::format("{} to ", num_needed), wanted.size(), what,
                     fmt::join(wanted, ", "), tensors_.size());
  if (!is_named()) return *this;
  std::vector<Tensor> result;
  for (const std::string& name : names_)
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end())
      invalid_argument("{} names \"{}\", which is unknown; {}", what, name, name_proposal(name, wanted));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto found = std::find(names_.begin(), names_.end(), wanted[i]);
    if (found == names_.end()) {
      if (i < num_needed)
        invalid_argument("{} has no tensor named \"{}\"; got {}", what, wanted[i], fmt::join(names_, ", "));
      continue;
    }
    while (result.size() < i) result.push_back(result[num_needed - 1]);
    result.push_back(tensors_[static_cast<std::size_t>(found - names_.begin())]);
  }
  return result;
}

}  // namespace cornu::inline v0::keras
