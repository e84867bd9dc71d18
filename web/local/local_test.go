package local

import "testing"

func TestRequestsAreAnswered(t *testing.T) {
	for request, want := range map[string]string{
		`{"rules":"kalah"}`: `{"board":"4,4,4,4,4,4/4,4,4,4,4,4 0/0 S play 0 0"}`,
		`{"rules":"chess"}`: `{"error":"bad-rules"}`,
		`{`:                 `{"error":"bad-request"}`,
	} {
		if got := string(Answer([]byte(request))); got != want {
			t.Errorf("%s: got %s, want %s", request, got, want)
		}
	}
}
