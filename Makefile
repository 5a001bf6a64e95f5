# The short way to everything; CMakePresets.json is the long one.
BUILD := build/release
PREFIX ?= /usr/local
SOURCES = git ls-files --cached --others --exclude-standard '*.h' '*.cc' '*.cpp'

.PHONY: help deps deps-full configure build demo test test-isa test-qemu check full sanitizers oracles fuzz coverage bench docs docs-browser docs-test documents format format-check tidy install clean

help:
	@echo "make demo     install what is missing, build, train the Iris model"
	@echo "make test     install what is missing, build, run the smoke and unit tests"
	@echo "make deps     only install what is missing (Debian 12)"
	@echo "make build    only build"
	@echo "make bench    Cornu's figures on this machine"
	@echo "make documents  the programs of the four documents: docs/documents.md, build/documents/documents.html"
	@echo "make test-isa   tests of the engine and of Keras with the instructions of older CPUs"
	@echo "make test-qemu  tests on emulated CPUs without AVX and without AVX-512"
	@echo "make full     test, oracles, sanitizers, second compiler, clang-tidy, format (long)"
	@echo "make coverage [TESTS='base ir']  which lines the tests run, by folder"
	@echo "make docs     the documentation site, build/docs/html/index.html;  make docs-test: reads it in a browser"
	@echo "make format   clang-format over the tree;  make tidy: clang-tidy over the tree"
	@echo "make install PREFIX=/usr/local;  make clean"

deps:
	@tools/install_deps.sh

deps-full: deps
	@tools/install_deps.sh debian-packages-full.txt

configure: deps
	@cmake --preset release >/dev/null

build: configure
	@cmake --build $(BUILD)

demo: configure
	@cmake --build $(BUILD) --target example_01_iris
	@$(BUILD)/bin/example_01_iris

test: build
	@tools/run_tests.sh $(BUILD) 'smoke|unit'

# What depends on the instruction set level, at the levels below the best; CORNU_ISA is an upper limit.
test-isa: build
	@for level in avx2 sse2; do echo "== CORNU_ISA=$$level"; CORNU_ISA=$$level ctest --test-dir $(BUILD) --output-on-failure \
	  -R '^(backends_cpu|backend_conformance|tensor|training|keras|cli|cli_program)$$' || exit 1; done

test-qemu: deps-full build
	@tools/qemu_test.sh $(BUILD)

check: deps
	@python3 tools/check_layers.py .
	@python3 tools/check_layers_test.py
	@python3 tools/check_complexity.py .
	@python3 tools/check_complexity_test.py
	@python3 tools/check_headers.py .
	@python3 tools/check_headers_test.py
	@python3 tools/check_includes.py .
	@python3 tools/check_includes_test.py
	@python3 tools/workflow_test.py
	@python3 tools/check_functions.py .
	@python3 tools/check_functions_test.py
	@python3 tools/check_prose.py .
	@python3 tools/check_prose_test.py
	@python3 tools/make_options.py . --check
	@python3 tools/make_options_test.py
	@python3 tools/make_functions.py . --check
	@python3 tools/make_functions_test.py
	@python3 tools/keras_form_rows.py . --check
	@python3 tools/keras_form_rows_test.py
	@python3 tools/classes_page.py . --check
	@python3 tools/names_page.py . --check
	@python3 tools/adr_index.py . --check
	@python3 tools/adr_index_test.py

full: deps-full docs-browser check format-check test test-isa test-qemu oracles sanitizers fuzz tidy
	@cmake --preset clang >/dev/null && cmake --build build/clang && ctest --preset clang
	@echo "full: everything passed"

oracles: build
	@tools/oracles/make_venv.sh
	@tools/run_tests.sh $(BUILD) full

sanitizers: deps
	@cmake --preset asan >/dev/null && cmake --build build/asan && ctest --preset asan
	@cmake --preset tsan >/dev/null && cmake --build build/tsan && ctest --preset tsan

fuzz: deps-full
	@tools/fuzz.sh

coverage: deps-full
	@tools/coverage.sh $(TESTS)

bench: configure
	@cmake --build $(BUILD) --target cornu
	@$(BUILD)/bin/cornu bench limit
	@export CORNU_CACHE_DIR=off; for workload in iris_mlp mnist_mlp; do for steps in 1 50; do \
	  $(BUILD)/bin/cornu bench $$workload --steps-per-execution $$steps || exit 1; done; done

docs:
	@tools/install_deps.sh docs/debian-packages.txt
	@tools/docs/make_venv.sh $(CURDIR)/build/docs/venv requirements.txt
	@tools/docs/build.sh build/docs

# What the test `docs_site` needs.
docs-browser:
	@tools/install_deps.sh docs/debian-packages.txt docs/debian-packages-browser.txt
	@tools/docs/make_venv.sh $(CURDIR)/build/docs/venv requirements.txt browser_requirements.txt

docs-test: docs-browser
	@tools/docs/test_site.sh build/docs

# Long programs, about four minutes; on the CPU in small sizes, which the page states.
documents: configure
	@cmake --build $(BUILD) --target cornu cornu_remote_module documents_programs
	@python3 tools/documents/make_documents.py --build $(BUILD)

format:
	@$(SOURCES) | xargs clang-format-19 -i

format-check:
	@$(SOURCES) | xargs clang-format-19 --dry-run -Werror

tidy: deps-full
	@tools/tidy.sh

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	@rm -rf build
