package shipping_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// text is a file of deploy/.
func text(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(deploy + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// The chart has the complete configuration, and what it gives the program as it is
// rendered, with secrets in files, is one that the program takes.
func TestTheChartsConfigurationIsTaken(t *testing.T) {
	t.Parallel()
	if text(t, "helm/parley/files/parley.yaml") != text(t, "parley.yaml") {
		t.Error("the chart has another configuration: cp deploy/parley.yaml deploy/helm/parley/files/")
	}
	rendered := text(t, "helm/parley/ci/everything.yaml")
	_, rest, found := strings.Cut(rendered, "\n  parley.yaml: |\n")
	if !found {
		t.Fatal("the chart renders no parley.yaml")
	}
	var config strings.Builder
	for line := range strings.Lines(rest) {
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "    ") {
			break
		}
		config.WriteString(strings.TrimPrefix(line, "    "))
	}
	if strings.TrimSpace(config.String()) != strings.TrimSpace(text(t, "parley.yaml")) {
		t.Error("what the chart renders is not of this configuration: cd deploy/ship && go test ./chart -update")
	}
	file := filepath.Join(t.TempDir(), "parley.yaml")
	if err := os.WriteFile(file, []byte(config.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), kit.BuildParley(t), "check", "-c", file)
	cmd.Env = append(cmd.Env, "POD_IP=10.1.2.3")
	given := map[string]bool{}
	for _, v := range regexp.MustCompile(`(?m)^ +- \{name: (\w+), value: "([^"]*)"\}$`).FindAllStringSubmatch(rendered, -1) {
		given[v[1]] = true
		cmd.Env = append(cmd.Env, v[1]+"="+strings.ReplaceAll(v[2], "$(POD_IP)", "10.1.2.3"))
	}
	// The files are the secret's, which is mounted somewhere else here.
	for _, v := range (&world{database: "postgres://parley@db/parley"}).variables(t, "") {
		name, _, _ := strings.Cut(v, "=")
		if name == "PARLEY_SECRETS" {
			cmd.Env = append(cmd.Env, v)
		}
		if !given[name] {
			t.Errorf("the chart does not give it %s", name)
		}
	}
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(strings.ToLower(string(out)), "warning") {
		t.Errorf("%v\n%s", err, out)
	}
	for _, want := range []string{"listens on 0.0.0.0:8420; people reach it at https://parley.acme.example", "believes X-Forwarded-For of 10.0.0.0/8"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("check does not say %q:\n%s", want, out)
		}
	}
}

// parley.env names every variable of the configuration, and nothing else.
func TestTheEnvironmentHasWhatTheConfigurationTakes(t *testing.T) {
	wanted, named := map[string]bool{}, map[string]bool{}
	for _, v := range regexp.MustCompile(`\$\{(\w+)\}`).FindAllStringSubmatch(text(t, "parley.yaml"), -1) {
		wanted[v[1]] = true
	}
	for _, v := range regexp.MustCompile(`(?m)^(\w+)=`).FindAllStringSubmatch(text(t, "parley.env"), -1) {
		named[v[1]] = true
		if !wanted[v[1]] {
			t.Errorf("parley.env has %s, which parley.yaml does not take", v[1])
		}
	}
	for name := range wanted {
		if !named[name] {
			t.Errorf("parley.yaml takes %s, which parley.env does not have", name)
		}
	}
}

// The unit is one that systemd takes, and locks the service in.
func TestTheUnitIsTaken(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("needs systemd-analyze")
	}
	t.Parallel()
	unit := strings.ReplaceAll(text(t, "systemd/parley.service"), "/usr/local/bin/parley", kit.BuildParley(t))
	dir := t.TempDir()
	file, environment := filepath.Join(dir, "parley.service"), filepath.Join(dir, "parley.env")
	for name, content := range map[string]string{file: strings.ReplaceAll(unit, "/etc/parley/parley.env", environment), environment: text(t, "parley.env")} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), analyze, "verify", "--man=no", file).CombinedOutput(); err != nil || strings.Contains(string(out), "parley.service") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := exec.CommandContext(t.Context(), analyze, "security", "--offline=yes", "--threshold=20", file).CombinedOutput(); err != nil {
		t.Errorf("it is open to more than it needs: %v\n%s", err, out)
	}
}

// The service is stopped, by whatever stops it, only after limits.stop_time.
func TestWhatStopsTheServiceWaitsLongEnough(t *testing.T) {
	if !strings.Contains(text(t, "parley.yaml"), "\n  stop_time: 20s ") {
		t.Fatal("limits.stop_time is another one: look at the others, too")
	}
	for name, want := range map[string]string{"systemd/parley.service": "\nTimeoutStopSec=30\n", "compose.yaml": "\n  stop_grace_period: 30s ", "helm/parley/values.yaml": "\nterminationGracePeriodSeconds: 40\n"} {
		if !strings.Contains(text(t, name), want) {
			t.Errorf("%s has no %q", name, strings.TrimSpace(want))
		}
	}
}
