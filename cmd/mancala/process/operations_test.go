package process

import (
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"mancala/cmd/internal/ledger"
)

const operations = "../../../deploy"

// Alerts and the dashboard ask for metrics that the program has: one that was
// renamed would never wake anybody again.
func TestOperatorsSeeWhatTheyAskFor(t *testing.T) {
	p := startProgram(t, filepath.Join(t.TempDir(), "mancala.db"))
	people, err := gather([]*program{p}, 0, "kalah")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Play(p.ctx, people, "kalah", rand.New(rand.NewPCG(1, 2)), new(atomic.Int64)); err != nil {
		t.Fatal(err)
	}
	ledger.Leave(people)
	if r, err := http.Post(p.base()+"/api/v1/nonsense", "application/json", nil); err == nil {
		_ = r.Body.Close()
	}

	var has string
	await(t, p.ctx, func() bool { // the last socket may be on its way
		has = body(t, "http://"+p.admin+"/metrics")
		return strings.Contains(has, "mancala_socket_closes_total")
	})
	seesAll(t, has, func(name string) bool { return !ofSeveral(name) })
}

// seesAll checks that metrics have what alerts, the dashboard and the notes for
// whoever is on call ask for.
func seesAll(t *testing.T, metrics string, concerns func(name string) bool) {
	t.Helper()
	for _, file := range []string{"prometheus/alerts.yaml", "grafana/mancala.json", "OPERATIONS.md"} {
		text, err := os.ReadFile(filepath.Join(operations, file))
		if err != nil {
			t.Fatal(err)
		}
		names := slices.DeleteFunc(metric.FindAllString(string(text), -1), func(name string) bool { return !concerns(name) })
		if len(names) == 0 {
			t.Errorf("%s asks for nothing", file)
		}
		for _, name := range names {
			if !strings.Contains(metrics, "\n"+name) {
				t.Errorf("%s asks for %s, which is not among the metrics", file, name)
			}
		}
	}
}

// ofSeveral: only one of several instances has these.
func ofSeveral(name string) bool { return strings.HasPrefix(name, "mancala_messages_") }

// metric is a name in an expression: of this program's own metrics, or of those
// that every program has.
var metric = regexp.MustCompile(`\b(mancala|process)_[a-z_]+[a-z]\b`)

func body(t *testing.T, url string) string {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s %v", url, r.Status, err)
	}
	return string(text)
}

// TestEveryAlertStatesImpactCheckAndFix reads the annotations of each alert and
// the section of the same name in OPERATIONS.md.
func TestEveryAlertStatesImpactCheckAndFix(t *testing.T) {
	alerts, err := os.ReadFile(filepath.Join(operations, "prometheus/alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(operations, "OPERATIONS.md"))
	if err != nil {
		t.Fatal(err)
	}
	rules := strings.Split(string(alerts), "- alert: ")[1:]
	if len(rules) < 10 {
		t.Errorf("alerts.yaml has only %d alerts", len(rules))
	}
	for _, rule := range rules {
		name, rule, _ := strings.Cut(rule, "\n")
		_, section, found := strings.Cut(string(text), "\n### "+name+"\n")
		if !found {
			t.Errorf("OPERATIONS.md has no section %s", name)
			continue
		}
		section, _, _ = strings.Cut(section, "\n#")
		for _, part := range []string{"Impact", "Check", "Fix"} {
			if !strings.Contains(rule, "\n          "+strings.ToLower(part)+": \"") {
				t.Errorf("the alert %s has no annotation %q", name, strings.ToLower(part))
			}
			if !strings.Contains(section, "\n**"+part+".** ") {
				t.Errorf("the section %s of OPERATIONS.md has no part %q", name, part)
			}
		}
	}
}

// TestAlerts runs alerts_test.yaml: each alert fires when its condition holds, and
// only then.
func TestAlerts(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), installed(t, "promtool"), "test", "rules", filepath.Join(operations, "prometheus/alerts_test.yaml")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// installed finds a program that a test needs; without it the test is skipped,
// unless all must be there.
func installed(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("MANCALA_TEST_ALL") != "" {
			t.Fatal(err)
		}
		t.Skipf("there is no %s", name)
	}
	return path
}

// Load balancers and probes ask for what the program answers.
func TestDeployedProbesAnswer(t *testing.T) {
	p := startProgram(t, "memory:")
	for _, file := range []string{"compose/haproxy.cfg", "kubernetes/mancala.yaml"} {
		paths := regexp.MustCompile(`(?:GET |path: )(/\w+)`).FindAllStringSubmatch(readDeploy(t, file), -1)
		if len(paths) < 2 {
			t.Errorf("%s asks only for %q", file, paths)
		}
		for _, m := range paths {
			await(t, p.ctx, func() bool {
				r, err := http.Get("http://" + p.admin + m[1])
				if err != nil {
					t.Fatal(err)
				}
				defer r.Body.Close()
				if r.StatusCode == http.StatusNotFound {
					t.Fatalf("%s asks for %s, which there is not", file, m[1])
				}
				return r.StatusCode == http.StatusOK
			})
		}
	}
}

func readDeploy(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(operations, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
