// Conversions between values as a graph file writes them and as the desk shows them: unquoted words, list items,
// colors.

/**
 * A word or text without the quotes of the file.
 * @param {string} text
 */
export function plain(text) {
  if (/^"(?:[^"\\]|\\.)*"$/.test(text)) {
    try {
      return String(JSON.parse(text));
    } catch {
      return text.slice(1, -1);
    }
  }
  return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text;
}

/**
 * A text as a file needs it: quoted where it could be read as something else.
 * @param {string} text
 */
export function quoted(text) {
  const isPlain = /^[\p{L}_/.][\p{L}\p{N}_/. -]*$/u.test(text) && !/^(?:true|false|yes|no|on|off|null)$/i.test(text) && text === text.trim();
  return isPlain ? text : JSON.stringify(text);
}

/**
 * The items of a list in brackets, as written; null if the text is no list.
 * @param {string} text
 * @returns {string[] | null}
 */
export function parts(text) {
  const inside = /^\[(.*)\]$/s.exec(text.trim())?.[1];
  if (inside === undefined) return null;
  const found = [];
  let [part, depth, quote] = ['', 0, ''];
  for (let i = 0; i < inside.length; i += 1) {
    const sign = inside[i];
    if (quote) {
      if (sign === '\\' && quote === '"') part += inside[i++];
      else if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if ('[{('.includes(sign)) depth += 1;
    else if (']})'.includes(sign)) depth -= 1;
    else if (sign === ',' && depth === 0) {
      found.push(part.trim());
      part = '';
      continue;
    }
    part += inside[i];
  }
  if (part.trim() !== '' || found.length > 0) found.push(part.trim());
  return found.filter((each) => each !== '');
}

/**
 * A color in CSS notation; empty if the value is no color.
 * @param {string} value
 */
export function cssColor(value) {
  const numbers = parts(value)?.map((each) => Number(each));
  if (numbers && numbers.length >= 3 && numbers.every(Number.isFinite)) {
    const [red, green, blue] = numbers.map((each) => Math.round(255 * each));
    return `rgb(${red} ${green} ${blue} / ${numbers[3] ?? 1})`;
  }
  const text = plain(value);
  return CSS.supports('color', text) ? text : '';
}

/**
 * A color as `<input type="color">` takes it (#RRGGBB), and the two digits of its alpha, empty if opaque.
 * @param {string} value
 * @returns {[string, string]}
 */
export function hexColor(value) {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) return ['#000000', ''];
  context.fillStyle = cssColor(value) || '#000';
  const text = String(context.fillStyle);
  if (text.startsWith('#')) return [text, ''];
  const [red, green, blue, alpha] = (text.match(/[\d.]+/g) ?? []).map(Number);
  const hex = (/** @type {number} */ number) => Math.round(number).toString(16).padStart(2, '0');
  return [`#${hex(red)}${hex(green)}${hex(blue)}`, alpha >= 1 ? '' : hex(255 * alpha)];
}

/**
 * All alternatives of a kind, with nested `oneOf` flattened.
 * @param {any} kind
 * @returns {any[]}
 */
export function kinds(kind) {
  return Array.isArray(kind?.oneOf) ? kind.oneOf.flatMap(kinds) : [kind];
}

/**
 * The arguments of the message that sets a value. A list of files becomes several arguments, as the control port
 * expects.
 * @param {string} value
 * @param {any} kind
 * @returns {string[]}
 */
export function messageOf(value, kind) {
  const isFile = kinds(kind).some((each) => each === 'file' || each?.list === 'file');
  const list = isFile ? parts(value) : null;
  return list && list.length > 0 ? list.map(plain) : [isFile ? plain(value) : value];
}
