#include "cornu/keras/base/tensors.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"

namespace cornu::inline v0::keras {

Tensors::Tensors(const std::vector<Named>& tensors) {
  for (const auto& [name, tensor] : tensors) {
    if (std::find(names_.begin(), names_.end(), name) != names_.end())
      invalid_argument("two tensors are named \"{}\"", name);
    names_.push_back(name);
    tensors_.push_back(tensor);
  }
}

const Tensor& Tensors::single(std::string_view what) const {
  if (tensors_.size() != 1) invalid_argument("expected one tensor for {}; got {}", what, tensors_.size());
  return tensors_[0];
}

Tensors Tensors::ordered(std::span<const std::string> wanted, std::string_view what) const {
  if (tensors_.size() != wanted.size())
    invalid_argument("expected {} tensors for {} ({}); got {}", wanted.size(), what, fmt::join(wanted, ", "),
                     tensors_.size());
  if (!is_named()) return *this;
  std::vector<Tensor> result;
  for (const std::string& name : names_)
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end())
      invalid_argument("{} names \"{}\", which is unknown; {}", what, name, name_proposal(name, wanted));
  for (const std::string& name : wanted) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end())
      invalid_argument("{} has no tensor named \"{}\"; got {}", what, name, fmt::join(names_, ", "));
    result.push_back(tensors_[static_cast<std::size_t>(found - names_.begin())]);
  }
  return result;
}

}  // namespace cornu::inline v0::keras
