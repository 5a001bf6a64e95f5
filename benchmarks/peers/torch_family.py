"""The networks of common.FAMILY in PyTorch, layer by layer those of keras_family.py, whose order of weights they keep: make(name) gives a
module. Pictures come channels first. Outputs are logits, for the VAE with what is to be added to the loss. Where PyTorch has something better
than what a Keras user writes (scaled_dot_product_attention, nn.GRU of several layers), that is used."""
import math

import torch
from torch import nn
from torch.nn import functional

import common

WIDTH, HEADS = 128, 4


class Residual(nn.Module):
    """x + inner(x)."""

    def __init__(self, *inner):
        super().__init__()
        self.inner = nn.Sequential(*inner)

    def forward(self, x):
        return x + self.inner(x)


class SameConv(nn.Module):
    """Keras's padding "same", whose odd element stands behind."""

    def __init__(self, inputs, filters, kernel=3, stride=1, groups=1, bias=True):
        super().__init__()
        self.uneven = stride > 1 and kernel > 1
        self.conv = nn.Conv2d(inputs, filters, kernel, stride, 0 if self.uneven else kernel // 2, groups=groups, bias=bias)

    def forward(self, x):
        return self.conv(functional.pad(x, (0, 1, 0, 1)) if self.uneven else x)


def conv(inputs, filters):
    return nn.Sequential(SameConv(inputs, filters), nn.ReLU())


def twice(inputs, filters):
    return nn.Sequential(conv(inputs, filters), conv(filters, filters))


def batch_norm(channels):
    return nn.BatchNorm2d(channels, eps=1e-3, momentum=0.01)


def norm_relu(channels):
    return nn.Sequential(batch_norm(channels), nn.ReLU())


def plain_conv(inputs, filters, kernel=3, stride=1, groups=1):
    return SameConv(inputs, filters, kernel, stride, groups, bias=False)


class MeanOf(nn.Module):
    def __init__(self, *axes):
        super().__init__()
        self.axes = axes

    def forward(self, x):
        return x.mean(self.axes)


def class_of(channels):
    return nn.Sequential(MeanOf(2, 3), nn.Linear(channels, 10))


class UpConv(nn.Module):
    """Twice the extents, as Keras's padding "same" cuts them."""

    def __init__(self, inputs, filters, kernel):
        super().__init__()
        self.conv = nn.ConvTranspose2d(inputs, filters, kernel, 2, padding=0)
        self.cut = kernel - 2

    def forward(self, x):
        y = self.conv(x)
        return y[:, :, :-self.cut, :-self.cut] if self.cut else y


def conv_autoencoder():
    return nn.Sequential(conv(1, 32), nn.MaxPool2d(2), conv(32, 32), nn.MaxPool2d(2), UpConv(32, 32, 3), nn.ReLU(), UpConv(32, 32, 3), nn.ReLU(),
                         SameConv(32, 1))


def layer_norm(width):
    return nn.LayerNorm(width, eps=1e-3)


def dense_layernorm():
    return nn.Sequential(*(module for _ in range(5) for module in (nn.Linear(1024, 1024), layer_norm(1024), nn.GELU())), nn.Linear(1024, 10))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([twice(3, 16), twice(16, 32), twice(32, 64)])
        self.bottom = twice(64, 128)
        self.up = nn.ModuleList()
        for filters in (64, 32, 16):
            self.up.append(nn.ModuleList([UpConv(2 * filters, filters, 2), twice(2 * filters, filters)]))
        self.out = nn.Conv2d(16, 3, 1)

    def forward(self, x):
        across = []
        for block in self.down:
            across.append(block(x))
            x = functional.max_pool2d(across[-1], 2)
        x = self.bottom(x)
        for (up, block), side in zip(self.up, reversed(across)):
            x = block(torch.cat([up(x), side], 1))
        return self.out(x)


class Vae(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.mean, self.log_variance = nn.Linear(784, 400), nn.Linear(400, 20), nn.Linear(400, 20)
        self.back, self.out = nn.Linear(20, 400), nn.Linear(400, 784)

    def forward(self, x):
        hidden = functional.relu(self.hidden(x))
        mean, log_variance = self.mean(hidden), self.log_variance(hidden)
        divergence = (1 + log_variance - mean**2 - log_variance.exp()).sum(-1).mean() * (-0.5 / 784)
        code = mean + (0.5 * log_variance).exp() * torch.randn_like(mean) if self.training else mean
        return self.out(functional.relu(self.back(code))), divergence


class Positions(nn.Module):
    def __init__(self, steps):
        super().__init__()
        self.positions = nn.Parameter(torch.rand(steps, WIDTH) * 0.1 - 0.05)

    def forward(self, x):
        return x + self.positions


class SelfAttention(nn.Module):
    def __init__(self, causal=False):
        super().__init__()
        self.causal = causal
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, x):
        query, key, value = (dense(x).unflatten(-1, (HEADS, -1)).transpose(1, 2) for dense in (self.query, self.key, self.value))
        y = functional.scaled_dot_product_attention(query, key, value, is_causal=self.causal)
        return self.out(y.transpose(1, 2).flatten(2))


def pre_norm_block(hidden, causal=False):
    return nn.Sequential(Residual(layer_norm(WIDTH), SelfAttention(causal)),
                         Residual(layer_norm(WIDTH), nn.Linear(WIDTH, hidden), nn.GELU(), nn.Linear(hidden, WIDTH)))


def post_norm_block(hidden):
    return nn.Sequential(Residual(SelfAttention(), nn.Dropout(0.1)), layer_norm(WIDTH),
                         Residual(nn.Linear(WIDTH, hidden), nn.ReLU(), nn.Linear(hidden, WIDTH), nn.Dropout(0.1)), layer_norm(WIDTH))


def text_transformer():
    return nn.Sequential(nn.Embedding(20000, WIDTH), Positions(128), post_norm_block(512), post_norm_block(512), MeanOf(1), nn.Linear(WIDTH, 1))


class Patches(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, WIDTH, 4, 4)

    def forward(self, x):
        return self.conv(x).flatten(2).transpose(1, 2)


def vision_transformer():
    return nn.Sequential(Patches(), Positions(64), *(pre_norm_block(256) for _ in range(4)), layer_norm(WIDTH), MeanOf(1), nn.Linear(WIDTH, 10))


def char_gpt():
    return nn.Sequential(nn.Embedding(96, WIDTH), Positions(128), *(pre_norm_block(512, True) for _ in range(3)), layer_norm(WIDTH),
                         nn.Linear(WIDTH, 96))


class CausalConv(nn.Module):
    def __init__(self, dilation):
        super().__init__()
        self.conv, self.before = nn.Conv1d(64, 64, 3, dilation=dilation), 2 * dilation

    def forward(self, x):
        return functional.relu(self.conv(functional.pad(x, (self.before, 0))))


class ChannelsFirst(nn.Module):
    def forward(self, x):
        return x.transpose(1, 2)


def dilated_conv1d():
    return nn.Sequential(ChannelsFirst(), nn.Conv1d(8, 64, 1), *(Residual(CausalConv(2**power)) for power in range(7)), MeanOf(2), nn.Linear(64, 10))


def separable(inputs, filters, stride):
    return nn.Sequential(plain_conv(inputs, inputs, 3, stride, groups=inputs), norm_relu(inputs), plain_conv(inputs, filters, 1), norm_relu(filters))


def depthwise_cnn():
    return nn.Sequential(plain_conv(3, 32), norm_relu(32), separable(32, 64, 1), separable(64, 128, 2), separable(128, 128, 1),
                         separable(128, 256, 2), separable(256, 256, 1), class_of(256))


class ResidualBlock(nn.Module):
    def __init__(self, inputs, filters, stride):
        super().__init__()
        self.first = nn.Sequential(plain_conv(inputs, filters, 3, stride), norm_relu(filters))
        self.second = plain_conv(filters, filters)
        self.shortcut = nn.Identity() if inputs == filters else plain_conv(inputs, filters, 1, stride)
        self.norm = batch_norm(filters)

    def forward(self, x):
        return functional.relu(self.shortcut(x) + self.norm(self.second(self.first(x))))


def resnet20():
    blocks, inputs = [], 16
    for filters in (16, 32, 64):
        for _ in range(3):
            blocks.append(ResidualBlock(inputs, filters, 1 if inputs == filters else 2))
            inputs = filters
    return nn.Sequential(plain_conv(3, 16), norm_relu(16), *blocks, class_of(64))


class Excitation(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.weight = nn.Sequential(MeanOf(2, 3), nn.Linear(channels, channels // 8), nn.ReLU(), nn.Linear(channels // 8, channels), nn.Sigmoid())

    def forward(self, x):
        return x * self.weight(x)[:, :, None, None]


def squeeze_excitation_cnn():
    blocks, inputs = [], 3
    for filters in (32, 64, 128):
        blocks += [plain_conv(inputs, filters), norm_relu(filters), plain_conv(filters, filters), norm_relu(filters), Excitation(filters),
                   nn.MaxPool2d(2)]
        inputs = filters
    return nn.Sequential(*blocks, class_of(128))


class GruStack(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru, self.out = nn.GRU(32, 128, num_layers=3, batch_first=True), nn.Linear(128, 10)

    def forward(self, x):
        return self.out(self.gru(x)[0][:, -1])


def dense_stack(*widths):
    return nn.Sequential(*(module for pair in zip(widths, widths[1:]) for module in (nn.Linear(*pair), nn.ReLU())))


class Dlrm(nn.Module):
    def __init__(self):
        super().__init__()
        self.bottom = dense_stack(13, 64, 32)
        self.tables = nn.ModuleList([nn.Embedding(10000, 32) for _ in range(8)])
        self.top = nn.Sequential(dense_stack(32 + 81, 128, 64), nn.Linear(64, 1))

    def forward(self, facts, ids):
        bottom = self.bottom(facts)
        vectors = torch.stack([bottom, *(table(ids[:, column]) for column, table in enumerate(self.tables))], 1)
        products = vectors @ vectors.transpose(1, 2)
        return self.top(torch.cat([bottom, products.flatten(1)], 1))


class CriteoDlrm(nn.Module):
    """Facebook's DLRM, with tables whose gradients are sparse."""

    def __init__(self, name):
        super().__init__()
        tables = common.facts(name)["inputs"][1][1]
        self.bottom = dense_stack(13, 512, 256, 64, 16)
        self.tables = nn.ModuleList([nn.EmbeddingBag(rows, 16, mode="sum", sparse=True) for rows in tables])
        self.top = nn.Sequential(dense_stack(16 + len(tables) * (len(tables) + 1) // 2, 512, 256), nn.Linear(256, 1))
        self.register_buffer("below_diagonal", torch.tril_indices(len(tables) + 1, len(tables) + 1, -1), persistent=False)

    @torch.compiler.disable  # which knows no sparse gradients
    def rows(self, ids):
        return [table(ids[:, column:column + 1]) for column, table in enumerate(self.tables)]

    def forward(self, counts, ids):
        bottom = self.bottom(counts)
        vectors = torch.stack([bottom, *self.rows(ids)], 1)
        products = torch.bmm(vectors, vectors.transpose(1, 2))
        rows, columns = self.below_diagonal
        return self.top(torch.cat([bottom, products[:, rows, columns]], 1))


class WideDeep(nn.Module):
    def __init__(self):
        super().__init__()
        self.deep_table, self.wide_table = nn.Embedding(20000, 16), nn.Embedding(20000, 1)
        self.deep = dense_stack(168, 256, 128, 64)
        self.wide_out, self.deep_out = nn.Linear(18, 1), nn.Linear(64, 1)

    def forward(self, facts, ids):
        wide, deep = (torch.cat([table(ids).flatten(1), facts], 1) for table in (self.wide_table, self.deep_table))
        return self.wide_out(wide) + self.deep_out(self.deep(deep))


def make(name):
    makers = {"unet": UNet, "vae": Vae, "gru_stack": GruStack, "dlrm": Dlrm, "wide_deep": WideDeep}
    if name.startswith("criteo_dlrm"):
        return CriteoDlrm(name)
    return (makers.get(name) or globals()[name])()


def keras_weights(module):
    """(Keras's name, its shape, how a value of that shape gets in) of all weights inside, in Keras's order."""
    transposed = {nn.Linear: (1, 0), nn.Conv1d: (2, 1, 0), nn.Conv2d: (2, 3, 1, 0), nn.ConvTranspose2d: (2, 3, 1, 0)}
    if isinstance(module, nn.GRU):
        return [weight for layer in range(module.num_layers) for weight in gru_weights(module, layer)]
    if type(module) in transposed:
        order = transposed[type(module)]
        if isinstance(module, nn.Conv2d) and module.groups > 1:
            order = (2, 3, 0, 1)  # depthwise
        shape = tuple(module.weight.shape[axis] for axis in order)
        back = [order.index(axis) for axis in range(len(order))]
        kernel = ("kernel", shape, lambda value: module.weight.copy_(value.permute(back)))
        return [kernel] + ([plain("bias", module.bias)] if module.bias is not None else [])
    if isinstance(module, nn.BatchNorm2d):
        return [plain("gamma", module.weight), plain("beta", module.bias), plain("moving_mean", module.running_mean),
                plain("moving_variance", module.running_var)]
    if isinstance(module, nn.LayerNorm):
        return [plain("gamma", module.weight), plain("beta", module.bias)]
    own = [plain(name, parameter) for name, parameter in module.named_parameters(recurse=False)]
    return own + [weight for child in module.children() for weight in keras_weights(child)]


def plain(name, tensor):
    return name, tuple(tensor.shape), tensor.copy_


def gru_weights(module, layer):
    """Keras's gates are update, reset, candidate along columns; PyTorch's reset, update, candidate along rows."""

    def gates(name):
        target = getattr(module, f"{name}_l{layer}")

        def copy(value):
            update, reset, candidate = value.chunk(3)
            target.copy_(torch.cat([reset, update, candidate]))
        return target, copy

    def kernel(keras_name, name):
        target, copy = gates(name)
        return keras_name, (target.shape[1], target.shape[0]), lambda value: copy(value.T)

    def biases(value):
        for row, name in zip(value, ("bias_ih", "bias_hh")):
            gates(name)[1](row)

    return [kernel("kernel", "weight_ih"), kernel("recurrent_kernel", "weight_hh"), ("bias", (2, 3 * module.hidden_size), biases)]
