package static

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// compressors reuses writers, since each has tables of several hundred kilobytes.
var compressors = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// Compress compresses a text with gzip, which every browser and every link preview
// understands.
func Compress(body []byte) []byte {
	var b bytes.Buffer
	w := compressors.Get().(*gzip.Writer)
	defer compressors.Put(w)
	w.Reset(&b)
	_, _ = w.Write(body) // writing to a buffer cannot fail
	_ = w.Close()
	return b.Bytes()
}

// compressFile compresses what is compressed once and sent often, as small as gzip can.
func compressFile(body []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // a valid level
	_, _ = w.Write(body)
	_ = w.Close()
	return b.Bytes()
}

// brotliQuality takes 500 ms for the script of a game, once in a process, and makes the first view of a game 5 kB
// smaller than a quality that takes 10 ms.
const brotliQuality = 11

// compressBrotli compresses what is compressed once and sent often. Browsers accept Brotli
// over TLS only, and from localhost.
func compressBrotli(body []byte) []byte {
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, brotliQuality)
	_, _ = w.Write(body)
	_ = w.Close()
	return b.Bytes()
}

// AcceptsGzip reports whether the client accepts gzip.
func AcceptsGzip(r *http.Request) bool { return accepts(r, "gzip") }

// accepts reports whether the client accepts a coding: the weight of the coding, or else
// of "*", is above zero (RFC 9110, 12.5.3).
func accepts(r *http.Request, wanted string) bool {
	others := false
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, weight, _ := strings.Cut(part, ";")
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
		positive := err != nil || q > 0
		switch strings.ToLower(strings.TrimSpace(coding)) {
		case wanted:
			return positive
		case "*":
			others = positive
		}
	}
	return others
}
