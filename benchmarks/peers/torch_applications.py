"""ResNet50 and EfficientNetB0 of keras.applications in PyTorch: make(name) gives a module that takes pictures channels first and gives logits."""
import torch
from torch import nn
from torch.nn import functional


def norm(channels, eps):
    return nn.BatchNorm2d(channels, eps=eps, momentum=0.01)


class Bottleneck(nn.Module):
    """1 x 1, 3 x 3 and 1 x 1, the strides in the first, as Keras has them."""

    def __init__(self, inputs, filters, stride, is_first):
        super().__init__()

        def conv_norm(before, after, kernel=1, step=1):
            return nn.Sequential(nn.Conv2d(before, after, kernel, step, kernel // 2), norm(after, 1.001e-5))

        self.shortcut = conv_norm(inputs, 4 * filters, 1, stride) if is_first else nn.Identity()
        self.inner = nn.Sequential(conv_norm(inputs, filters, 1, stride), nn.ReLU(), conv_norm(filters, filters, 3), nn.ReLU(),
                                   conv_norm(filters, 4 * filters))

    def forward(self, x):
        return functional.relu(self.shortcut(x) + self.inner(x))


def resnet50():
    parts, inputs = [nn.Conv2d(3, 64, 7, 2, 3), norm(64, 1.001e-5), nn.ReLU(), nn.MaxPool2d(3, 2, 1)], 64
    for stage, (filters, blocks) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3))):
        for block in range(blocks):
            parts.append(Bottleneck(inputs, filters, 2 if stage > 0 and block == 0 else 1, block == 0))
            inputs = 4 * filters
    return nn.Sequential(*parts, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000))


class StrideConv(nn.Module):
    """Without bias; with strides the odd element of the padding is behind."""

    def __init__(self, inputs, filters, kernel=1, stride=1, groups=1):
        super().__init__()
        edge = kernel // 2
        self.pads = (edge - 1, edge, edge - 1, edge) if stride == 2 else None
        self.conv = nn.Conv2d(inputs, filters, kernel, stride, 0 if self.pads else edge, groups=groups, bias=False)

    def forward(self, x):
        return self.conv(functional.pad(x, self.pads) if self.pads else x)


def norm_silu(channels):
    return nn.Sequential(norm(channels, 1e-3), nn.SiLU())


class SqueezeExcite(nn.Module):
    def __init__(self, channels, squeezed):
        super().__init__()
        self.weight = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(channels, squeezed, 1), nn.SiLU(), nn.Conv2d(squeezed, channels, 1), nn.Sigmoid())

    def forward(self, x):
        return x * self.weight(x)


class EfficientBlock(nn.Module):
    def __init__(self, inputs, outputs, kernel, expansion, stride, drop):
        super().__init__()
        wide = inputs * expansion
        parts = [StrideConv(inputs, wide), norm_silu(wide)] if expansion > 1 else []
        self.inner = nn.Sequential(*parts, StrideConv(wide, wide, kernel, stride, wide), norm_silu(wide), SqueezeExcite(wide, inputs // 4),
                                   StrideConv(wide, outputs), norm(outputs, 1e-3))
        self.adds, self.drop = stride == 1 and inputs == outputs, drop

    def forward(self, x):
        y = self.inner(x)
        if not self.adds:
            return y
        if self.training:
            kept = torch.rand((x.shape[0], 1, 1, 1)) >= self.drop
            y = y * (kept / (1 - self.drop))
        return x + y


STAGES = ((3, 1, 16, 1, 1), (3, 2, 24, 6, 2), (5, 2, 40, 6, 2), (3, 3, 80, 6, 2), (5, 3, 112, 6, 1), (5, 4, 192, 6, 2), (3, 1, 320, 6, 1))


class Scaled(nn.Module):
    def forward(self, x):
        return x / 255


def efficientnetb0():
    parts, inputs, index = [Scaled(), StrideConv(3, 32, 3, 2), norm_silu(32)], 32, 0
    for kernel, blocks, filters, expansion, stride in STAGES:
        for block in range(blocks):
            parts.append(EfficientBlock(inputs, filters, kernel, expansion, stride if block == 0 else 1, 0.2 * index / 16))
            inputs, index = filters, index + 1
    return nn.Sequential(*parts, StrideConv(320, 1280), norm_silu(1280), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.2), nn.Linear(1280, 1000))


def make(name):
    return globals()[name]()
