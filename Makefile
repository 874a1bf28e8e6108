# Everything a user or contributor runs. `make demo` and `make test` start from a bare Debian 12.
BUILD := build
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
# Options of `make bench`; --help lists them.
BENCH ?=

.PHONY: demo test deps build test-asan test-tsan bench fuzz check format install clean help

demo: build
	$(BUILD)/release/bin/assay demo
	@scripts/profile_demo $(BUILD)/release/bin/assay $(BUILD)/demo

test: demo
	ctest --preset release -j $(JOBS)

help:
	@echo 'make demo       install packages, build, run sample kernels, record and explain a program'
	@echo 'make test       the same, then all tests'
	@echo 'make check      format, clang-tidy, layers and other rules of the source'
	@echo 'make format     rewrite the sources in the project format'
	@echo 'make test-asan  all tests with AddressSanitizer and UndefinedBehaviorSanitizer'
	@echo 'make test-tsan  all tests with ThreadSanitizer'
	@echo 'make bench      assay beside PoCL and OpenBLAS, which it installs; BENCH=--json …'
	@echo 'make fuzz       each fuzz target for FUZZ_SECONDS (now $(FUZZ_SECONDS))'
	@echo 'make install    build and install to PREFIX (now $(PREFIX))'

deps:
	@scripts/deps

build: deps
	@scripts/build release -j $(JOBS)

test-asan: deps
	@scripts/build asan -j $(JOBS)
	ctest --preset asan -j $(JOBS)

test-tsan: deps
	@scripts/build tsan -j $(JOBS)
	ctest --preset tsan -j $(JOBS)

bench:
	@scripts/deps --bench
	@scripts/build release -j $(JOBS) --configure -DASSAY_BENCH=ON
	@scripts/bench $(BUILD)/release/bin $(BENCH)

fuzz: deps
	@scripts/build fuzz -j $(JOBS) --target fuzz_targets
	@scripts/fuzz $(BUILD)/fuzz $(FUZZ_SECONDS)

check: build
	@scripts/deps --bench
	@scripts/check

format: deps
	@scripts/check --fix-format

install: build
	cmake --install $(BUILD)/release --prefix $(PREFIX)

clean:
	rm -rf $(BUILD)
