#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cornu/tensor/trace/infeed.h"

/// Calls of programs that take elements.
namespace cornu::inline v0::detail {

/// The capacities of a function's first program: as much as its first call takes.
std::vector<std::int64_t> first_capacities(std::span<const std::int64_t> counts);
/// The capacities of a further program: powers of two, so that a few programs serve all counts.
std::vector<std::int64_t> next_capacities(std::span<const std::int64_t> counts);
/// Whether the slabs hold so many elements and are less than twice as long.
bool has_room(const Infeeds& infeeds, std::span<const std::int64_t> counts);

/// Reads `count` elements ahead.
/// Errors: OutOfRange when there are fewer, InvalidArgument when one has another type;
///         as ElementSource::read_ahead. `function` names the function in them.
void require_elements(const std::string& function, ElementSource& source, std::int64_t count);

/// The slabs of all infeeds with the first `counts` elements of their sources; one element is not copied.
/// Errors: ResourceExhausted, naming the bytes.
std::vector<Tensor> make_slabs(const Infeeds& infeeds, std::span<ElementSource* const> sources,
                               std::span<const std::int64_t> counts);

}  // namespace cornu::inline v0::detail
