#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cornu/tensor/trace/infeed.h"

/// Calls of programs that take elements of data sets.
namespace cornu::inline v0::detail {

/// The capacities of a function's first program: the counts of its first call.
std::vector<std::int64_t> first_capacities(std::span<const std::int64_t> counts);
/// The capacities of a further program: powers of two, so that a few programs serve all counts.
std::vector<std::int64_t> next_capacities(std::span<const std::int64_t> counts);
/// True if the stacks have room for the elements, and are less than twice as long.
bool has_room(const Infeeds& infeeds, std::span<const std::int64_t> counts);

/// Reads ahead until `count` elements are available.
/// Errors: OutOfRange if there are fewer, InvalidArgument if one has another type; those of
///         ElementSource::read_ahead. `function` names the function in them.
void require_elements(const std::string& function, ElementSource& source, std::int64_t count);

/// Stacks the first `counts` elements of the sources into the stacks of all infeeds; a single element is not
/// copied.
/// Errors: ResourceExhausted, with the bytes.
std::vector<Tensor> make_stacks(const Infeeds& infeeds, std::span<ElementSource* const> sources,
                                std::span<const std::int64_t> counts);

}  // namespace cornu::inline v0::detail
