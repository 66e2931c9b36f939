// Package chart lints and renders the chart with Helm's own engine.
package chart_test

import (
	"flag"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	apps "k8s.io/api/apps/v1"
	scaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"
)

const where = "../../helm/parley"

// rendered is what the chart makes of ci/everything-values.yaml. The tests of the program
// read the configuration in it.
const rendered = where + "/ci/everything.yaml"

var update = flag.Bool("update", false, "write "+rendered)

// everything are values with everything on.
func everything(t *testing.T) chartutil.Values {
	t.Helper()
	values, err := chartutil.ReadValuesFile(where + "/ci/everything-values.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func load(t *testing.T) *chart.Chart {
	t.Helper()
	c, err := loader.Load(where)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// render renders the chart, which is in files, and returns them in their order.
func render(c *chart.Chart, values chartutil.Values) (string, map[string]string, error) {
	all, err := chartutil.ToRenderValues(c, values, chartutil.ReleaseOptions{Name: "acme", Namespace: "parley", Revision: 1, IsInstall: true}, nil)
	if err != nil {
		return "", nil, err
	}
	files, err := engine.Render(c, all)
	if err != nil {
		return "", nil, err
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, ".yaml") && strings.TrimSpace(files[name]) != "" {
			text.WriteString("---\n# " + name + "\n" + strings.TrimSpace(files[name]) + "\n")
		}
	}
	return text.String(), files, nil
}

func TestTheChartIsLinted(t *testing.T) {
	for _, message := range lint.AllWithKubeVersion(where, everything(t), "parley", nil).Messages {
		if message.Severity > support.InfoSev {
			t.Error(message)
		}
	}
}

// What the chart makes is what is committed, for those who have no Helm; and each object
// has the fields of its kind and no others.
func TestTheChartMakesObjectsOfKubernetes(t *testing.T) {
	text, files, err := render(load(t), everything(t))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(rendered, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadFile(rendered)
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != text {
		t.Errorf("%s is another one: go test ./chart -update", rendered)
	}
	kinds := map[string]any{
		"ConfigMap": &core.ConfigMap{}, "Deployment": &apps.Deployment{}, "HorizontalPodAutoscaler": &scaling.HorizontalPodAutoscaler{}, "Ingress": &networking.Ingress{},
		"NetworkPolicy": &networking.NetworkPolicy{}, "PodDisruptionBudget": &policy.PodDisruptionBudget{}, "Service": &core.Service{}, "ServiceAccount": &core.ServiceAccount{},
		"ServiceMonitor": &map[string]any{},
	}
	for name, text := range files {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		var about struct{ Kind string }
		if err := yaml.Unmarshal([]byte(text), &about); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		object := kinds[about.Kind]
		if object == nil {
			t.Errorf("%s is a %q", name, about.Kind)
			continue
		}
		if err := yaml.UnmarshalStrict([]byte(text), object); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		delete(kinds, about.Kind)
		if d, ok := object.(*apps.Deployment); ok {
			checkDeployment(t, d)
		}
	}
	if len(kinds) > 0 {
		t.Errorf("there is no %v", slices.Collect(maps.Keys(kinds)))
	}
}

func checkDeployment(t *testing.T, d *apps.Deployment) {
	t.Helper()
	pod := d.Spec.Template.Spec
	node := pod.Containers[0]
	if *pod.TerminationGracePeriodSeconds < 20+node.Lifecycle.PreStop.Sleep.Seconds {
		t.Error("it is killed before limits.stop_time is over")
	}
	if node.ReadinessProbe.HTTPGet.Path != "/readyz" || node.LivenessProbe.HTTPGet.Path != "/healthz" {
		t.Error("the probes ask something else")
	}
	if !*pod.SecurityContext.RunAsNonRoot || !*node.SecurityContext.ReadOnlyRootFilesystem || *node.SecurityContext.AllowPrivilegeEscalation || *pod.AutomountServiceAccountToken {
		t.Error("it may do more than it needs")
	}
	for label, value := range d.Spec.Selector.MatchLabels {
		if d.Spec.Template.Labels[label] != value {
			t.Errorf("its pods have no %s: %s", label, value)
		}
	}
	if node.Image != "ghcr.io/parley-hq/parley:v"+load(t).Metadata.AppVersion {
		t.Errorf("its image is %s", node.Image)
	}
}

// What is left out is left out, and what is needed is asked for.
func TestValuesSayWhatThereIs(t *testing.T) {
	for says, wrong := range map[string]chartutil.Values{
		"url: where people": {"existingSecret": "parley"},
		"existingSecret":    {"url": "https://parley.acme.example"},
		"does not match":    {"url": "http://parley.acme.example", "existingSecret": "parley"},
		"dev":               {"url": "https://parley.acme.example", "existingSecret": "parley", "dev": true},
	} {
		if _, _, err := render(load(t), wrong); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	least := chartutil.Values{
		"url": "https://parley.acme.example", "existingSecret": "parley", "configuration": "dev: false\n", "replicas": 3,
		"image": map[string]any{"digest": "sha256:" + strings.Repeat("0", 64)},
	}
	text, _, err := render(load(t), least)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"Ingress\n", "HorizontalPodAutoscaler", "ServiceMonitor"} {
		if strings.Contains(text, "kind: "+kind) {
			t.Errorf("there is a %s that nobody wants", kind)
		}
	}
	for _, want := range []string{"\n    dev: false\n", "replicas: 3\n", `image: "ghcr.io/parley-hq/parley@sha256:000`} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q:\n%s", want, text)
		}
	}
}
