// Package artifact holds the WebAssembly module that web/local/wasm is compiled to.
//
// The module is committed, so that the server starts with nothing but Go, and a binary on
// a machine without Go has it (deploy/decisions/0038). After a change of the code in the
// module, this command builds it again:
//
//	go generate ./web/local/artifact
//
// sources.txt tells of which code it was built. A test compares that with the repository.
package artifact

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
)

//go:generate go test -run TestArtifactIsBuiltOfTheseSources -update

// Brotli is the module, compressed with Brotli.
//
//go:embed local.wasm.br
var Brotli []byte

// Module returns the module as it was built.
func Module() ([]byte, error) {
	module, err := io.ReadAll(brotli.NewReader(bytes.NewReader(Brotli)))
	if err != nil {
		return nil, fmt.Errorf("artifact: %w", err)
	}
	return module, nil
}
