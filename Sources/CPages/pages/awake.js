// Keeps the screen from going dark as long as the page is seen: a show is looked at, and steered, for hours.

/** Asks for it; browsers allow it to pages of this machine and by https, and give it up with the page. */
async function ask() {
  if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
  try {
    await navigator.wakeLock.request('screen');
  } catch {
    // An empty battery, or a page that is not seen any more.
  }
}

/** From now on. */
export function stayAwake() {
  ask();
  addEventListener('visibilitychange', ask);
}
