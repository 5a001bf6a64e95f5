#!/usr/bin/env python3
"""Tests of declared_paths.py and of the comparison of whole paths in names_page.py."""

import pathlib
import tempfile
import unittest

from declared_paths import declared_paths
from names_page import Declarations

HEADER = """
#pragma once
// class Comment {
namespace cornu::inline v0::keras {
namespace datasets {
namespace mnist {
std::pair<Data, Data> load_data(const Options& options = {});
}  // namespace mnist
}  // namespace datasets
template <typename T>
class [[nodiscard]] Handle : public Base<T> {
 public:
  using Value = T;
  void call(int x) const { helper(x); if (x > 0) { other(x); } }
  const char* text = "} class Text {";
};
using detail::shared;
extern std::atomic<int> count;
}  // namespace cornu::inline v0::keras
"""


class DeclaredPathsTest(unittest.TestCase):
    def test_namespaces_and_classes_are_part_of_a_path(self):
        paths = declared_paths(HEADER)
        for name in ("datasets::mnist::load_data", "Handle", "Handle::Value", "Handle::call", "shared", "count"):
            self.assertIn(f"cornu::keras::{name}", paths)

    def test_bodies_comments_and_texts_declare_nothing(self):
        last = {path.rpartition("::")[2] for path in declared_paths(HEADER)}
        self.assertFalse(last & {"helper", "other", "Comment", "Text"})

    def test_a_name_of_one_module_does_not_hide_a_missing_one_of_another(self):
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder) / "cornu/keras/datasets/datasets.h"
            header.parent.mkdir(parents=True)
            header.write_text(HEADER)
            version = pathlib.Path(folder) / "cmake/version.h.in"
            version.parent.mkdir()
            version.write_text("")
            declarations = Declarations(pathlib.Path(folder))
        self.assertTrue(declarations.has_name("datasets.mnist.load_data"))
        self.assertFalse(declarations.has_name("datasets.cifar10.load_data"))


if __name__ == "__main__":
    unittest.main()
