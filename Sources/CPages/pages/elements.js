// Making elements, in few words.

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
 * Makes an element of a drawing.
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

/** Shapes of buttons, in a square of 24 points. @type {Record<string, string>} */
const shapes = {
  play: 'M7 4.5v15l13-7.5z', pause: 'M6 5h4v14H6zM14 5h4v14h-4z', stop: 'M6 6h12v12H6z',
  previous: 'M6 5h2.5v14H6zM19 5v14L9 12z', next: 'M15.5 5H18v14h-2.5zM5 5v14l10-7z',
};

/**
 * A shape for a button, which a screen reader leaves out.
 * @param {string} name
 */
export function icon(name) {
  return draw('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' }, draw('path', { d: shapes[name] }));
}

/**
 * The element with an id, which is there.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element;
}

/**
 * A number for people: at most three figures behind the point, a true minus.
 * @param {number} number
 * @param {number} [digits]
 */
export function figure(number, digits = 1) {
  return number.toFixed(digits).replace('-', '\u2212');
}

/**
 * Seconds as minutes and seconds.
 * @param {number} seconds
 */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
