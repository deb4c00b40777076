// The pictures of particles that are embedded in the page.

import { carriedFile } from "./play-data.js";
import { decode, Pictures } from "../../Sources/CPages/pages/stage-pictures.js";

/** Pictures by file name. */
export class PlayPictures extends Pictures {
  /** @param {(address: string) => void} onArrival Told of each that has been decoded. */
  constructor(onArrival) {
    super(onArrival, "");
  }

  /** @param {string} name */
  async fetch(name) {
    const bytes = carriedFile(name);
    if (!bytes) return;
    const picture = await decode(new Blob([bytes], { type: "image/png" }));
    if (this.known.get(name) !== null) return;
    this.known.set(name, picture);
    this.onArrival(name);
  }
}
