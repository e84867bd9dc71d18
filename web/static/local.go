package static

import "mancala/web/local/artifact"

// What plays without a server: the module, and the script of the worker that runs it.
const (
	LocalModule = "local.wasm"
	LocalWorker = "localworker.js"
)

// startsWorker is the source that names the worker.
const startsWorker = "local/engine.js"

// localPolicy lets the worker compile its module. A worker has the policy of its own script and not
// that of the page, so no page needs this.
const localPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

// addLocal adds the module and its worker. A page starts the worker of its own release, and the worker
// loads the module of its own. Nearly every browser takes the module as it is stored; the other forms are
// large.
func (a *Assets) addLocal(all graph) error {
	a.addLater(LocalModule, artifact.Brotli, artifact.Module)
	a.change(LocalModule, func(f *asset) {
		f.stored = artifact.Brotli
		f.brotli = func() []byte { return artifact.Brotli }
	})
	err := a.addBundle(all, "local/"+LocalWorker, []string{LocalModule})
	a.change(LocalWorker, func(f *asset) { f.policy = localPolicy })
	return err
}

// change changes an asset that was added.
func (a *Assets) change(name string, change func(*asset)) {
	f := a.Bodies[a.Hashed[name]]
	change(&f)
	a.Bodies[a.Hashed[name]] = f
}
