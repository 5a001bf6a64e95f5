#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cornu/backends/remote/wire/wire.h"
#include "cornu/runtime/profiler.h"

namespace cornu::inline v0::backends::remote {

/// Limits of one execution's profile: it is sent together with outputs that may fill their message.
inline constexpr std::size_t kMaxProfileSlices = 20'000, kMaxProfileBytes = kMessageOverheadBytes / 2;

/// The facts of the programs that one executable has run, by number.
using KnownFacts = std::vector<std::shared_ptr<const runtime::ProgramFacts>>;

/// `numbers`: those of the facts of the record's programs; facts from `num_known` on are included. Empty if
/// the profile exceeds kMaxProfileBytes even without slices.
proto::Profile to_proto(const runtime::ProfileRecord& record, const std::vector<std::size_t>& numbers,
                        std::size_t num_known);

/// Appends new facts to `known`. Errors: Internal for an inconsistent profile.
runtime::ProfileRecord to_record(const proto::Profile& profile, KnownFacts& known);

}  // namespace cornu::inline v0::backends::remote
