package servers

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// OwnPrometheus starts a Prometheus for one test. It reads the metrics of a server at 127.0.0.1 every fifth of a
// second, with a token if there is one. PARLEY_TEST_PROMETHEUS names its program where it has another name.
func OwnPrometheus(t testing.TB, target, token string) *Server {
	t.Helper()
	k := kind{"Prometheus", "PARLEY_TEST_PROMETHEUS", "/usr/bin/prometheus", func(ctx context.Context, _ *Options) (*Server, error) {
		path, err := exec.LookPath(cmp.Or(os.Getenv("PARLEY_TEST_PROMETHEUS"), "prometheus"))
		if err != nil {
			return nil, fmt.Errorf("prometheus: %w", ErrNotInstalled)
		}
		dir, err := os.MkdirTemp("", "parley-prometheus-")
		if err != nil {
			return nil, err
		}
		return start(ctx, prometheus{path: path, dir: dir, target: target, token: token}, dir)
	}}
	return k.own(t, nil)
}

type prometheus struct{ path, dir, target, token string }

func (prometheus) url(port int) string { return fmt.Sprintf("http://127.0.0.1:%d", port) }

func (p prometheus) prepare(context.Context, *guard) error {
	text := "global: {scrape_interval: 200ms, scrape_timeout: 200ms}\nscrape_configs:\n- job_name: parley\n  static_configs: [{targets: [" + strconv.Quote(p.target) + "]}]\n"
	if p.token != "" {
		text += "  authorization: {credentials: " + strconv.Quote(p.token) + "}\n"
	}
	return os.WriteFile(filepath.Join(p.dir, "prometheus.yml"), []byte(text), 0o600)
}

func (p prometheus) command(dir string, port int) *exec.Cmd {
	cmd := exec.Command(p.path, "--config.file="+filepath.Join(dir, "prometheus.yml"), "--storage.tsdb.path="+filepath.Join(dir, "data"),
		fmt.Sprintf("--web.listen-address=127.0.0.1:%d", port))
	cmd.Dir = dir
	return cmd
}

func (p prometheus) ready(ctx context.Context, _ string, port, _ int) bool {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url(port)+"/-/ready", nil)
	if err != nil {
		return false
	}
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

func (prometheus) signals() (stop, abandon syscall.Signal) { return syscall.SIGTERM, syscall.SIGKILL }
