// Keeps the screen on while the page is visible, as a show is watched and controlled for hours.

/** Requests a screen wake lock. Browsers allow it for localhost and HTTPS, and release it when the page is hidden. */
async function ask() {
  if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
  try {
    await navigator.wakeLock.request('screen');
  } catch {
    // The battery is low, or the page is hidden.
  }
}

/** Keeps the screen on from now on. */
export function stayAwake() {
  ask();
  addEventListener('visibilitychange', ask);
}
