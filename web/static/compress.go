package static

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// A writer that compresses has tables of many hundred kilobytes.
var compressors = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// Compress codes a text in the one way that every browser and every preview of a
// link understands.
func Compress(body []byte) []byte {
	var b bytes.Buffer
	w := compressors.Get().(*gzip.Writer)
	defer compressors.Put(w)
	w.Reset(&b)
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// AcceptsGzip says whether an answer may be compressed: what "gzip" is worth to
// the client, or else "*", is more than nothing (RFC 9110, 12.5.3).
func AcceptsGzip(r *http.Request) bool {
	others := false
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, weight, _ := strings.Cut(part, ";")
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
		wanted := err != nil || q > 0
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case "gzip":
			return wanted
		case "*":
			others = wanted
		}
	}
	return others
}
