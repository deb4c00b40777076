// Helpers that make elements.

/**
 * Makes an element.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number | boolean | undefined>} [attributes] false and undefined leave one out
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
}

/**
 * Makes an SVG element.
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Path data of icons, in a view box of 24 × 24. @type {Record<string, string>} */
const shapes = {
  play: 'M7 4.5v15l13-7.5z', pause: 'M6 5h4v14H6zM14 5h4v14h-4z', stop: 'M6 6h12v12H6z',
  previous: 'M6 5h2.5v14H6zM19 5v14L9 12z', next: 'M15.5 5H18v14h-2.5zM5 5v14l10-7z',
  undo: 'M8.5 4 3 9.5 8.5 15v-3.8h5.2a3.6 3.6 0 0 1 0 7.2H7v2.6h6.7a6.2 6.2 0 0 0 0-12.4H8.5z',
  redo: 'M15.5 4 21 9.5 15.5 15v-3.8h-5.2a3.6 3.6 0 0 0 0 7.2H17v2.6h-6.7a6.2 6.2 0 0 1 0-12.4h5.2z',
  more: 'M10 4h4v4h-4zM10 10h4v4h-4zM10 16h4v4h-4z', close: 'M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6 10.6 12 5 6.4z',
  out: 'M5 5h6v2.4H7.4v9.2h9.2V13H19v6H5zM13 5h6v6h-2.4V9.1l-6 6-1.7-1.7 6-6H13z',
  left: 'M15 4.5 7.5 12l7.5 7.5 1.9-1.9L11.3 12l5.6-5.6z',
  pin: 'M9 3h6v1.8l-.9.7v5.2l3.1 2.7v1.8h-4.3V21h-1.8v-5.8H6.8v-1.8l3.1-2.7V5.5L9 4.8z',
  help: 'M12 2.8a9.2 9.2 0 1 0 0 18.4 9.2 9.2 0 0 0 0-18.4zm-1.2 13.1h2.4v2.3h-2.4zm1.3-10c2.2 0 3.8 1.3 3.8 3.3 0 2.3-2.7 2.6-2.7 4.5v.6h-2.4v-.9c0-2.6 2.5-2.8 2.5-4.1 0-.7-.5-1.2-1.3-1.2-.9 0-1.4.6-1.5 1.5H8.1c.1-2.3 1.6-3.7 4-3.7z',
  show: 'M3.5 5h17v11.5h-7.3V19H17v1.5H7V19h3.8v-2.5H3.5zM5.5 7v7.5h13V7z', levels: 'M4 12h3.4v8H4zM10.3 4h3.4v16h-3.4zM16.6 9H20v11h-3.4z',
  faders: 'M5.2 4h1.6v5.2h1.7v3.6H6.8V20H5.2v-7.2H3.5V9.2h1.7zM11.2 4h1.6v9.2h1.7v3.6h-1.7V20h-1.6v-3.2H9.5v-3.6h1.7zM17.2 4h1.6v3.2h1.7v3.6h-1.7V20h-1.6v-9.2h-1.7V7.2h1.7z',
  nodes: 'M3.5 9h6v6h-6zM14.5 4h6v5.5h-6zM14.5 14.5h6V20h-6zM9.5 11.2h2.2V6.8h2.8v1.5h-1.3v7.4h1.3v1.5h-2.8v-4.5H9.5z',
};

/**
 * An icon for a button, hidden from screen readers.
 * @param {string} name
 */
export function icon(name) {
  return draw('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, draw('path', { d: shapes[name] }));
}

/**
 * The element with an id. Throws if there is none.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/**
 * Formats a number with a fixed number of decimals and a true minus sign.
 * @param {number} number
 * @param {number} [digits]
 */
export function figure(number, digits = 1) {
  return number.toFixed(digits).replace('-', '\u2212');
}

/**
 * Formats seconds as minutes:seconds.
 * @param {number} seconds
 */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/**
 * Sets a text only if it differs, because screen readers announce every change of a live region.
 * @param {Element} element
 * @param {string} text
 */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Whether the desk shows one part at a time, as on a phone in either orientation. The query is that of desk.css. */
export const isSmall = () => matchMedia('(max-width: 760px), (max-height: 500px)').matches;

/** A text of the docs without backticks. @param {string} text */
export const words = (text) => text.replaceAll('`', '');
