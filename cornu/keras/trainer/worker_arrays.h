#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cornu/keras/trainer/array_data.h"
#include "cornu/runtime/distant_client.h"

/// Arrays that a worker has opened from files (data::on_worker); runs on the worker use them in place.
namespace cornu::inline v0::keras {

/// The array's buffer on the worker; null for an array of this process.
runtime::Buffer* worker_buffer(const Tensor& array);

bool has_worker_arrays(const ArrayData& data);

/// The range of values that the worker found when it opened the array; nullopt for other arrays.
std::optional<runtime::ValueRange> known_range(const Tensor& array);

/// The result of data.bases(); empty if some of the arrays are a worker's, which only a run on another device
/// has to fetch.
std::vector<const std::byte*> bases_here(const ArrayData& data);

}  // namespace cornu::inline v0::keras
