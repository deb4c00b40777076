// Reloads the page if a script fails to load, because the page would stay black. A server may refuse connections when
// many pages open at once, so each waits for a random time. This is no module, because it must run before the modules
// load.

addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLScriptElement) setTimeout(() => location.reload(), 2000 + 4000 * Math.random());
  },
  true,
);
