# make demo        build, then a tour of every command on a database in a temporary directory
# make serve       build the server, and serve the sample articles on this machine until Ctrl-C (PORT)
# make test        run every test, and print what fails
# make test-postgresql  run the tests that need a PostgreSQL server, with a server of their own
# make build       build the release binary, with the Swift runtime and the libraries that exist as archives linked statically
# make install     install both binaries, the manual pages, the completions, the units and the notices (PREFIX, DESTDIR)
# make sbom        list the linked components, in CycloneDX, into .build/articlesctl.cdx.json and .build/articlesd.cdx.json
# make deb         build the Debian packages articlesctl and articlesctl-server into .build/
# make deb-check   build them, install them, use them and remove them; as root
# make proxy-check test the server behind nginx and Caddy, with the configuration of Examples/proxies; as root
# make cluster-check  test two servers behind nginx on a primary and a standby, with the configuration of Examples/cluster,
#                  and the upgrade from another revision (REV)
# make cluster-torture  test three database nodes and two servers with kills, freezes, cuts, and full disks (TORTURE); as root
# make lint        check the formatting and the wording of comments
# make format      repair the formatting
# make coverage    run every test and print the lines covered
# make bench       measure in five minutes, beside the same work in C and other programs
# make bench-full  measure commands, reading, and searches with up to a million articles; takes hours
# make bench-compare  measure beside another revision, and fail if a row is 10 % slower (REV)
# make bench-formats  measure how fast each format is read (POSTS, MEGABYTES)
# make server-bench  measure the server, route by route and in a mix, against the same work in C (SERVER_BENCH)
# make bench-postgresql  measure a library on a PostgreSQL server beside one in a file (POSTGRESQL_BENCH)
# make server-mix  send a short mix of requests on 200 connections; fail if a mark, a request, or memory is lost
# make fuzz        take a million random steps through the application and each parser (FUZZ_STEPS, FUZZ_SEED)
# make api-check   check the API of the server against its own description (API_CHECK, such as --max-examples 500)
# make newsboat    read, mark, and star with newsboat on the server
# make offline-reader  read and star with the reader in Examples while the server is stopped, and sync
# make web-check   use the server's pages in Chromium like a reader (WEB_CHECK, such as --screenshots FOLDER)
# make screenshots make the pictures in docs/images, and check the layout of lists and articles in Chromium
# make torture     test the release binary with kills, missing resources, many processes, and damage (TORTURE, such as --short)
# make server-torture  test the release server with malformed requests, many clients, kills, and stops (TORTURE)
# make fetch-torture   test fetching with all kinds of servers, kills, random changes, and 10,000 sources (TORTURE)
# make sanitize    run the modules' tests with AddressSanitizer and ThreadSanitizer, and the server under load with the latter
# make embedding   build and run the packages in Examples, which use the modules
# make embedding-races  run them with ThreadSanitizer
# make docs        build the documentation of the modules into docs-site/
# make docs-tables write the tables of docs/ that are generated from the code
# make golden      record the golden files in Tests/Golden from the programs' output
# make docs-serve  build it, serve it on this machine, and print the address (PORT)
# make docs-check  build it, and open it in a browser
# make clean       remove the build products

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
BUILD_FLAGS ?=

packages = libsqlite3-dev libsodium-dev libzxcvbn-dev libmd-dev libqrencode-dev libutf8proc-dev libstemmer-dev libyaml-dev libtomlplusplus-dev libmd4c-dev \
    libexpat1-dev libgumbo-dev libmicrohttpd-dev libpq-dev libcurl4-openssl-dev libpcre2-dev zlib1g-dev binutils
test_packages = sqlite3 openssl curl tmux less zsh fish mandoc procps strace
postgresql_packages = postgresql openssl
# The tests of the client run alone, because some of them wait for a limit of time. Then run the tests of the stores, the suites
# that run on each engine, whose files have the names of the suites, and the suites of the layers above. The fuzzers have
# their own store.
postgresql_client_tests = ^PostgreSQLTests
engine_suites = $(shell grep -rl 'StoreEngine\.allCases' Tests | sed 's|.*/\(.*\)\.swift|\1|' | sort | paste -sd '|')
front_suites = (FlowCoordinators|WebFront|WebAPI|GoogleReader|ArticlesClient)Tests\.|ServerTests\.EnumerationTests
postgresql_tests = PostgreSQL|\.($(engine_suites))/|^($(front_suites))
postgresql_others = $(postgresql_client_tests)|FuzzTests
docs_packages = python3
api_packages = python3 python3-venv curl
newsboat_packages = python3 newsboat tmux
web_packages = python3 python3-venv chromium chromium-driver
deb_packages = dpkg-dev python3
browser_packages = chromium
server_bench_packages = python3 python3-venv wrk libmicrohttpd-dev
bench_packages = $(server_bench_packages) $(postgresql_packages) sqlite3 sqlite-utils newsboat sfeed \
    tt-rss php-cgi php-cli php-pgsql dbconfig-no-thanks
proxy_packages = python3 openssl curl nginx-light caddy
fetch_packages = python3 openssl gcc libc6-dev
cluster_packages = python3 openssl nginx-light postgresql procps
failover_packages = $(cluster_packages) patroni python3-etcd etcd-server iproute2
swift_sources = Package.swift Sources Tests Plugins migrations Benchmarks Examples
# Loading a shared library takes a short command longer than most of its work. So the release binary contains the
# libraries that exist as archives: the linker takes them because a folder with only archives is searched first. The
# command loads the others from the system when it first needs them; they are never looked for next to the binary. For
# the same reason the binary does not export its symbols, although Swift's static libraries ask for it, and its
# relocations are packed.
archives = .build/archives
archived = sqlite3 sodium md yaml expat utf8proc gumbo stdc++
startup = -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
# The linker's map of each binary: .build/articlesctl.map.
link_map = .build/$(1).map
# The C code checks its stack (and its bounds: Package.swift). All addresses are resolved at the start and are read-only
# afterwards.
hardening = -Xcc -fstack-protector-strong -Xcxx -fstack-protector-strong \
    -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
# Generic code of one module is specialized for the types of another, such as the navigator for the application's
# routes. A folder of its own lets this build run beside that of the tests.
release_flags = -c release --scratch-path .build/programs --static-swift-stdlib --disable-local-rpath -Xswiftc -cross-module-optimization \
    -Xlinker -L$(archives) -Xlinker -Map=.build/link.map $(startup) $(hardening) $(BUILD_FLAGS)
objects = $(CURDIR)/.build/programs/release
# The binary without symbols, which are in articlesctl.debug next to it.
binary = $(objects)/stripped/articlesctl
server = $(objects)/stripped/articlesd
notices = .build/$(1).notices
keep_map = if grep -q '/$(1)\.build/' .build/link.map 2>/dev/null; then mv .build/link.map $(link_map); fi
components = Scripts/components $(1) "$(2)" $(call link_map,$(notdir $(2))) "$(objects)"
settings = SWIFT="$(SWIFT)" BUILD_FLAGS="$(BUILD_FLAGS)"

.PHONY: help test-postgresql server-mix api-check newsboat offline-reader web-check screenshots demo serve test build build-server install notices sbom deb deb-check lint format coverage bench bench-full bench-compare bench-formats bench-postgresql server-bench fuzz torture fetch-torture server-torture sanitize \
    embedding embedding-races docs docs-tables golden docs-serve docs-check clean \
    proxy-check cluster-check cluster-torture archives packages test-packages

help:
	@sed -n '/^$$/q; s/^# //p' Makefile

demo: build
	@Scripts/demo "$(binary)"

serve: build build-server
	@Scripts/serve "$(binary)" "$(server)" $(PORT)

test: packages test-packages
	$(SWIFT) build --build-tests $(BUILD_FLAGS)
	$(SWIFT) test --skip-build --parallel --quiet $(BUILD_FLAGS) $(TEST_FLAGS)

test-postgresql: packages
	@Scripts/require $(postgresql_packages)
	$(SWIFT) build --build-tests $(BUILD_FLAGS)
	Scripts/with-postgresql $(SWIFT) test --skip-build --quiet --filter '$(postgresql_client_tests)' $(BUILD_FLAGS)
	Scripts/with-postgresql $(SWIFT) test --skip-build --quiet --filter '$(postgresql_tests)' \
	    --skip '$(postgresql_others)' $(BUILD_FLAGS)

build: archives
	$(SWIFT) build --product articlesctl $(release_flags)
	@# The tool that embeds the migrations is linked with the same flags, and before the binary.
	@$(call keep_map,articlesctl)
	@Scripts/strip "$(objects)/articlesctl" "$(binary)"
	@Scripts/check-binary "$(binary)"

build-server: archives
	$(SWIFT) build --product articlesd $(release_flags)
	@$(call keep_map,articlesd)
	@Scripts/strip "$(objects)/articlesd" "$(server)"
	@Scripts/check-binary "$(server)"

archives: packages
	@mkdir -p $(archives)
	@rm -f $(filter-out $(archived:%=$(archives)/lib%.a),$(wildcard $(archives)/*.a))
	@for name in $(archived); do \
	    archive=$$($(CC) -print-file-name=lib$$name.a); \
	    if [ -e "$$archive" ]; then ln -sf "$$archive" $(archives)/; fi; \
	done

install: notices
	@Scripts/install "$(binary)" $(call notices,articlesctl) "$(DESTDIR)" "$(PREFIX)"
	@Scripts/install "$(server)" $(call notices,articlesd) "$(DESTDIR)" "$(PREFIX)"

notices: build build-server
	@Scripts/require $(deb_packages)
	@$(call components,notices,$(binary)) >$(call notices,articlesctl)
	@$(call components,notices,$(server)) >$(call notices,articlesd)

sbom: build build-server
	@Scripts/require $(deb_packages)
	@$(call components,sbom,$(binary)) >.build/articlesctl.cdx.json
	@$(call components,sbom,$(server)) >.build/articlesd.cdx.json
	@echo .build/articlesctl.cdx.json .build/articlesd.cdx.json

deb: notices
	@Scripts/deb "$(binary)" $(call notices,articlesctl) .build
	@Scripts/deb "$(server)" $(call notices,articlesd) .build

deb-check: deb
	@Scripts/require curl openssl systemd
	@Scripts/deb-check .build/articlesctl_"$$($(binary) --version)"-1_*.deb \
	    .build/articlesctl-server_"$$($(server) --version)"-1_*.deb

proxy-check: build build-server
	@Scripts/require $(proxy_packages)
	@Scripts/proxy-check "$(binary)" "$(server)"

cluster-check: build build-server
	@Scripts/require $(cluster_packages)
	@$(if $(REV),old=$$(Scripts/build-revision "$(REV)") &&) Scripts/cluster-check "$(binary)" "$(server)" $(if $(REV),--from "$$old")

cluster-torture: build build-server
	@Scripts/require $(failover_packages)
	@Scripts/cluster-torture "$(binary)" "$(server)" $(TORTURE)

lint:
	$(SWIFT) format lint --strict --recursive --parallel $(swift_sources)
	@Scripts/plain-english

format:
	$(SWIFT) format --in-place --recursive --parallel $(swift_sources)

coverage: packages test-packages
	$(SWIFT) test --enable-code-coverage --quiet $(BUILD_FLAGS)
	@Scripts/coverage "$$($(SWIFT) test --show-codecov-path $(BUILD_FLAGS))"

bench: build build-server
	@Scripts/require $(bench_packages)
	$(MAKE) -C Benchmarks BINARY="$(binary)" SERVER="$(server)" PICTURE="$(CURDIR)/docs/images/performance.svg" \
	    JSON="$(CURDIR)/.build/benchmarks/bench.json"

bench-full: build build-server
	@Scripts/require $(bench_packages)
	$(MAKE) -C Benchmarks commands server search marking BINARY="$(binary)" SERVER="$(server)" COUNT=1000000 \
	    ARTICLES="10000 100000 1000000"

bench-compare: build build-server
	@Scripts/require $(bench_packages)
	@Scripts/bench-compare "$(REV)" "$(binary)" "$(server)"

bench-formats: build
	$(MAKE) -C Benchmarks formats BINARY="$(binary)"

server-bench: build build-server
	@Scripts/require $(server_bench_packages)
	$(MAKE) -C Benchmarks server BINARY="$(binary)" SERVER="$(server)" SERVER_BENCH="$(SERVER_BENCH)"

bench-postgresql: build build-server
	@Scripts/require $(postgresql_packages) python3 wrk
	$(MAKE) -C Benchmarks postgresql BINARY="$(binary)" SERVER="$(server)" POSTGRESQL_BENCH="$(POSTGRESQL_BENCH)"

# The comparison with C exists only for routes, so it is not used here.
server-mix: build build-server
	@Scripts/require python3 wrk
	@python3 Benchmarks/server.py "$(binary)" "$(server)" none --part mix --articles 5000 --mix-seconds 10 --connections 200

fuzz: packages
	@FUZZ_STEPS=$${FUZZ_STEPS:-1000000} $(settings) Scripts/fuzz

api-check: build build-server
	@Scripts/require $(api_packages)
	@Scripts/api-check "$(binary)" "$(server)" $(API_CHECK)

newsboat: build build-server
	@Scripts/require $(newsboat_packages)
	@Scripts/newsboat "$(binary)" "$(server)"

offline-reader: build build-server
	@Scripts/require curl
	@$(settings) Scripts/offline-reader "$(binary)" "$(server)"

web-check: build build-server
	@Scripts/require $(web_packages)
	@[ -x .build/web-check/bin/python ] || python3 -m venv .build/web-check
	@.build/web-check/bin/pip install --quiet --disable-pip-version-check 'selenium==4.36.0'
	@.build/web-check/bin/pip install --quiet --disable-pip-version-check --no-deps 'axe-playwright-python==0.1.8'
	@.build/web-check/bin/python Scripts/web-check "$(binary)" "$(server)" $(WEB_CHECK)

screenshots:
	@$(MAKE) web-check WEB_CHECK="--pictures docs/images"

torture: build test-packages
	@Scripts/require python3
	@Scripts/torture "$(binary)" $(TORTURE)

fetch-torture: build
	@Scripts/require $(fetch_packages) $(if $(findstring --short,$(TORTURE)),,newsboat sfeed curl)
	@Scripts/fetch-torture "$(binary)" $(TORTURE)

server-torture: build build-server
	@Scripts/require python3
	@Scripts/server-torture "$(binary)" "$(server)" $(TORTURE)

sanitize: packages test-packages
	@Scripts/require python3
	@$(settings) Scripts/sanitize

embedding: packages test-packages
	@$(settings) Scripts/embedding

embedding-races: packages test-packages
	@Scripts/require python3
	@$(settings) Scripts/embedding --races

docs: packages
	@Scripts/require $(docs_packages)
	@$(settings) Scripts/docs

# Run the tests one after another, because two tables may be on the same page.
docs-tables: packages
	UPDATE_DOCS=1 $(SWIFT) test --no-parallel --quiet --filter DocumentationTests $(BUILD_FLAGS)

golden: packages
	UPDATE_GOLDEN=1 $(SWIFT) test --quiet --filter "CommandLineTests.GoldenTests|GraphTests" $(BUILD_FLAGS)

docs-serve: docs
	@Scripts/docs-serve

docs-check: docs
	@Scripts/require $(browser_packages)
	@Scripts/docs-check

clean:
	rm -rf .build docs-site Examples/*/.build
	$(MAKE) -C Benchmarks clean

# The Debian packages of the C libraries, and of the programs that the tests run.
packages:
	@Scripts/require $(packages)

test-packages:
	@Scripts/require $(test_packages)
