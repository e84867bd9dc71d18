package socketclient

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

func TestCloseFrameTellsWhetherToConnectAgain(t *testing.T) {
	for code, final := range map[websocket.StatusCode]bool{1001: false, 4000: false, 4499: false, 4500: true, 4621: true, 4999: true} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if conn, err := websocket.Accept(w, r, nil); err == nil {
				conn.Close(code, "retry-ms=7")
			}
		}))
		c, err := Dial(t.Context(), strings.Replace(server.URL, "http", "ws", 1), "", nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Read()
		var closed *ClosedError
		if !errors.As(err, &closed) || closed.Code != int(code) || closed.Reason != "retry-ms=7" || closed.Final() != final {
			t.Errorf("%d: %v", code, err)
		}
		c.Close()
		server.Close()
	}
}
