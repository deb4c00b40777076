// The connection of a stage, which also estimates the program's clock.

import { Connection } from "./connection.js";
import { ServerClock } from "./stage-clock.js";

const now = () => performance.now() / 1000;

/** A connection that sends pings regularly. */
export class StageConnection extends Connection {
  /**
   * @param {WebAssembly.Module} module Of the simulation, which also estimates clocks.
   * @param {string} query Follows the address of the socket.
   */
  constructor(module, query) {
    super(query);
    this.clock = new ServerClock(module);
    /** The number of connections so far. The pings of an earlier connection stop. */
    let count = 0;
    /** @param {number} connection */
    const ask = (connection) => {
      if (connection !== count || !this.isOpen) return;
      this.send({ ping: now() });
      setTimeout(() => ask(connection), this.clock.pause * 1000);
    };
    this.addEventListener("open", () => {
      this.clock.forget();
      ask(++count);
    });
    this.on("message", (/** @type {{pong?: number, clock: number}} */ message) => {
      if (typeof message.pong === "number") this.clock.note(message.pong, now(), message.clock);
    });
  }
}
