package e2e

import (
	"slices"
	"strings"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
)

// notice collects errors and warnings of a page.
func (p *person) notice(event any) {
	problem := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		problem = e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			problem += " " + e.ExceptionDetails.Exception.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type != runtime.ConsoleAPICalledTypeError && e.Type != runtime.ConsoleAPICalledTypeWarning && e.Type != runtime.ConsoleAPICalledTypeAssert {
			return
		}
		for _, a := range e.Args {
			problem += " " + string(a.Value) + a.Description
		}
	case *log.EventEntryAdded: // includes violations of the content security policy
		if e.Entry.Level != log.EntryLevelError && e.Entry.Level != log.EntryLevelWarning {
			return
		}
		problem = e.Entry.Text + " " + e.Entry.URL
	case *network.EventLoadingFailed:
		if e.Canceled { // the page navigated away
			return
		}
		problem = "failed to load: " + e.ErrorText
	default:
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if contains(problem, p.forgiven) || p.server.out.Load() && contains(problem, outage) {
		return
	}
	p.problems = append(p.problems, problem)
}

func contains(problem string, texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(problem, text) })
}

// outage are parts of the messages that a page may log while it does not reach its server.
var outage = []string{"WebSocket connection to", "net::ERR_", "WebSocket is closed before", "when fetching the script"}

// forgive allows complaints of a page that the test causes itself.
func (p *person) forgive(texts ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forgiven = append(p.forgiven, texts...)
}
