// The head of the desk: name and health of the show, the right of this page, and the theme.

import { byId, clock, icon, write } from './elements.js';
import { Fact } from './terms.js';

/** The first fault, and the number of the others, to fit in a line. @param {string[]} faults */
function brief(faults) {
  return faults.length > 1 ? `${faults[0]} (and ${faults.length - 1} more)` : faults[0];
}

/**
 * Shows the health of the show.
 * @param {Map<string, any>} state
 * @param {boolean} isOpen whether there is a connection
 */
export function showHealth(state, isOpen) {
  const health = byId('health');
  health.classList.toggle('ill', !isOpen || state.get(Fact.healthy) === 0);
  if (!isOpen) return write(health, 'no connection');
  const [host, rate] = [state.get(Fact.host), state.get(Fact.rate)];
  write(byId('host'), host ? `${host === 'jack' ? 'JACK' : 'clock'} ${rate / 1000} kHz` : '');
  const faults = [...state].filter(([key, value]) => key.startsWith(Fact.fault) && value).map(([, text]) => String(text));
  const isWell = state.get(Fact.healthy) === 1 || state.size === 0;
  write(health, isWell ? 'all is well' : faults.length > 0 ? brief(faults) : 'not healthy');
  health.title = faults.join('\n');
  const time = state.get(Fact.started);
  write(byId('clock'), time ? clock((Date.now() - Date.parse(time)) / 1000) : '');
}

/** Shows whether this connection may control the show. @param {import('./connection.js').Hello} hello */
export function showRight(hello) {
  const isLooking = hello.may === 'watch';
  write(byId('version'), `visgraph ${hello.visgraph}`);
  document.body.classList.toggle('watching', isLooking);
  byId('may').hidden = !isLooking;
  /** @type {HTMLAnchorElement} */ (byId('may')).href = `/key.html${location.search}`;
  // Inert parts stay readable for screen readers.
  for (const part of document.querySelectorAll('.showbar, .transport, .cues, .faders, .settings, .jack')) part.toggleAttribute('inert', isLooking);
  for (const id of ['undo', 'redo', 'save', 'reload']) byId(id).hidden = isLooking;
}

const themes = ['', 'light', 'dark'];
function showTheme() {
  const theme = localStorage.getItem('theme') ?? '';
  document.documentElement.dataset.theme = theme;
  byId('theme').textContent = `theme: ${theme || 'auto'}`;
}

/** Connects the buttons of the head that do not affect the show. */
export function beginHead() {
  // The theme follows the system unless the user has chosen one.
  byId('theme').addEventListener('click', () => {
    localStorage.setItem('theme', themes[(themes.indexOf(localStorage.getItem('theme') ?? '') + 1) % themes.length]);
    showTheme();
  });
  showTheme();
  // Sticky elements sit below the head, whose height varies.
  const top = /** @type {HTMLElement} */ (document.querySelector('.top'));
  new ResizeObserver(() => document.documentElement.style.setProperty('--top', `${top.offsetHeight}px`)).observe(top);
  const more = byId('more');
  more.append(icon('more'));
  const open = (/** @type {boolean} */ isOpen) => {
    document.body.classList.toggle('tools-open', isOpen);
    more.setAttribute('aria-expanded', String(isOpen));
  };
  more.addEventListener('click', () => open(more.getAttribute('aria-expanded') !== 'true'));
  document.addEventListener('click', ({ target }) => target instanceof Node && !more.contains(target) && open(false));
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && open(false));
}
