package process

import (
	"io"
	"maps"
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
	"mancala/match/testenv"
)

const operations = "../../../deploy"

// TestOperatorsSeeWhatTheyAskFor checks that the program has every metric of the alerts, the
// dashboard and OPERATIONS.md, and that the dashboard shows every metric of the program. An
// alert on a renamed metric would never fire. A metric that no panel shows is not looked at.
func TestOperatorsSeeWhatTheyAskFor(t *testing.T) {
	t.Parallel()
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
	await(t, p.ctx, func() bool { // the last socket may still be closing
		has = body(t, "http://"+p.admin+"/metrics")
		return strings.Contains(has, "mancala_socket_closes_total")
	})
	seesAll(t, has, func(name string) bool { return !ofSeveral(name) })
	showsAll(t, has)
}

// notShown are the metrics that the dashboard need not show, by the beginnings of their names,
// each with the reason.
var notShown = map[string]string{
	"go_":      "every Go program has them; a profile answers more (OPERATIONS.md)",
	"process_": "every process has them; the dashboard shows processors, memory and files",
}

// showsAll checks that the dashboard shows each of these metrics.
func showsAll(t *testing.T, metrics string) {
	t.Helper()
	dashboard := readDeploy(t, "grafana/mancala.json")
	shown := metric.FindAllString(dashboard, -1)
	for _, found := range regexp.MustCompile(`(?m)^# TYPE (\w+) (\w+)$`).FindAllStringSubmatch(metrics, -1) {
		name, kind := found[1], found[2]
		if slices.ContainsFunc(slices.Collect(maps.Keys(notShown)), func(start string) bool { return strings.HasPrefix(name, start) }) {
			continue
		}
		if kind == "histogram" {
			name += "_bucket"
		}
		if !slices.Contains(shown, name) && !slices.Contains(shown, strings.TrimSuffix(name, "_bucket")+"_sum") {
			t.Errorf("the dashboard has no panel with %s: add one to grafana/mancala.json, or a reason to notShown", name)
		}
	}
}

// seesAll checks that metrics has every name of the alerts, the dashboard and OPERATIONS.md
// for which concerns is true.
func seesAll(t *testing.T, metrics string, concerns func(name string) bool) {
	t.Helper()
	for _, file := range []string{"prometheus/alerts.yaml", "grafana/mancala.json", "OPERATIONS.md"} {
		text, err := os.ReadFile(filepath.Join(operations, file))
		if err != nil {
			t.Fatal(err)
		}
		names := slices.DeleteFunc(metric.FindAllString(string(text), -1), func(name string) bool { return !concerns(name) })
		if len(names) == 0 {
			t.Errorf("%s names no metric", file)
		}
		for _, name := range names {
			if !strings.Contains(metrics, "\n"+name) {
				t.Errorf("%s names %s, of which the program has no sample", file, name)
			}
		}
	}
}

// ofSeveral reports whether only a service of several instances has a metric.
func ofSeveral(name string) bool { return strings.HasPrefix(name, "mancala_messages_") }

// metric matches the program's own metrics and those of every process.
var metric = regexp.MustCompile(`\b(mancala|process)_[a-z_]+[a-z]\b`)

// body returns the text of a page.
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

// TestEveryAlertStatesImpactCheckAndFix reads the annotations of each alert, the section of the same
// name in OPERATIONS.md, and whether alerts_test.yaml lets the alert be silent and fire.
func TestEveryAlertStatesImpactCheckAndFix(t *testing.T) {
	alerts, err := os.ReadFile(filepath.Join(operations, "prometheus/alerts.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(operations, "OPERATIONS.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests, err := os.ReadFile(filepath.Join(operations, "prometheus/alerts_test.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	rules := strings.Split(string(alerts), "- alert: ")[1:]
	if len(rules) < 10 {
		t.Errorf("alerts.yaml has only %d alerts", len(rules))
	}
	for _, rule := range rules {
		name, rule, _ := strings.Cut(rule, "\n")
		for _, listed := range []string{"alertname: " + name + "}", `{alertname="` + name + `"}`} {
			if !strings.Contains(string(tests), listed) {
				t.Errorf("alerts_test.yaml does not have %s", listed)
			}
		}
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

// TestAlertsFireWhenTheirConditionHolds runs alerts_test.yaml: each alert fires when its
// condition holds, and only then.
func TestAlertsFireWhenTheirConditionHolds(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), testenv.Installed(t, "promtool"), "test", "rules", filepath.Join(operations, "prometheus/alerts_test.yaml")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestDeployedProbesAnswer(t *testing.T) {
	t.Parallel()
	p := startProgram(t, "memory:")
	for _, file := range []string{"compose/haproxy.cfg", "kubernetes/mancala.yaml"} {
		paths := regexp.MustCompile(`(?:GET |path: )(/\w+)`).FindAllStringSubmatch(readDeploy(t, file), -1)
		if len(paths) < 2 {
			t.Errorf("%s has only the paths %q", file, paths)
		}
		for _, m := range paths {
			await(t, p.ctx, func() bool {
				r, err := http.Get("http://" + p.admin + m[1])
				if err != nil {
					t.Fatal(err)
				}
				defer r.Body.Close()
				if r.StatusCode == http.StatusNotFound {
					t.Fatalf("%s asks for %s, which the program does not have", file, m[1])
				}
				return r.StatusCode == http.StatusOK
			})
		}
	}
}

// A page of another site reaches the admin address of a program that runs through a host name
// of its own. It gets nothing, whatever the path.
func TestProgramAnswersNoForeignHostOnItsAdminAddress(t *testing.T) {
	t.Parallel()
	p := startProgram(t, "memory:")
	for _, path := range []string{"/metrics", "/healthz", "/readyz", "/balance", "/moderation", "/moderation/pairs", "/debug/pprof/", "/debug/pprof/profile?seconds=1", "/debug/pprof/symbol"} {
		for host, want := range map[string]int{"evil.example": http.StatusMisdirectedRequest, p.admin: http.StatusOK} {
			q, err := http.NewRequestWithContext(p.ctx, http.MethodGet, "http://"+p.admin+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			q.Host = host
			await(t, p.ctx, func() bool { // it is not ready at once
				r, err := http.DefaultClient.Do(q)
				if err != nil {
					t.Fatal(err)
				}
				_ = r.Body.Close()
				if r.StatusCode != want && want != http.StatusOK {
					t.Fatalf("%s for %s: %s", path, host, r.Status)
				}
				return r.StatusCode == want
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
