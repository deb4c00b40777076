// The field of one setting: fader, number, choice or switch, with unit, range and help from its declaration.

import { carried } from "./play-data.js";
import { numberKind } from "./play-model.js";
import { make } from "../../Sources/CPages/pages/elements.js";

/** The least range of a fader, by the kind of number, in base units (seconds, points, radians). */
const REACH = /** @type {Record<string, number>} */ ({ none: 3, seconds: 5, perSecond: 200, radians: 2 * Math.PI, points: 400, pointsAcross: 1280, pointsDown: 720, ratio: 1 });

let count = 0;

/**
 * The unit in which a number is shown, and its size in base units.
 * @param {any} kind
 * @returns {{word: string, factor: number}}
 */
export function shownUnit(kind) {
  const { units, number } = numberKind(kind);
  const word = units.includes("deg") ? "deg" : number === "ratio" ? "" : units[0] ?? "";
  return { word, factor: carried.units[number]?.[word] ?? 1 };
}

/**
 * Formatted with at most six significant digits.
 * @param {number} value As people write it: no more figures than are of use.
 */
export function shortText(value) {
  return Number.isFinite(value) ? String(Number(value.toPrecision(6))) : "none";
}

/**
 * The mapping of a fader. It is quadratic around 0, so that small and large values can both be set.
 * @param {any} kind
 * @param {number} value The fader reaches at least as far.
 */
function law(kind, value) {
  const { minimum, maximum, number } = numberKind(kind);
  const least = Math.max(REACH[number] ?? 1, Number.isFinite(value) ? 2 * Math.abs(value) : 0);
  const [bottom, top] = [Math.max(minimum, -least), Math.min(maximum, least)];
  const isStraight = number === "ratio" || bottom > 0 || number.startsWith("points") && number !== "points";
  const most = Math.max(Math.abs(bottom), Math.abs(top));
  const bend = (/** @type {number} */ part) => Math.sign(part) * part * part * most;
  const unbend = (/** @type {number} */ number) => Math.sign(number) * Math.sqrt(Math.abs(number) / most);
  return isStraight
    ? { least: bottom, most: top, value: (/** @type {number} */ place) => place, place: (/** @type {number} */ number) => number }
    : { least: unbend(bottom), most: unbend(top), value: bend, place: unbend };
}

/**
 * A field that changes one value.
 * @typedef {object} FieldOf
 * @property {HTMLElement} element
 * @property {(value: number|string|boolean, isSet: boolean) => void} show
 */

/**
 * @param {{name: string, title?: string, help: string, kind: any, is?: string}} setting
 * @param {(value: number|string|boolean, isGesture: boolean) => void} change
 * @param {(() => void)|null} reset Makes it as it was at first; null: it cannot be.
 * @returns {FieldOf}
 */
export function field(setting, change, reset) {
  const id = `field-${++count}`;
  const { kind } = setting;
  const help = make("p", { class: "help", id: `${id}-help` }, setting.help);
  const label = make("label", { for: id }, setting.title ?? setting.name);
  const element = make("div", { class: "setting" }, label);
  const described = { id, "aria-describedby": help.id };
  /** @type {FieldOf["show"]} */
  let show;
  if (kind === "flag") {
    const box = make("input", { type: "checkbox", role: "switch", ...described });
    box.addEventListener("change", () => change(box.checked, false));
    element.append(box);
    show = (value) => (box.checked = value === true);
  } else if (kind.choice) {
    const list = make("select", described);
    for (const [word, meaning] of Object.entries(kind.choice)) list.append(make("option", { value: word, title: String(meaning) }, word));
    list.addEventListener("change", () => change(list.value, false));
    element.append(list);
    show = (value) => (list.value = String(value));
  } else {
    const { word, factor } = shownUnit(kind);
    const { minimum, maximum, whole } = numberKind(kind);
    const fader = make("input", { type: "range", step: "any", class: "fader", "aria-label": `${setting.title ?? setting.name}, fader`, "aria-describedby": help.id });
    const box = make("input", { type: "text", inputmode: "decimal", class: "number", autocomplete: "off", spellcheck: "false", ...described });
    help.append(make("span", { class: "takes" }, ` ${shortText(minimum / factor)} … ${shortText(maximum / factor)}${word ? ` ${word}` : ""}.`));
    let now = law(kind, 0);
    const within = (/** @type {number} */ value) => {
      const clamped = Math.min(maximum, Math.max(minimum, value));
      return whole ? Math.round(clamped) : clamped;
    };
    fader.addEventListener("input", () => change(within(Number((now.value(Number(fader.value)) / factor).toPrecision(3)) * factor), true));
    box.addEventListener("change", () => {
      const value = Number(box.value.trim().replace(",", "."));
      if (box.value.trim() === "" || !Number.isFinite(value)) return reset?.();
      change(within(value * factor), false);
    });
    element.append(fader, box, make("span", { class: "unit" }, word));
    show = (value) => {
      const number = Number(value);
      if (document.activeElement !== fader) {
        now = law(kind, number);
        Object.assign(fader, { min: String(now.least), max: String(now.most) });
        fader.value = String(Number.isFinite(number) ? now.place(number) : now.most);
      }
      fader.setAttribute("aria-valuetext", `${shortText(number / factor)} ${word}`.trim());
      if (document.activeElement !== box || box.value === "") box.value = shortText(number / factor);
    };
  }
  if (reset) {
    const button = make("button", { type: "button", class: "reset", "aria-label": `${setting.title ?? setting.name} as it is at first`, title: "as it is at first" }, "×");
    button.addEventListener("click", reset);
    element.append(button);
  }
  element.append(help);
  return {
    element,
    show: (value, isSet) => {
      show(value, isSet);
      element.classList.toggle("set", isSet);
    },
  };
}
