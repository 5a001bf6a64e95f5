#pragma once

#include "cornu/keras/models/model.h"

/// Networks of the kinds that people train and that nobody tuned this engine for, raced against the peers
/// beside the twelve workloads. The same ones, layer by layer, are in benchmarks/peers/keras_family.py and
/// torch_family.py; their data are in cli/family_workloads.cc and benchmarks/peers/common.py. Real Keras's
/// outputs and losses for the same weights are in tests/goldens/workloads.json.
namespace cornu::inline v0::benchmarks {

/// Two convolutions with pools, two transposed ones, one filter at the end; reconstructs [28, 28, 1].
keras::Model conv_autoencoder();
/// Five times dense 1024, LayerNormalization, gelu; takes 1024 features.
keras::Model dense_layernorm();
/// Three levels of 16, 32 and 64 filters over a bottom of 128, up by transposed convolutions, joined across;
/// a class for each pixel.
keras::Model unet();
/// 784-400-20 and back, with the divergence of the code from the normal distribution as an added loss.
keras::Model vae();
/// Two encoder blocks (post-norm, dropout) over 128 word vectors; attention by einsum over [batch, steps,
/// heads, width].
keras::Model text_transformer();
/// Four pre-norm blocks over 64 patches; attention by einsum over [batch * heads, steps, width].
keras::Model vision_transformer();
/// Three causal pre-norm blocks over 128 characters, logits of the next one; attention by matmul with a
/// transposed operand.
keras::Model char_gpt();
/// Seven causal convolutions along time with dilations 1 to 64, each added to its input.
keras::Model dilated_conv1d();
/// Depthwise and pointwise convolutions, each with BatchNormalization, as MobileNet has them.
keras::Model depthwise_cnn();
/// He and others' network of 20 layers for pictures of 32 x 32, with BatchNormalization.
keras::Model resnet20();
/// Pairs of convolutions whose channels are weighed by two small dense layers (squeeze and excitation).
keras::Model squeeze_excitation_cnn();
/// Three GRU layers of 128 units over 64 steps.
keras::Model gru_stack();
/// Eight tables and a dense part, products of all pairs of their vectors, dense layers on top.
keras::Model dlrm();
/// A linear part over ids beside a deep one over their vectors.
keras::Model wide_deep();

}  // namespace cornu::inline v0::benchmarks
