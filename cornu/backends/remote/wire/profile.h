#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cornu/backends/remote/wire/wire.h"
#include "cornu/runtime/profiler.h"

namespace cornu::inline v0::backends::remote {

/// Slices of one execution's profile, and its bytes: it goes beside outputs that fill their message.
inline constexpr std::size_t kMaxProfileSlices = 20'000, kMaxProfileBytes = kMessageOverheadBytes / 2;

/// The facts of the programs that one executable has run, by their numbers.
using KnownFacts = std::vector<std::shared_ptr<const runtime::ProgramFacts>>;

/// `numbers`: of the record's programs' facts; those from `num_known` on are told. Empty where it would be
/// more than kMaxProfileBytes even without slices.
proto::Profile to_proto(const runtime::ProfileRecord& record, const std::vector<std::size_t>& numbers,
                        std::size_t num_known);

/// Facts that are new go into `known`. Errors: Internal for a profile that cannot be.
runtime::ProfileRecord to_record(const proto::Profile& profile, KnownFacts& known);

}  // namespace cornu::inline v0::backends::remote
