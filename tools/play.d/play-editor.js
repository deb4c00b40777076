// The editor of an emitter: its settings, its cells, and its drives by sound.

import { carried, pictureNames } from "./play-data.js";
import { cellSettings, driveable, layerSettings, MOST, newCell, numberKind } from "./play-model.js";
import { field, shortText, shownUnit } from "./play-fields.js";
import { make } from "../../Sources/CPages/pages/elements.js";

/** @typedef {import("./play-model.js").Emitter} Emitter */
/** @typedef {import("./play-model.js").Cell} Cell */
/** @typedef {import("./play-model.js").Declared} Declared */
/** @typedef {{cell: Cell, path: string, key: string, siblings: Cell[]}} CellPlace A cell, the names and indices that lead to it, and where it is kept. */

/** The components of a color, which the color field changes together. */
const COLOR = ["color.red", "color.green", "color.blue"];

/** @param {number[]} color 0…1 */
function hexOf(color) {
  return `#${color.slice(0, 3).map((part) => Math.round(255 * Math.min(1, Math.max(0, part))).toString(16).padStart(2, "0")).join("")}`;
}

/** @param {string} hex */
function colorOf(hex) {
  return [1, 3, 5].map((at) => Number((Number.parseInt(hex.slice(at, at + 2), 16) / 255).toFixed(4)));
}

/** Shows an emitter and changes it. */
export class Editor {
  /** The open tab: the indices of a cell, "emitter", or "drive". @type {string} */
  place = "emitter";
  /** @type {(() => void)[]} */ #refresh = [];
  #filter = "";
  #showsAll = false;

  /**
   * @param {HTMLElement} tabs
   * @param {HTMLElement} panel
   * @param {(isGesture: boolean) => void} onChange Told that the emitter has changed.
   */
  constructor(tabs, panel, onChange) {
    this.tabs = tabs;
    this.panel = panel;
    this.onChange = onChange;
    /** @type {Emitter} */
    this.emitter = /** @type {any} */ (null);
    tabs.addEventListener("keydown", (event) => {
      const all = /** @type {HTMLElement[]} */ ([...tabs.querySelectorAll("[role=tab]")]);
      const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (at < 0 || !step) return;
      event.preventDefault();
      const next = all[(at + step + all.length) % all.length];
      next.click();
      /** @type {HTMLElement|null} */ (tabs.querySelector("[aria-selected=true]"))?.focus();
    });
  }

  /** @param {Emitter} emitter Another emitter, or the same as it was once. */
  show(emitter) {
    this.emitter = emitter;
    if (!this.#cell()) this.place = this.place === "drive" ? "drive" : "emitter";
    this.#build();
  }

  /** All cells with their paths. */
  #cells() {
    /** @type {CellPlace[]} */
    const found = [];
    const add = (/** @type {Cell[]} */ cells, /** @type {string} */ path, /** @type {string} */ key) => {
      cells.forEach((cell, i) => {
        found.push({ cell, path: path + cell.name, key: `${key}${i}`, siblings: cells });
        add(cell.cells, `${path}${cell.name} › `, `${key}${i}.`);
      });
    };
    add(this.emitter.cells, "", "");
    return found;
  }

  #cell() {
    return this.#cells().find(({ key }) => key === this.place);
  }

  /** @param {boolean} [isGesture] */
  #changed(isGesture = false) {
    for (const refresh of this.#refresh) refresh();
    this.onChange(isGesture);
  }

  /** Updates the editor after cells or drives were added or removed. */
  #reshaped() {
    const keys = new Set(driveable(this.emitter).keys());
    this.emitter.drive = this.emitter.drive.filter(({ key }) => keys.has(key));
    if (!this.#cell() && this.place !== "drive") this.place = "emitter";
    this.#build();
    this.onChange(false);
  }

  #build() {
    this.#refresh = [];
    const places = [
      { key: "emitter", title: "Emitter" },
      ...this.#cells().map(({ key, path }) => ({ key, title: path })),
      { key: "drive", title: `Sound (${this.emitter.drive.length})` },
    ];
    this.tabs.replaceChildren(...places.map(({ key, title }) => {
      const isSelected = key === this.place;
      const tab = make("button", { type: "button", role: "tab", id: `tab-${key}`, "aria-selected": String(isSelected), "aria-controls": "settings", tabindex: isSelected ? 0 : -1 }, title);
      tab.addEventListener("click", () => {
        this.place = key;
        this.#build();
        document.getElementById(`tab-${key}`)?.focus();
      });
      return tab;
    }));
    this.panel.setAttribute("aria-labelledby", `tab-${this.place}`);
    const cell = this.#cell();
    if (this.place === "drive") this.panel.replaceChildren(...this.#drives());
    else if (cell) this.panel.replaceChildren(...this.#cellHead(cell), ...this.#settings(cellSettings, cell.cell.set, this.#color(cell.cell)));
    else this.panel.replaceChildren(...this.#palette(), ...this.#settings(layerSettings, this.emitter.set, null), this.#adder("Add a cell", this.emitter.cells));
    for (const refresh of this.#refresh) refresh();
  }

  // Settings

  /**
   * The settings that are set and, on demand, all others.
   * @param {Declared} declared
   * @param {import("./play-model.js").Values} set
   * @param {HTMLElement|null} first
   */
  #settings(declared, set, first) {
    const search = make("input", { type: "search", placeholder: "Find a setting", "aria-label": "Find a setting" });
    search.value = this.#filter;
    const all = make("input", { type: "checkbox", role: "switch", id: "show-all" });
    all.checked = this.#showsAll;
    const list = make("div", { class: "list" });
    const nothing = make("p", { class: "quiet" });
    const rows = declared.settings.map((setting) => {
      const put = (/** @type {number|string|boolean} */ value, /** @type {boolean} */ isGesture) => {
        const allowed = declared.allowed(setting, value);
        if (allowed === undefined) return;
        if (Object.is(allowed, declared.initial.get(setting.name))) delete set[setting.name];
        else set[setting.name] = allowed;
        this.#state(setting.name, true);
        this.#changed(isGesture);
      };
      const reset = () => {
        delete set[setting.name];
        this.#state(setting.name, false);
        this.#changed();
      };
      const { element, show } = field(setting, put, reset);
      list.append(element);
      this.#refresh.push(() => show(this.#value(declared, set, setting.name), this.#isSet(set, setting.name)));
      return { element, name: setting.name, wasSet: this.#isSet(set, setting.name) };
    });
    const find = () => {
      [this.#filter, this.#showsAll] = [search.value, all.checked];
      const words = search.value.toLowerCase();
      let shown = 0;
      for (const row of rows) {
        row.wasSet ||= this.#isSet(set, row.name);
        row.element.hidden = words ? !row.name.toLowerCase().includes(words) : !(all.checked || row.wasSet);
        shown += Number(!row.element.hidden);
      }
      nothing.textContent = shown > 0 ? "" : words ? "No setting is called so." : "All is as it is at first: show all settings, or look for one.";
    };
    search.addEventListener("input", find);
    all.addEventListener("change", find);
    find();
    const more = make("div", { class: "more" }, search, make("label", { class: "switch", for: "show-all" }, all, `All ${rows.length}`));
    return [more, ...(first ? [first] : []), list, nothing];
  }

  /**
   * Stores whether the file states a position, which then overrides that of the channel.
   * @param {string} name
   * @param {boolean} isSaid
   */
  #state(name, isSaid) {
    if (this.place !== "emitter") return;
    if (name === "position.x") this.emitter.stated[0] = isSaid;
    if (name === "position.y") this.emitter.stated[1] = isSaid;
  }

  /** @param {import("./play-model.js").Values} set @param {string} name */
  #isSet(set, name) {
    const part = this.place === "emitter" ? ["position.x", "position.y"].indexOf(name) : -1;
    return part >= 0 ? this.emitter.stated[part] : name in set;
  }

  /** @param {Declared} declared @param {import("./play-model.js").Values} set @param {string} name */
  #value(declared, set, name) {
    const part = this.place === "emitter" ? ["position.x", "position.y"].indexOf(name) : -1;
    return part >= 0 && !this.emitter.stated[part] ? carried.stage.places[0][0][part] : declared.value(set, name);
  }

  // Colors

  /** @param {Cell} cell */
  #color(cell) {
    const input = make("input", { type: "color", id: "cell-color" });
    input.addEventListener("input", () => {
      colorOf(input.value).forEach((part, i) => {
        if (part === cellSettings.initial.get(COLOR[i])) delete cell.set[COLOR[i]];
        else cell.set[COLOR[i]] = part;
      });
      this.#changed(true);
    });
    this.#refresh.push(() => (input.value = hexOf(COLOR.map((name) => Number(cellSettings.value(cell.set, name))))));
    return make("div", { class: "row" }, make("label", { for: "cell-color" }, "color"), input);
  }

  #palette() {
    const { palette } = this.emitter;
    const boxes = ["left", "right"].map((side, i) => {
      const input = make("input", { type: "color", "aria-label": `Color of the ${side} channel` });
      input.addEventListener("input", () => {
        if (palette.length < 2) palette.splice(0, 2, ...[0, 1].map((each) => [...(palette[each % Math.max(1, palette.length)] ?? [1, 1, 1, 1])]));
        palette[i] = [...colorOf(input.value), 1];
        this.#changed(true);
      });
      this.#refresh.push(() => (input.value = hexOf(palette.length > 0 ? palette[i % palette.length] : [1, 1, 1])));
      return input;
    });
    return [make("div", { class: "row" }, make("span", { class: "name" }, "palette, left and right"), ...boxes)];
  }

  // Cells

  /** @param {string} title @param {Cell[]} cells */
  #adder(title, cells) {
    const button = make("button", { type: "button" }, title);
    button.disabled = this.#cells().length >= MOST.cells;
    button.addEventListener("click", () => {
      const names = new Set(cells.map(({ name }) => name));
      let name = "cell";
      for (let i = 2; names.has(name); i++) name = `cell${i}`;
      const cell = newCell(name);
      cells.push(cell);
      this.place = this.#cells().find((one) => one.cell === cell)?.key ?? this.place;
      this.#reshaped();
    });
    return button;
  }

  /** @param {CellPlace} place */
  #cellHead({ cell, siblings }) {
    const name = make("input", { type: "text", id: "cell-name", autocomplete: "off", spellcheck: "false", maxlength: 40 });
    name.value = cell.name;
    name.addEventListener("change", () => {
      const word = name.value.replace(/[^A-Za-z0-9_-]/g, "");
      if (word === "" || siblings.some((other) => other !== cell && other.name === word)) {
        name.value = cell.name;
        return;
      }
      // Drives follow the cell to its new name.
      const before = [...driveable(this.emitter).keys()];
      cell.name = word;
      const after = [...driveable(this.emitter).keys()];
      for (const drive of this.emitter.drive) drive.key = after[before.indexOf(drive.key)];
      this.#reshaped();
    });
    const contents = make("select", { id: "cell-contents" }, ...["soft", "none", ...pictureNames].map((word) => make("option", { value: word }, word)));
    contents.value = cell.contents;
    contents.addEventListener("change", () => {
      cell.contents = contents.value;
      this.#changed();
    });
    const remove = make("button", { type: "button" }, "Remove");
    remove.addEventListener("click", () => {
      siblings.splice(siblings.indexOf(cell), 1);
      this.#reshaped();
    });
    const depth = this.place.split(".").length;
    return [
      make("div", { class: "row" }, make("label", { for: "cell-name" }, "name"), name, make("label", { for: "cell-contents" }, "contents"), contents),
      make("div", { class: "row" }, remove, ...(depth < 3 ? [this.#adder("Add an inner cell", cell.cells)] : [])),
    ];
  }

  // Drives

  #drives() {
    const known = driveable(this.emitter);
    const cards = this.emitter.drive.map((drive, i) => this.#drive(drive, i, known));
    const add = make("select", { id: "add-drive" }, make("option", { value: "" }, "choose a number …"));
    for (const key of known.keys()) {
      if (!this.emitter.drive.some((drive) => drive.key === key)) add.append(make("option", { value: key }, key));
    }
    add.disabled = this.emitter.drive.length >= MOST.drives;
    add.addEventListener("change", () => {
      const setting = known.get(add.value);
      if (!setting) return;
      const { minimum, maximum } = numberKind(setting.kind);
      const least = Math.max(minimum, Math.min(maximum, 0)), most = Math.max(minimum, Math.min(maximum, REACHED[setting.unit ?? "none"] ?? 1));
      this.emitter.drive.push({ key: add.value, from: [0, 1], to: [least, most], curve: 1, clamp: true, idle: least });
      this.#reshaped();
    });
    return [...cards, make("div", { class: "row" }, make("label", { for: "add-drive" }, "Let the sound drive"), add)];
  }

  /** @param {import("./play-model.js").Drive} drive @param {number} i @param {Map<string, any>} known */
  #drive(drive, i, known) {
    const setting = known.get(drive.key);
    const help = Object.fromEntries(carried.drive.map(({ name, help }) => [name, help]));
    const declared = Object.fromEntries(carried.drive.map((one) => [one.name, one]));
    const ends = { kind: setting.kind, is: "number" };
    const level = { kind: { number: "ratio", units: [], minimum: 0, maximum: 1, whole: false }, is: "number" };
    /** @type {[any, () => number|boolean, (value: any) => void][]} */
    const rows = [
      [{ ...ends, name: "to", title: "quiet", help: help.to }, () => drive.to[0], (value) => (drive.to[0] = value)],
      [{ ...ends, name: "to", title: "loud", help: help.to }, () => drive.to[1], (value) => (drive.to[1] = value)],
      [{ ...ends, name: "idle", help: help.idle }, () => drive.idle, (value) => (drive.idle = value)],
      [{ ...level, name: "from", title: "from level", help: help.from }, () => drive.from[0], (value) => value !== drive.from[1] && (drive.from[0] = value)],
      [{ ...level, name: "from", title: "to level", help: help.from }, () => drive.from[1], (value) => value !== drive.from[0] && (drive.from[1] = value)],
      [{ ...declared.curve, help: help.curve }, () => drive.curve, (value) => (drive.curve = value)],
      [{ ...declared.clamp, help: help.clamp }, () => drive.clamp, (value) => (drive.clamp = value)],
    ];
    const remove = make("button", { type: "button", "aria-label": `Do not drive ${drive.key}` }, "Remove");
    remove.addEventListener("click", () => {
      this.emitter.drive.splice(i, 1);
      this.#reshaped();
    });
    const now = make("output", { class: "now", "data-key": drive.key });
    const card = make("fieldset", {}, make("legend", {}, drive.key), make("div", { class: "row" }, make("p", { class: "quiet" }, setting.help), now, remove));
    for (const [row, value, put] of rows) {
      const { element, show } = field(row, (changed, isGesture) => {
        put(changed);
        this.#changed(isGesture);
      }, null);
      this.#refresh.push(() => show(value(), true));
      card.append(element);
    }
    return card;
  }

  /** Shows the current values of driven numbers. @param {(key: string) => number|undefined} valueOf */
  tell(valueOf) {
    for (const output of this.panel.querySelectorAll("output[data-key]")) {
      const key = output.getAttribute("data-key") ?? "";
      const setting = driveable(this.emitter).get(key);
      const value = valueOf(key);
      if (!setting || value === undefined) continue;
      const { word, factor } = shownUnit(setting.kind);
      output.textContent = `${shortText(Number((value / factor).toPrecision(3)))} ${word}`;
    }
  }
}

/** The upper end of a new drive's range, by unit. */
const REACHED = /** @type {Record<string, number>} */ ({ none: 2, seconds: 2, perSecond: 100, radians: Math.PI, points: 200, pointsAcross: 1280, pointsDown: 720, ratio: 1 });
