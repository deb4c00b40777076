// Form fields for all kinds of values: switches, choices, faders with numbers, colors, lists, text. The user need not
// know how a graph file writes them.

import { icon, make } from './elements.js';
import { cssColor, hexColor, kinds, parts, plain, quoted } from './values.js';

/**
 * @typedef {Object} Field
 * @property {HTMLElement[]} elements in the order in which they stand
 * @property {HTMLInputElement | HTMLSelectElement} input what the label is for
 * @property {(value: string, place?: number) => void} show a value as a graph file writes it, and the place of its fader
 *
 * @typedef {Object} Place what a field is for
 * @property {string} id of its input
 * @property {string} name for screen readers
 * @property {string} help the id of the text that describes it
 * @property {any} kind
 * @property {(value: string, isGesture?: boolean) => void} set sets a value, as a graph file writes it; in a gesture, which
 *   sets many one after another, all are one step of the history
 * @property {(place: number) => void} move moves the fader to a place, 0…1
 * @property {() => void} release ends the gesture on the fader
 */

/** The most items of a list that are shown. Further items stay as they are. */
const most = 64;

/**
 * Makes the field for a setting.
 * @param {Place} place
 * @returns {Field}
 */
export function fieldFor(place) {
  const all = kinds(place.kind);
  const choices = all.filter((kind) => kind?.choice);
  if (all.length === 1 && all[0] === 'flag') return flagField(place);
  if (choices.length === all.length) return choiceField(place, choices);
  const words = wordButtons(place, choices);
  const field = all.some((kind) => kind?.list) ? listField(place, all)
    : all.some((kind) => kind?.number) ? numberField(place, all.find((kind) => kind?.number))
    : all.includes('colour') ? colorField(place) : textField(place, all);
  if (words.elements.length === 0) return field;
  return {
    elements: [...field.elements, ...words.elements],
    input: field.input,
    show(value, at) {
      const isWord = words.show(value);
      for (const element of field.elements) element.classList.toggle('unused', isWord);
      field.show(isWord ? '' : value, at);
    },
  };
}

/** @param {Place} place @returns {Field} */
function flagField({ id, help, set }) {
  const input = make('input', { type: 'checkbox', id, role: 'switch', class: 'switch', 'aria-describedby': help });
  input.addEventListener('change', () => set(input.checked ? 'true' : 'false'));
  return { elements: [input], input, show: (value) => (input.checked = value === 'true') };
}

/** @param {Place} place @param {any[]} choices @returns {Field} */
function choiceField({ id, help, set }, choices) {
  const input = make('select', { id, 'aria-describedby': help });
  for (const [word, meaning] of choices.flatMap(({ choice }) => Object.entries(choice))) {
    input.append(make('option', { value: word, title: String(meaning) }, word));
  }
  const unset = make('option', { value: '', hidden: true }, 'not set');
  input.append(unset);
  input.addEventListener('change', () => set(input.value));
  return {
    elements: [input],
    input,
    show(value) {
      input.value = plain(value);
      if (input.selectedIndex < 0) input.value = '';
    },
  };
}

/** Makes buttons for the words that may replace a value of another kind. @param {Place} place @param {any[]} choices */
function wordButtons({ name, set }, choices) {
  const buttons = choices.flatMap(({ choice }) => Object.entries(choice)).map(([word, meaning]) => {
    const button = make('button', { type: 'button', title: String(meaning), 'data-word': word, 'aria-label': `${name}: ${word}` }, word);
    button.addEventListener('click', () => set(word));
    return button;
  });
  return {
    elements: buttons.length > 0 ? [make('div', { class: 'words' }, ...buttons)] : [],
    /** @param {string} value true if it is one of the words */
    show(value) {
      for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.word === plain(value)));
      return buttons.some((button) => button.dataset.word === plain(value));
    },
  };
}

/** @param {Place} place @param {any} number @returns {Field} */
function numberField({ id, name, help, set, move, release }, number) {
  const input = make('input', { type: 'text', id, class: 'number', placeholder: '–', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': help });
  const unit = make('span', { class: 'unit' });
  input.addEventListener('change', () => {
    // A number without a unit takes the unit that is shown beside it.
    const isBare = input.value.trim() !== '' && Number.isFinite(Number(input.value));
    set(unit.textContent && isBare ? `${input.value.trim()} ${unit.textContent}` : input.value);
  });
  const fader = number.fader === null ? null
    : make('input', { type: 'range', min: 0, max: 1, step: 0.005, value: 0, class: 'fader', 'aria-label': name, 'aria-describedby': help });
  const fill = () => fader?.style.setProperty('--place', fader.value);
  fader?.addEventListener('input', () => {
    fill();
    move(Number(fader.value));
  });
  fader?.addEventListener('change', release);
  return {
    elements: fader ? [fader, input, unit] : [input, unit],
    input,
    show(value, place) {
      if (fader) {
        fader.value = String(place ?? 0);
        fader.setAttribute('aria-valuetext', value || 'not a number');
        fill();
      }
      if (document.activeElement === input && input.value !== '') return;
      const found = number.units.find((/** @type {string} */ each) => value.endsWith(` ${each}`)) ?? '';
      input.value = found ? value.slice(0, -found.length - 1) : plain(value);
      // While a word is shown, a typed number takes the default unit.
      unit.textContent = found;
    },
  };
}

/** @param {Place} place @returns {Field} */
function colorField({ id, name, help, set }) {
  let alpha = '';
  const swatch = make('input', { type: 'color', class: 'swatch', 'aria-label': `${name}: color` });
  const input = make('input', { type: 'text', id, class: 'text', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': help });
  // Sent for every color on the way of a drag.
  swatch.addEventListener('input', () => set(`"${swatch.value}${alpha}"`, true));
  input.addEventListener('change', () => set(quoted(input.value)));
  return {
    elements: [swatch, input],
    input,
    show(value) {
      [swatch.value, alpha] = hexColor(value);
      if (document.activeElement !== input) input.value = cssColor(value) && parts(value) ? cssColor(value) : plain(value);
    },
  };
}

/** @param {Place} place @param {any[]} all @returns {Field} */
function textField({ id, help, kind, set }, all) {
  const isText = all.some((each) => each === 'file' || each?.text !== undefined);
  // A value with settings of its own is set through those, or cannot be set here.
  const input = make('input', { type: 'text', id, class: 'text', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': help,
    disabled: !isText && all.every((each) => each?.record || each?.map || each?.choice) });
  input.addEventListener('change', () => set(isText && kind !== 'file' ? quoted(input.value) : input.value));
  return {
    elements: [input],
    input,
    show(value) {
      if (document.activeElement !== input) input.value = !isText && value.startsWith('{') ? told(value) : plain(value);
    },
  };
}

/** A list without its brackets. @param {string} text */
const inner = (text) => text.replace(/^\[\s*|\s*\]$/g, '');

/** A map in readable form: names and values without the punctuation of a file. @param {string} text */
const told = (text) => (parts(`[${text.replace(/^\{\s*|\s*\}$/g, '')}]`) ?? [])
  .map((pair) => pair.replace(/^([^:]+):\s*(.*)$/s, (_, name, value) => `${plain(name)} ${plain(value)}`)).join(', ');

/** @param {Place} place @param {any[]} all @returns {Field} */
function listField({ id, name, help, set }, all) {
  const { list: kind, least, most: limit } = all.find((each) => each?.list);
  const isColor = kind === 'colour';
  const isNested = kinds(kind).every((each) => each?.list);
  const isText = kinds(kind).some((each) => each === 'file' || each?.text !== undefined);
  const hasMaps = kinds(kind).some((each) => each?.record || each?.map);
  const box = make('div', { class: least === limit ? 'chips fixed' : 'chips', role: 'group', 'aria-label': name });
  const input = make('input', { type: 'text', id, class: 'add', autocomplete: 'off', spellcheck: 'false', placeholder: 'add', 'aria-describedby': help });
  /** @type {string[]} */ let items = [];
  const written = (/** @type {string} */ text) => (isNested ? `[${text}]` : isText ? quoted(text) : text);
  const put = (/** @type {string[]} */ wanted) => set(`[${wanted.join(', ')}]`);
  /** @param {string} item @param {number} index */
  const chip = (item, index) => {
    const label = `${name}, number ${index + 1}`;
    const isMap = hasMaps && item.startsWith('{');
    const text = isMap ? told(item) : isNested ? inner(item) : plain(item);
    const field = isColor
      ? make('input', { type: 'color', class: 'swatch', value: hexColor(item)[0], title: text, 'aria-label': label })
      : make('input', { type: 'text', value: text, size: Math.max(2, Math.min(24, text.length)), 'aria-label': label, spellcheck: 'false', autocomplete: 'off', readonly: isMap });
    field.addEventListener('change', () => {
      const value = isColor ? `"${field.value}${hexColor(item)[1]}"` : written(field.value);
      put(items.map((other, place) => (place === index ? value : other)));
    });
    const cut = make('button', { type: 'button', class: 'bare', 'aria-label': `remove ${label}` }, icon('close'));
    cut.addEventListener('click', () => put(items.filter((_, place) => place !== index)));
    return make('span', { class: 'chip' }, field, ...(items.length > least ? [cut] : []));
  };
  input.addEventListener('change', () => {
    if (input.value.trim() === '') return;
    put([...items, isColor ? quoted(input.value) : written(input.value)]);
    input.value = '';
  });
  const rest = make('span', { class: 'quiet' });
  let shape = '';
  return {
    elements: [box],
    input,
    show(value) {
      items = value === '' || value === '~' ? [] : parts(value) ?? [value];
      if (JSON.stringify(items) === shape && box.childElementCount > 0) return;
      // An item that the user edits is not replaced.
      if (box.contains(document.activeElement) && document.activeElement !== input) return;
      shape = JSON.stringify(items);
      rest.textContent = items.length > most ? `and ${items.length - most} more` : '';
      box.replaceChildren(...items.slice(0, most).map(chip), ...(items.length > most ? [rest] : []));
      if (items.length < limit) box.append(input);
      // The label needs an element that it refers to.
      else box.querySelector('input')?.setAttribute('id', id);
    },
  };
}
