// Written by tools/make_functions.py from cornu/tensor/ops/functions/*.toml.
// clang-format off
#pragma once

#include <vector>
#include "cornu/keras/layers/operations/operation_call_support.h"

namespace cornu::inline v0::keras::layers {

/// Calls that are not made by ops::calls, in the file of their group.
std::vector<Tensor> call_clip(const OperationCall& c);
std::vector<Tensor> call_cast(const OperationCall& c);
std::vector<Tensor> call_saturate_cast(const OperationCall& c);
std::vector<Tensor> call_select(const OperationCall& c);
std::vector<Tensor> call_quantile(const OperationCall& c);
std::vector<Tensor> call_percentile(const OperationCall& c);
std::vector<Tensor> call_norm(const OperationCall& c);
std::vector<Tensor> call_nanquantile(const OperationCall& c);
std::vector<Tensor> call_nanpercentile(const OperationCall& c);
std::vector<Tensor> call_size(const OperationCall& c);
std::vector<Tensor> call_ndim(const OperationCall& c);
std::vector<Tensor> call_pad(const OperationCall& c);
std::vector<Tensor> call_full(const OperationCall& c);
std::vector<Tensor> call_get_item(const OperationCall& c);
std::vector<Tensor> call_slice(const OperationCall& c);
std::vector<Tensor> call_slice_update(const OperationCall& c);
std::vector<Tensor> call_one_hot(const OperationCall& c);
std::vector<Tensor> call_multi_hot(const OperationCall& c);
std::vector<Tensor> call_top_k(const OperationCall& c);
std::vector<Tensor> call_digitize(const OperationCall& c);
std::vector<Tensor> call_tensordot(const OperationCall& c);
std::vector<Tensor> call_categorical_crossentropy(const OperationCall& c);
std::vector<Tensor> call_moments(const OperationCall& c);
std::vector<Tensor> call_layer_normalization(const OperationCall& c);
std::vector<Tensor> call_dot_product_attention(const OperationCall& c);
std::vector<Tensor> call_view(const OperationCall& c);
std::vector<Tensor> call_rearrange(const OperationCall& c);
std::vector<Tensor> call_unique(const OperationCall& c);
std::vector<Tensor> call_stft(const OperationCall& c);
std::vector<Tensor> call_istft(const OperationCall& c);
std::vector<Tensor> call_with_mask(const OperationCall& c);

}  // namespace cornu::inline v0::keras::layers
