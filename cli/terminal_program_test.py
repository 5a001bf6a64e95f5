#!/usr/bin/env python3
"""Runs the program in terminals of 80, 60 and 40 columns: terminal_program_test.py PROGRAM. No line may be wider, except those of a path."""
import fcntl
import os
import re
import struct
import sys
import tempfile
import termios
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MODEL = os.path.join(ROOT, "tests/data/keras/dense.keras")
CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
PROGRAM = ""
# Commands that succeed, and those that a newcomer types wrong.
RIGHT = (["devices"], ["bench", "list"], ["cache"], ["explain", "iris_mlp"], ["explain", os.path.join(ROOT, "tests/programs/mlp_step.mlir")],
         ["explain", "iris_mlp", "--device", "sim:call_60ms,clock=virtual"], ["bench", "iris_mlp", "--seconds", "0.05", "--profile"],
         ["bench", "iris_fit_short", "--seconds", "0.05", "--device", "sim:call_60ms,clock=virtual"], ["model", MODEL, "summary"],
         ["model", MODEL, "weights"], ["model", MODEL, "check"], ["advise", "--help"], ["model", MODEL, "train", "--help"])
WRONG = (["nosuch"], ["bench", "iris_mlp", "--device", "gpu"], ["model", "no.keras", "summary"], ["compile", "iris_mlp"],
         ["model", MODEL, "train", "--epochs", "many"], ["explain", "iris_mlp", "--stage", "nosuch"])


def run(arguments, columns):
    """(exit code, output) in a terminal, or without one if `columns` is 0."""
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")} | {"TERM": "xterm"}
    if columns == 0:
        read_end, write_end = os.pipe()
        process = os.fork()
        if process == 0:
            os.dup2(write_end, 1)
            os.dup2(write_end, 2)
            os.execve(PROGRAM, [PROGRAM, *arguments], environment)
        os.close(write_end)
    else:
        main, terminal = os.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = os.fork()
        if process == 0:
            os.close(main)
            os.login_tty(terminal)
            os.execve(PROGRAM, [PROGRAM, *arguments], environment)
        os.close(terminal)
        read_end = main
    output = b""
    while True:
        try:
            part = os.read(read_end, 65536)
        except OSError:  # the terminal's last user is gone
            break
        if not part:
            break
        output += part
    os.close(read_end)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), output.decode()


def wide_lines(output, columns):
    lines = re.split(r"[\r\n]+", CONTROL.sub("", output))
    return [line for line in lines if len(line) > columns and "/" not in line.split()[-1]]


class TerminalTest(unittest.TestCase):
    def test_no_line_is_wider_than_the_terminal(self):
        for columns in (80, 60, 40):
            for arguments in (*RIGHT, *WRONG):
                with self.subTest(columns=columns, arguments=arguments):
                    code, output = run(arguments, columns)
                    self.assertEqual(code != 0, arguments in WRONG, output)
                    self.assertEqual(wide_lines(output, columns), [])

    def test_an_error_in_a_pipe_is_one_line(self):
        _, output = run(["bench", "iris_mlp", "--device", "gpu"], 0)
        self.assertRegex(output, r'^cornu: \[make_client\] no backend is called "gpu"; there are: .*; for a GPU write "pjrt:cuda"\n$')

    def test_training_shows_all_metrics_in_a_narrow_terminal(self):
        with tempfile.TemporaryDirectory() as folder:
            inputs, labels = os.path.join(folder, "x.csv"), os.path.join(folder, "y.csv")
            with open(inputs, "w", encoding="utf-8") as file:
                file.write("1,2,3,4,5,6\n" * 20)
            with open(labels, "w", encoding="utf-8") as file:
                file.write("1,0,0\n" * 20)
            train = ["model", MODEL, "train", "--inputs", inputs, "--labels", labels, "--epochs", "2", "--validation-split", "0.2", "--optimizer",
                     "sgd", "--loss", "mse", "--metrics", "mae,mse"]
            for columns in (80, 40):
                code, output = run(train, columns)
                self.assertEqual(code, 0, output)
                self.assertEqual(wide_lines(output, columns - 1), [])
                for name in ("loss", "mae", "mse", "val_loss", "val_mae", "val_mse"):
                    self.assertIn(f"{name}: ", output)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
