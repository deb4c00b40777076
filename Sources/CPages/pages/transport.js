// The players of the graph: transport, position, volume.

import { clock, icon, make } from './elements.js';

const address = /^\/visgraph\/status\/node\/([^/]+)\/(.+)$/;

/**
 * The name of the file at a URL. Names on Linux are bytes: those that are not UTF-8 are shown as `\xE9`, as in the list.
 * @param {string} url
 */
function nameIn(url) {
  const name = url.split('/').at(-1) ?? '';
  // The bytes of one character at a time, so that the others are decoded.
  return name.replace(/%[C-F].(?:%[89AB].)+|%../g, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes.replaceAll('%', '\\x');
    }
  });
}

/**
 * @typedef {Object} PlayerFacts what a player has before it
 * @property {string} id
 * @property {string[]} files the names of its list
 * @property {string | null} cover the address of the cover of what is heard
 */

/** One player. */
class PlayerPanel {
  #seeking = -Infinity;
  #loudness = -Infinity;
  #files = '';

  /** @param {string} id @param {import('./connection.js').Connection} connection */
  constructor(id, connection) {
    const act = (/** @type {string} */ verb, /** @type {(string | number)[]} */ ...rest) =>
      connection.command(`/visgraph/node/${id}/transport/${verb}`, ...rest);
    const button = (/** @type {string} */ text, /** @type {string} */ label, /** @type {string} */ verb) => {
      const element = make('button', { type: 'button', 'aria-label': `${id}: ${label}`, title: label }, icon(text));
      element.addEventListener('click', () => act(verb));
      return element;
    };
    this.play = button('play', 'play or pause', 'toggle');
    this.play.classList.add('play');
    this.title = make('strong', {}, id);
    this.artist = make('span', { class: 'quiet' }, '');
    this.now = make('span', { class: 'time' }, '0:00');
    this.length = make('span', { class: 'time' }, '');
    this.seek = make('input', { type: 'range', min: 0, max: 1, step: 0.1, 'aria-label': `${id}: position` });
    this.seek.addEventListener('input', () => {
      this.#seeking = performance.now();
      this.now.textContent = clock(Number(this.seek.value));
    });
    this.seek.addEventListener('change', () => act('seek', Number(this.seek.value)));
    this.volume = make('input', { type: 'range', min: 0, max: 1, step: 0.01, 'aria-label': `${id}: volume`, class: 'volume' });
    this.volume.addEventListener('input', () => {
      this.#loudness = performance.now();
      act('volume', Number(this.volume.value), 0.05);
    });
    this.repeat = make('select', { 'aria-label': `${id}: what is repeated` });
    for (const word of ['off', 'one', 'all']) this.repeat.append(make('option', { value: word }, `repeat ${word}`));
    this.repeat.addEventListener('change', () => act('repeat', this.repeat.value));
    this.cover = make('img', { class: 'cover', alt: '', hidden: true });
    this.list = make('ol', { class: 'list' });
    this.tracks = make('details', { class: 'tracks', hidden: true }, make('summary', {}, 'list'), this.list);
    this.element = make('div', { class: 'player', role: 'group', 'aria-label': `player ${id}` },
      this.cover,
      make('div', { class: 'what' }, this.title, this.artist),
      make('div', { class: 'buttons' }, button('previous', 'the track before', 'previous'), this.play,
        button('stop', 'stop and rewind', 'rewind'), button('next', 'the next track', 'next')),
      make('div', { class: 'where' }, this.now, this.seek, this.length),
      make('label', { class: 'loud' }, 'volume', this.volume), this.repeat, this.tracks);
    this.act = act;
  }

  /** @param {PlayerFacts} facts */
  show(facts) {
    this.cover.hidden = facts.cover === null;
    const address = facts.cover === null ? '' : facts.cover + location.search;
    if (facts.cover !== null && this.cover.getAttribute('src') !== address) this.cover.src = address;
    this.tracks.hidden = facts.files.length < 2;
    const shape = JSON.stringify(facts.files);
    if (shape === this.#files) return;
    this.#files = shape;
    this.list.replaceChildren(...facts.files.map((name, index) => {
      const button = make('button', { type: 'button' }, name);
      button.addEventListener('click', () => this.act('track', index + 1));
      return make('li', {}, button);
    }));
  }

  /** @param {(fact: import('./terms.js').PlayerFact) => any} fact */
  update(fact) {
    const isPlaying = fact('playing') === 1;
    if (this.play.getAttribute('aria-pressed') !== String(isPlaying)) {
      this.play.replaceChildren(icon(isPlaying ? 'pause' : 'play'));
      this.play.setAttribute('aria-pressed', String(isPlaying));
    }
    this.title.textContent = fact('title') ?? nameIn(String(fact('url') ?? ''));
    const tracks = fact('tracks') > 1 ? ` ${fact('track')} of ${fact('tracks')}` : '';
    this.artist.textContent = [fact('artist'), fact('album')].filter(Boolean).join(', ') + tracks;
    const [time, length] = [Number(fact('currentTime') ?? 0), fact('duration')];
    if (performance.now() - this.#seeking > 600) {
      this.now.textContent = clock(time);
      this.seek.max = String(length ?? Math.max(1, time));
      this.seek.value = String(time);
      this.seek.setAttribute('aria-valuetext', `${clock(time)}${length ? ` of ${clock(length)}` : ''}`);
    }
    this.length.textContent = length ? clock(length) : '';
    for (const [index, button] of [...this.list.querySelectorAll('button')].entries()) {
      if (index + 1 === fact('track')) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
    }
    if (performance.now() - this.#loudness > 600) this.volume.value = String(fact('volume') ?? 1);
    if (document.activeElement !== this.repeat) this.repeat.value = fact('repeat') ?? 'off';
  }
}

export class Transport {
  #element;
  #connection;
  /** @type {Map<string, PlayerPanel>} */
  #players = new Map();
  /** @type {Map<string, PlayerFacts>} */
  #facts = new Map();

  /** @param {HTMLElement} element @param {import('./connection.js').Connection} connection */
  constructor(element, connection) {
    this.#element = element;
    this.#connection = connection;
  }

  /** @param {PlayerFacts[]} players */
  show(players) {
    this.#facts = new Map(players.map((facts) => [facts.id, facts]));
    for (const [id, facts] of this.#facts) this.#players.get(id)?.show(facts);
  }

  /** @param {Map<string, any>} state */
  update(state) {
    const ids = new Set();
    for (const key of state.keys()) {
      const match = address.exec(key);
      if (match?.[2] === 'playing') ids.add(match[1]);
    }
    for (const id of this.#players.keys()) {
      if (ids.has(id)) continue;
      this.#players.get(id)?.element.remove();
      this.#players.delete(id);
    }
    for (const id of ids) {
      let player = this.#players.get(id);
      if (!player) {
        player = new PlayerPanel(id, this.#connection);
        this.#players.set(id, player);
        this.#element.append(player.element);
        const facts = this.#facts.get(id);
        if (facts) player.show(facts);
      }
      player.update((fact) => state.get(`/visgraph/status/node/${id}/${fact}`));
    }
    this.#element.parentElement?.toggleAttribute('hidden', ids.size === 0);
  }
}
