// Package compose reads compose.yaml with Compose's own reader.
package compose_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

func TestTheProjectIsWhatItSays(t *testing.T) {
	// It names files that an operator makes.
	dir := t.TempDir()
	for name, from := range map[string]string{"compose.yaml": "", "parley.yaml": "", "parley.env": "", "haproxy.cfg": "", "secrets/tls.pem": "none", "secrets/database_password": "none", "secrets/DATABASE_URL": "none", "secrets/PARLEY_SECRET": "none", "secrets/OIDC_SECRET": "none", "secrets/MODEL_KEY": "none", "secrets/SMTP_PASSWORD": "none", "secrets/METRICS_TOKEN": "none"} {
		text := []byte("secret\n")
		if from == "" {
			var err error
			if text, err = os.ReadFile(filepath.Join("../..", name)); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	options, err := cli.NewProjectOptions([]string{filepath.Join(dir, "compose.yaml")}, cli.WithWorkingDirectory(dir), cli.WithResolvedPaths(true))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(project.Services) != 4 {
		t.Errorf("services %v", project.ServiceNames())
	}
	for name, s := range project.Services {
		if s.HealthCheck == nil || s.Restart != types.RestartPolicyUnlessStopped || s.StopGracePeriod == nil || time.Duration(*s.StopGracePeriod) < 30*time.Second {
			t.Errorf("%s: nobody looks whether it is well, starts it again, or lets it finish", name)
		}
		if name != "proxy" && len(s.Ports) > 0 {
			t.Errorf("%s can be reached from outside", name)
		}
	}
	for _, name := range []string{"node-1", "node-2"} {
		node, err := project.GetService(name)
		if err != nil {
			t.Fatal(err)
		}
		if at := node.Environment["PARLEY_ADVERTISE"]; at == nil || *at != "http://"+name+":8420" {
			t.Errorf("%s is not where it says", name)
		}
		if issuer := node.Environment["OIDC_ISSUER"]; issuer == nil || *issuer == "" {
			t.Errorf("%s does not read parley.env", name)
		}
		if len(node.Secrets) != 6 || *node.Environment["PARLEY_SECRETS"] != "/run/secrets" {
			t.Errorf("%s does not have its secrets in files: %v", name, node.Secrets)
		}
		for _, name := range []string{"DATABASE_URL", "PARLEY_SECRET", "OIDC_SECRET", "MODEL_KEY", "SMTP_PASSWORD", "METRICS_TOKEN"} {
			if node.Environment[name] != nil {
				t.Errorf("%s is in the environment", name)
			}
		}
		if subnet := project.Networks["inside"].Ipam.Config[0].Subnet; *node.Environment["PARLEY_PROXIES"] != subnet {
			t.Errorf("%s believes others than the proxy's %s", name, subnet)
		}
		if !node.ReadOnly || len(node.CapDrop) != 1 || node.DependsOn["db"].Condition != types.ServiceConditionHealthy {
			t.Errorf("%s may do more than it needs, or does not wait", name)
		}
	}
	if !project.Networks["data"].Internal {
		t.Error("the database can be reached from outside")
	}
}
