// The page as a screen: full screen, awake, without a cursor.

/** Seconds after which a mouse that rests is not seen. */
const REST = 1.5;

/**
 * Takes the whole screen, or gives it back.
 */
async function toggleFullScreen() {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen({ navigationUI: "hide" });
  } catch {
    // Browsers refuse it without a key or a click, and phones some of them always.
  }
}

/** Keeps the screen from going dark, as long as the page is seen. */
async function stayAwake() {
  if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    // An empty battery, or a page that is not seen any more.
  }
}

/**
 * Makes the page a screen.
 * @param {import("./stage-options.js").Options} options
 */
export function beScreen(options) {
  const root = document.documentElement;
  if (options.clear) root.classList.add("clear");
  if (options.embed) return;
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "f" || event.key === "F" || event.key === "Enter") toggleFullScreen();
  });
  addEventListener("click", () => {
    if (!document.fullscreenElement) toggleFullScreen();
  });
  if (options.kiosk) toggleFullScreen();
  let rest = 0;
  const move = () => {
    root.classList.remove("still");
    clearTimeout(rest);
    rest = setTimeout(() => root.classList.add("still"), REST * 1000);
  };
  addEventListener("pointermove", move);
  move();
  stayAwake();
  addEventListener("visibilitychange", stayAwake);
}
