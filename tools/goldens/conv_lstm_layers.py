"""Convolutional LSTMs of one, two and three spatial axes: as rnn_layers.py, by every option of the convolutions and of the sequence."""

import numpy as np

import rnn_layers
from golden import write
from rnn_layers import layer, normal

FIRST = {"data_format": "channels_first"}


def main():
    rnn_layers.random = np.random.default_rng(61)
    rows, image, volume = normal(2, 3, 5, 2), normal(2, 3, 4, 5, 2), normal(1, 2, 3, 4, 3, 2)
    case = rnn_layers.case
    state = [normal(2, 4, 5, 2), normal(2, 4, 5, 2)]
    cases = [
        case(layer("ConvLSTM1D", filters=2, kernel_size=3), rows),
        case(layer("ConvLSTM1D", filters=3, kernel_size=2, padding="same", return_sequences=True, go_backwards=True, use_bias=False), rows),
        case(layer("ConvLSTM1D", filters=2, kernel_size=[3], dilation_rate=2, unit_forget_bias=False, unroll=True), rows),
        case(layer("ConvLSTM2D", filters=2, kernel_size=3, padding="same", return_sequences=True, return_state=True), image),
        case(layer("ConvLSTM2D", filters=2, kernel_size=[2, 3], strides=2, padding="same", return_state=True), image),
        case(layer("ConvLSTM2D", filters=2, kernel_size=2, activation="relu", recurrent_activation="hard_sigmoid"), image),
        case(layer("ConvLSTM2D", filters=2, kernel_size=2, return_sequences=True, **FIRST), normal(2, 3, 2, 4, 3)),
        case(layer("ConvLSTM2D", filters=2, kernel_size=3, padding="same", return_state=True), image, state),
        case(layer("ConvLSTM2D", filters=2, kernel_size=2, stateful=True, return_state=True), image, calls=3),
        case(layer("ConvLSTM2D", filters=1, kernel_size=2, kernel_regularizer="l2", recurrent_regularizer="l1", bias_regularizer="l2",
                   activity_regularizer="l2"), image),
        case(layer("ConvLSTM3D", filters=2, kernel_size=2, return_sequences=True), volume, train=False),
        case(layer("ConvLSTM3D", filters=1, kernel_size=[1, 2, 3], padding="same", **FIRST), normal(1, 2, 2, 2, 3, 3), train=False),
    ]
    write("conv_lstm_layers", {"cases": cases})
