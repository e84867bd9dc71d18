package main

import (
	"context"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mancala/match/testenv"
)

const operations = "../../deploy"

// deployed are the files that start the program.
var deployed = []string{"container/Containerfile", "compose/compose.yaml", "kubernetes/mancala.yaml", "systemd/mancala.service"}

func readDeploy(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(operations, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The program ignores unknown variables of the environment, so a renamed flag would be
// lost without an error.
func TestDeployedFlagsExist(t *testing.T) {
	var f serveFlags
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	f.register(fs)
	for _, file := range append(deployed, "OPERATIONS.md") {
		text := readDeploy(t, file)
		var names []string
		for _, m := range regexp.MustCompile(`MANCALA_([A-Z_]+)`).FindAllStringSubmatch(text, -1) {
			names = append(names, strings.ToLower(strings.ReplaceAll(m[1], "_", "-")))
		}
		for _, m := range regexp.MustCompile("`--([a-z-]+)").FindAllStringSubmatch(text, -1) {
			names = append(names, m[1])
		}
		for _, name := range names {
			if fs.Lookup(strings.TrimSuffix(name, "-")) == nil && name != "limit-" {
				t.Errorf("%s names --%s, which serve does not have", file, name)
			}
		}
	}
}

// An authority checks a domain at port 443 or 80, and links to it name no port. With --domain
// alone the program serves at 8080 and gets no certificate.
func TestExamplesWithADomainServeWherePeopleLook(t *testing.T) {
	found := 0
	for _, file := range append(deployed, "OPERATIONS.md", filepath.Join("..", "README.md")) {
		text := readDeploy(t, file)
		for domain, rest := range map[string][]string{
			"MANCALA_DOMAIN=": {"MANCALA_ADDR=:443", "MANCALA_REDIRECT=:80"},
			"--domain play.":  {"--addr :443", "--redirect :80"},
		} {
			if !strings.Contains(text, domain) {
				continue
			}
			found++
			for _, flag := range rest {
				if !strings.Contains(text, flag) {
					t.Errorf("%s has an example with %s, but without %s", file, domain, flag)
				}
			}
		}
	}
	if found < 2 {
		t.Errorf("found only %d examples", found)
	}
}

// The container sets the ports of the program. All files that connect to it must have
// the same ports.
func TestDeployedPortsAgree(t *testing.T) {
	container := readDeploy(t, "container/Containerfile")
	port := func(name string) string {
		m := regexp.MustCompile(name + `=:(\d+)`).FindStringSubmatch(container)
		if m == nil {
			t.Fatalf("the Containerfile sets no %s", name)
		}
		return m[1]
	}
	people, admin := port("MANCALA_ADDR"), port("MANCALA_ADMIN")
	for _, c := range [][2]string{
		{"container/Containerfile", "EXPOSE " + people},
		{"compose/haproxy.cfg", "mancala:" + people},
		{"compose/haproxy.cfg", "check port " + admin},
		{"compose/prometheus.yaml", "names: [mancala], type: A, port: " + admin},
		{"kubernetes/mancala.yaml", "{name: http, containerPort: " + people + "}"},
		{"kubernetes/mancala.yaml", "{name: admin, containerPort: " + admin + "}"},
		{"kubernetes/mancala.yaml", `prometheus.io/port: "` + admin + `"`},
	} {
		if file, want := c[0], c[1]; !strings.Contains(readDeploy(t, file), want) {
			t.Errorf("%s does not have %q", file, want)
		}
	}
}

// The Containerfile copies the whole folder. A database with its players, or the private keys of
// certificates, would stay in a layer of the build.
func TestContainerCopiesNothingThatGitIgnores(t *testing.T) {
	has := ignored(t, ".dockerignore")
	for _, pattern := range ignored(t, ".gitignore") {
		want := "**/" + pattern
		if strings.HasPrefix(pattern, "/") { // at the top, as every pattern without ** is there
			want = strings.Trim(pattern, "/")
		}
		if !slices.Contains(has, want) {
			t.Errorf(".dockerignore does not have %s", want)
		}
	}
}

func TestDeployedStopsWaitLongerThanTheDrain(t *testing.T) {
	var f serveFlags
	f.register(flag.NewFlagSet("serve", flag.ContinueOnError))
	seconds := func(file, pattern string) time.Duration {
		m := regexp.MustCompile(pattern).FindStringSubmatch(readDeploy(t, file))
		if m == nil {
			t.Fatalf("%s does not have %s", file, pattern)
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		return time.Duration(n) * time.Second
	}
	const kubernetes = "kubernetes/mancala.yaml"
	for file, has := range map[string]time.Duration{
		"systemd/mancala.service": seconds("systemd/mancala.service", `TimeoutStopSec=(\d+)`),
		"compose/compose.yaml":    seconds("compose/compose.yaml", `mancala:[^\x00]*?stop_grace_period: (\d+)s`),
		kubernetes:                seconds(kubernetes, `terminationGracePeriodSeconds: (\d+)`) - seconds(kubernetes, `sleep: {seconds: (\d+)}`),
	} {
		if has <= f.drain {
			t.Errorf("%s gives %v, --drain is %v", file, has, f.drain)
		}
	}
}

// Searches run at a lower priority (deploy/decisions/0015). A unit that forbids this
// causes no error, but bots then take processor time from people.
func TestDeployedUnitAllowsPriorities(t *testing.T) {
	unit := readDeploy(t, "systemd/mancala.service")
	forbidden, allowed := strings.Index(unit, "SystemCallFilter=~@privileged @resources"), strings.Index(unit, "SystemCallFilter=setpriority sched_getattr sched_setattr\n")
	if forbidden < 0 || allowed < forbidden { // the last mention of a call counts
		t.Errorf("the unit forbids priorities: %d %d", forbidden, allowed)
	}
}

// An alert on a job of another name never fires.
func TestAlertsAndTheirDocumentAgreeOnTheJob(t *testing.T) {
	job := regexp.MustCompile(`job_name: (\w+)`).FindStringSubmatch(readDeploy(t, "compose/prometheus.yaml"))
	if job == nil {
		t.Fatal("compose/prometheus.yaml has no job")
	}
	alerts, operations := readDeploy(t, "prometheus/alerts.yaml"), readDeploy(t, "OPERATIONS.md")
	_, operations, _ = strings.Cut(operations, "\n## Alerts\n")
	operations, _, _ = strings.Cut(operations, "\n### ")
	found := 0
	for _, alert := range strings.Split(alerts, "- alert: ")[1:] {
		name, _, _ := strings.Cut(alert, "\n")
		m := regexp.MustCompile(`job="(\w+)"`).FindStringSubmatch(alert)
		if m == nil {
			continue
		}
		if found++; m[1] != job[1] || !strings.Contains(operations, name) {
			t.Errorf("%s needs the job %s: OPERATIONS.md must name both, and compose/prometheus.yaml has %s", name, m[1], job[1])
		}
	}
	if found == 0 || !strings.Contains(operations, "`job=\""+job[1]+"\"`") {
		t.Errorf("%d alerts need a job; OPERATIONS.md must name it", found)
	}
}

// Docker mounts an empty folder in place of a missing file, without an error.
func TestComposeMountsExist(t *testing.T) {
	paths := regexp.MustCompile(`(?m)[" ](\.\.?/[\w./-]+):/`).FindAllStringSubmatch(readDeploy(t, "compose/compose.yaml"), -1)
	if len(paths) < 5 {
		t.Errorf("found only %q", paths)
	}
	for _, m := range paths {
		if _, err := os.Stat(filepath.Join(operations, "compose", m[1])); err != nil {
			t.Error(err)
		}
	}
}

func TestDeployedFilesAreValidForTheirPrograms(t *testing.T) {
	for _, c := range [][]string{
		{"haproxy", "-c", "-f", "compose/haproxy.cfg"},
		{"promtool", "check", "config", "--syntax-only", "compose/prometheus.yaml"},
	} {
		t.Run(c[0], func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), testenv.Installed(t, c[0]), c[1:]...)
			cmd.Dir, cmd.Env = operations, append(os.Environ(), "NAMESERVER=127.0.0.11:53")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// The address that a client claims must not reach an instance, which trusts the load
// balancer.
func TestLoadBalancerDropsForwardedAddresses(t *testing.T) {
	program := testenv.Installed(t, "haproxy")
	said := make(chan []string, 1)
	instance := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { said <- r.Header.Values("X-Forwarded-For") }))
	defer instance.Close()
	addr, err := testenv.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	config := strings.ReplaceAll(readDeploy(t, "compose/haproxy.cfg"), "bind :8080", "bind "+addr)
	config = regexp.MustCompile(`maxconn \d+`).ReplaceAllString(config, "maxconn 100") // a test may open few files
	config = regexp.MustCompile(`default-server .*`).ReplaceAllString(config, "")
	config = regexp.MustCompile(`server-template .*`).ReplaceAllString(config, "server one "+instance.Listener.Addr().String())
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, program, "-db", "-f", file)
	cmd.Env = append(os.Environ(), "NAMESERVER=127.0.0.11:53")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }()
	defer stop()
	for ctx.Err() == nil {
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("X-Forwarded-For", "203.0.113.7")
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			<-time.After(10 * time.Millisecond) // it does not listen yet
			continue
		}
		r.Body.Close()
		if got := <-said; len(got) != 1 || got[0] != "127.0.0.1" {
			t.Errorf("the instance is told %q", got)
		}
		return
	}
	t.Fatal("the load balancer does not answer")
}

// A figure that the script drops is missing from every comparison, without an error.
func TestMeasureScriptPrintsEveryFigureOfThePages(t *testing.T) {
	m := regexp.MustCompile(`-run TestFiguresOfTheQualityBarsArePrinted .*\| grep -vE '([^']+)'`).FindStringSubmatch(readDeploy(t, "measure.sh"))
	if m == nil {
		t.Fatal("measure.sh does not filter what TestFiguresOfTheQualityBarsArePrinted prints by grep -vE")
	}
	dropped := regexp.MustCompile(m[1])
	sources, err := filepath.Glob("e2e/measure*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	figure := regexp.MustCompile(`(?:fmt\.Printf|printTaps\(fmt\.Sprintf)\("([^"]+)"`)
	figures := 0
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range figure.FindAllStringSubmatch(string(text), -1) {
			if figures++; dropped.MatchString(m[1]) {
				t.Errorf("measure.sh drops the line %q", m[1])
			}
		}
	}
	if figures < 6 {
		t.Errorf("found only %d lines with figures", figures)
	}
	for line, drop := range map[string]bool{
		"=== RUN   TestFiguresOfTheQualityBarsArePrinted/echo":             true,
		"    --- PASS: TestFiguresOfTheQualityBarsArePrinted/echo (1.00s)": true,
		"ok  \tmancala/cmd/mancala/e2e\t9.0s":                              true,
		"--- SKIP: TestFiguresOfTheQualityBarsArePrinted (0.00s)":          false,
		"    --- FAIL: TestFiguresOfTheQualityBarsArePrinted/echo (1.00s)": false,
		"    page.go:10: the page did not come":                            false,
	} {
		if dropped.MatchString(line) != drop {
			t.Errorf("measure.sh drops %q: %t", line, !drop)
		}
	}
}
