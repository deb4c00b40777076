// The page as a screen: full screen, awake, without a cursor.

import { stayAwake } from "./awake.js";

/** Seconds after which a resting cursor is hidden. */
const REST = 1.5;
/** Seconds of fades: out when the show ends, out when the program is lost, and in again. */
const FADE = { ended: 1, lost: 3, back: 0.5 };

/** The picture while no program sends one. It fades out, at once if the show has ended, else after a while. */
export class Absence {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #later;

  /**
   * @param {HTMLElement} picture
   * @param {number} hold Seconds for which the picture of a lost program stays.
   */
  constructor(picture, hold) {
    this.picture = picture;
    this.hold = hold;
    /** Whether the program is there, lost, or has ended. @type {"there"|"lost"|"ended"} */
    this.state = "there";
  }

  /**
   * Reports that the program is gone.
   * @param {boolean} hasEnded Whether the show has ended, as it said itself.
   */
  begin(hasEnded) {
    // Every failed reconnection comes here, too, and must not restart the fade.
    if (this.state === "ended" || (this.state === "lost" && !hasEnded)) return;
    this.state = hasEnded ? "ended" : "lost";
    clearTimeout(this.#later);
    if (hasEnded) this.#fade(0, FADE.ended);
    // Timers take at most 2³¹ − 1 ms, which is 24 days.
    else this.#later = setTimeout(() => this.#fade(0, FADE.lost), Math.min(this.hold * 1000, 2 ** 31 - 1));
  }

  /** Reports that a frame has come. */
  end() {
    if (this.state === "there") return;
    this.state = "there";
    clearTimeout(this.#later);
    this.#fade(1, FADE.back);
  }

  /**
   * @param {number} opacity
   * @param {number} seconds
   */
  #fade(opacity, seconds) {
    this.picture.style.transition = `opacity ${seconds}s linear`;
    this.picture.style.opacity = String(opacity);
  }
}

/**
 * Enters or leaves full screen.
 */
async function toggleFullScreen() {
  try {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen({ navigationUI: "hide" });
  } catch {
    // Browsers refuse full screen without a user gesture, and some phones refuse it always.
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
  addEventListener("pointerdown", move);
  // Browsers also send a move without a distance when a page is laid out below a resting mouse.
  addEventListener("pointermove", ({ movementX, movementY }) => {
    if (movementX !== 0 || movementY !== 0) move();
  });
  root.classList.add("still");
  stayAwake();
}
