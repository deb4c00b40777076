// A part of the page that did not come leaves it black: the page is asked for anew. Where many open it at once some of their
// connections are refused, so each waits a while of its own. No module, as it must be there before those are.

addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLScriptElement) setTimeout(() => location.reload(), 2000 + 4000 * Math.random());
  },
  true,
);
