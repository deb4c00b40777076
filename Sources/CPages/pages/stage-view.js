// The page as a screen: full screen, awake, without a cursor.

import { stayAwake } from "./awake.js";

/** Seconds after which a mouse that rests is not seen. */
const REST = 1.5;
/** Seconds in which the picture fades: out when the show has ended, out when it was lost, and in again. */
const FADE = { ended: 1, lost: 3, back: 0.5 };

/** The picture while no program sends any: it fades out, at once where the show has ended, else after a while. */
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
    /** What has become of the program. @type {"there"|"lost"|"ended"} */
    this.state = "there";
  }

  /**
   * The program is gone.
   * @param {boolean} hasEnded Whether the show has ended, as it said itself.
   */
  begin(hasEnded) {
    // Every attempt to find it again that fails comes here, too: what has begun goes on.
    if (this.state === "ended" || (this.state === "lost" && !hasEnded)) return;
    this.state = hasEnded ? "ended" : "lost";
    clearTimeout(this.#later);
    if (hasEnded) this.#fade(0, FADE.ended);
    // Where it has no end a timer would have: 24 days are the longest.
    else this.#later = setTimeout(() => this.#fade(0, FADE.lost), Math.min(this.hold * 1000, 2 ** 31 - 1));
  }

  /** A frame has come. */
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
  // A browser also sends a move without a way where a page appears or is laid out anew below a mouse that rests.
  addEventListener("pointermove", ({ movementX, movementY }) => {
    if (movementX !== 0 || movementY !== 0) move();
  });
  root.classList.add("still");
  stayAwake();
}
