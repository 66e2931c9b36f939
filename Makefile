# `make` or `make test` is what CI runs. `make help` lists the rest.

FUZZTIME ?= 60s
CHAOSTIME ?= 10m
# Packages at once, two for each processor, since tests wait more than they work; those of one run beside each other, and the widget's beside them.
PACKAGES ?= $(shell expr 2 '*' $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))
# As what is released: without C, whose compiler may be missing when the first package is built and be there for the next.
CGO_ENABLED ?= 0
export CGO_ENABLED
# CI compiles everything, and nobody debugs there: without what debuggers read that takes an eighth less. In the environment, so
# that the programs that tests build come from the same results.
ifeq ($(if $(CI),$(MAKELEVEL)),0)
export GOFLAGS := $(GOFLAGS) -gcflags=all=-dwarf=false
endif
# In this order: what takes longest does not come last.
LONGEST = ./interop/serve ./interop/campaign ./gateway ./interop/gateway ./interop/apps ./cmd/parley/internal/server ./slackapp ./interop/stores ./a2a ./a2a/remote ./interop/inspector ./notify ./cmd/parley ./interop/... ./cmd/...
# Without vet, which runs before them and with more checks, and without what debuggers read: a third of the linking.
GOTEST   ?= go test -p $(PACKAGES) -vet=off -ldflags=-w -shuffle=on -timeout 30m

.DEFAULT_GOAL := test
.NOTPARALLEL:
.PHONY: test ready build check-fmt fmt vet every-test go-test race install-servers install-npm widget widget-check widget-test bench load fuzz mutate chaos nightly ship-check image upgrade help

test: ## install servers, a browser and npm packages, check the format, vet, run every test
	@start=$$(date +%s); rc=0; \
	$(MAKE) --no-print-directory ready every-test || rc=$$?; \
	echo "make test: $$([ $$rc = 0 ] && echo passed || echo FAILED) after $$(($$(date +%s) - start)) s"; \
	exit $$rc

# What is installed is fetched most of the time, which leaves the processors to the checks.
ready: ## install what the tests need and, meanwhile, check the format and vet
	@installing=; trap 'kill $$installing 2>/dev/null; exit 1' HUP INT TERM; \
	$(MAKE) --no-print-directory install-servers install-npm & installing=$$!; \
	rc=0; $(MAKE) --no-print-directory check-fmt vet || rc=$$?; \
	wait $$installing || rc=$$?; exit $$rc

build: ## the program as it is released: without symbols and paths of this machine
	@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o parley ./cmd/parley

ship-check: ## what is shipped: the image, the Helm chart and compose.yaml by their own libraries, two builds byte for byte (deploy/ship)
	@echo "==> deploy/ship"
	@cd deploy/ship && go vet ./... && go test -timeout 60m ./...

image: ## an image for this machine's kind of processor, without a daemon: dist/image.tar
	@mkdir -p dist && GOOS=linux CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o dist/parley_linux ./cmd/parley
	@go -C deploy/ship run ./image -o ../../dist/image.tar ../../dist/parley_linux

install-servers: ## install Redis, PostgreSQL and Chromium (Debian, as root)
	@echo "==> servers and a browser for the tests"
	@scripts/install-servers

install-npm: ## install the npm packages of interop/ (needs Node 20 or newer)
	@echo "==> npm packages for the tests"
	@scripts/install-npm

# Directories that hold other people's code are left out.
GOFILES = find . \( -name vendor -o -name node_modules -o -name .git \) -prune -o -name '*.go' -print0

check-fmt: ## list the files that gofmt would change
	@echo "==> gofmt"
	@files=$$($(GOFILES) | xargs -0 gofmt -l) || exit 1; \
	[ -z "$$files" ] || { echo "not formatted (make fmt):"; echo "$$files"; exit 1; }

fmt: ## format all Go files
	@echo "==> gofmt -w"
	@$(GOFILES) | xargs -0 gofmt -l -w

vet: ## go vet with staticcheck's checks beside its own (tools/vet)
	@echo "==> go vet, staticcheck"
	@dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && go -C tools build -o "$$dir/vet" ./vet && go vet -vettool="$$dir/vet" ./...

every-test: ## the tests of Go and, beside them, those of the widget, whose output comes last
	@log=$$(mktemp); widget=; \
	trap 'rm -f "$$log"' EXIT; trap 'kill $$widget 2>/dev/null; exit 1' HUP INT TERM; \
	$(MAKE) --no-print-directory widget-check widget-test >"$$log" 2>&1 & widget=$$!; \
	rc=0; $(MAKE) --no-print-directory go-test || rc=$$?; \
	wait $$widget || rc=$$?; cat "$$log"; exit $$rc

# Where the servers and the browser are installed a test that cannot start one fails; elsewhere it skips, unless CI is set.
go-test: ## the tests alone; what failed is run once more by itself, and named
	@echo "==> $(GOTEST) ./..."
	@if scripts/install-servers --check; then export PARLEY_REQUIRE_SERVERS=1; fi; scripts/go-test $(GOTEST) $(LONGEST) ./...

race: ## the tests alone, with the race detector: twice as long, so a job of its own
	@CGO_ENABLED=1 $(MAKE) --no-print-directory go-test GOTEST='$(GOTEST) -race'

widget: ## build the web components into pages/widget
	@web/scripts/install && web/scripts/build

widget-check: ## see that the committed widget is built from its sources
	@echo "==> widget"
	@web/scripts/install && web/scripts/check

widget-test: ## types, units and components of the widget, in Chromium
	@echo "==> widget tests"
	@log=$$(mktemp); web/scripts/install && web/scripts/test >"$$log" 2>&1 && tail -n 9 "$$log" || { cat "$$log"; exit 1; }

# The revision that nodes are upgraded from: the one before the last change of the changelog, unless it is said.
UPGRADE_FROM ?= $(shell git log -2 --format=%H -- CHANGELOG.md 2>/dev/null | tail -1)

upgrade: ## run nodes of an earlier revision (UPGRADE_FROM) beside those of this one
	@echo "==> upgrade from $(UPGRADE_FROM)"
	@PARLEY_UPGRADE_FROM=$(UPGRADE_FROM) go test -count=1 -v -run TestTwoVersionsShareAStore ./interop/serve

bench: ## measure the core over every backend (some minutes)
	@go run ./bench core

load: ## a million questions that wait, 50,000 streams with them, answers, and a plot of memory and times
	@go run ./bench load -plot docs/screens/load.svg

fuzz: ## run every fuzz test for FUZZTIME (60s)
	@echo "==> fuzz tests, $(FUZZTIME) each"
	@list=$$(go test -list '^Fuzz' ./...) || { echo "$$list"; exit 1; }; \
	echo "$$list" | awk '/^Fuzz/ {names[n++] = $$1} /^ok/ {for (i = 0; i < n; i++) print $$2, names[i]; n = 0}' | \
	while read -r pkg name; do \
		echo "==> $$name in $$pkg"; \
		go test -run '^$$' -fuzz "^$$name\$$" -fuzztime '$(FUZZTIME)' -fuzzminimizetime 10x "$$pkg" </dev/null || exit 1; \
	done

mutate: ## take each check of person, tenant, digest, nonce and place out, and see a test fail (an hour)
	@go run ./internal/testkit/mutate

chaos: ## kill, stop, cut and delay everything for CHAOSTIME (10m) with each store, and look what is lost (docs/chaos.md)
	@go run ./interop/campaign chaos -for $(CHAOSTIME) $(CHAOS)

nightly: ## what takes too long for every push: the race detector, fuzz tests of ten minutes each, mutation, chaos
	@$(MAKE) --no-print-directory race
	@$(MAKE) --no-print-directory fuzz FUZZTIME=10m
	@$(MAKE) --no-print-directory mutate
	@$(MAKE) --no-print-directory chaos

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-16s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))
