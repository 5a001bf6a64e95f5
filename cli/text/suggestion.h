#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cornu::inline v0::cli {

/// `did you mean "mnist_mlp"?` for a name that is near a known one; else `otherwise`, a hint where the known
/// names are listed. All messages of the program about unknown names end so.
std::string suggestion(std::string_view wanted, std::span<const std::string> known,
                       const std::string& otherwise);

}  // namespace cornu::inline v0::cli
