#include "cornu/backends/sim/profile.h"
#include "cornu/base/error.h"
#include "tests/fuzz/target.h"

namespace cornu::inline v0::fuzz {

/// Not by parse(): what a user wrote himself is a wrong argument where it is wrong.
void profile(Bytes bytes) {
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  try {
    const backends::sim::Profile read = backends::sim::parse_profile({text, bytes.size()}, "input");
    for (const backends::sim::ProfileField& field : backends::sim::profile_fields())
      if (field.number != nullptr)
        require(read.*field.number >= field.least && read.*field.number <= field.most, field.name);
  } catch (const Error& error) {
    require(error.code() == ErrorCode::kInvalidArgument, error.what());
    require(std::string_view(error.what()).starts_with("[sim] profile \"input\""), error.what());
  }
}

}  // namespace cornu::inline v0::fuzz
