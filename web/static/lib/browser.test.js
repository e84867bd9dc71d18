// The parts of a browser that modules need when they are loaded, for tests of modules that are more than pure.
const nothing = () => {};

/** Stands in for the page: it has no elements, and no setting was changed. */
export function emptyPage() {
  Object.assign(globalThis, {
    document: {
      documentElement: { dataset: {}, lang: "en" },
      addEventListener: nothing,
      querySelector: () => null,
      createElement: () => ({ content: { firstElementChild: null } }),
    },
    HTMLElement: class {},
    customElements: { define: nothing },
    addEventListener: nothing,
    BroadcastChannel: class extends EventTarget {},
    matchMedia: () => ({ matches: false, addEventListener: nothing }),
    location: new URL("http://mancala.test/"),
    window: globalThis,
    self: globalThis,
  });
}
