// Command wasm is package web/local as a WebAssembly module, which a worker of the browser
// calls.
//
// It is built as a reactor: _initialize starts the runtime, and the functions of
// exports_wasip1.go are called after that. web/static/local calls them, and
// web/local/artifact keeps the module that was built.
package main

func main() {} // a reactor does not run it
