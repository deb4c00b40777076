// The desk: puts its parts together, and feeds them.

import { Connection } from './connection.js';
import { Cues } from './cues.js';
import { byId, clock, figure } from './elements.js';
import { Meters, height } from './meters.js';
import { Events, JackPorts, Targets } from './panels.js';
import { Patchbay } from './patchbay.js';
import { SaveButton } from './saving.js';
import { History, Settings } from './settings.js';
import { SoundPanel } from './sound.js';
import { Transport } from './transport.js';

/** @typedef {import('./patchbay.js').Graph} Graph */

const connection = new Connection();
const history = new History(connection);
/** How everything stands, by the addresses of the control port. @type {Map<string, any>} */
const state = new Map();
/** @type {Graph | undefined} */
let graph;
let chosen = new URLSearchParams(location.hash.slice(1)).get('node') ?? '';

const meters = new Meters(byId('meters'));
const sound = new SoundPanel(byId('sound'), connection);
const transport = new Transport(byId('players'), connection);
const cues = new Cues(byId('cues'), connection);
const settings = new Settings(byId('settings'), connection, history);
const targets = new Targets(byId('targets'));
const jack = new JackPorts(byId('jack'), connection);
const events = new Events(byId('events'));
const patchbay = new Patchbay(/** @type {any} */ (byId('patchbay')), choose);

/** Says something to those who cannot see it, and at the foot of the page. @param {string} text @param {boolean} [isFault] */
function say(text, isFault = false) {
  const place = byId('said');
  place.textContent = text;
  place.classList.toggle('fault', isFault);
}

/** @param {string} id of a node to look at */
function choose(id) {
  chosen = id;
  location.hash = `node=${id}`;
  patchbay.mark(id);
  if (graph) settings.show(graph, id);
  if (matchMedia('(max-width: 760px)').matches) openTab('faders');
}

// MARK: - What comes

connection.keep({ watch: ['graph', 'faults', 'file', 'targets', 'players', 'jack', 'events'] });
connection.keep({ listen: '/visgraph/level', rate: 30 });
connection.keep({ listen: '/visgraph/status', rate: 10 });
connection.keep({ listen: '/visgraph/master', rate: 20 });
connection.keep({ listen: '/visgraph/blackout', rate: 20 });
connection.keep({ listen: '/visgraph/scene', rate: 10 });
connection.keep({ listen: '/visgraph/cue', rate: 10 });

connection.addEventListener('open', () => {
  document.body.classList.remove('away');
  say('connected');
});
function sayAway() {
  const text = connection.isDismissed
    ? 'closed by the session manager; click to see it again'
    : connection.reason || 'the program does not answer; it is looked for again';
  say(text, true);
}
connection.addEventListener('close', () => {
  document.body.classList.add('away');
  state.clear();
  sayAway();
});
connection.addEventListener('reason', sayAway);
connection.on('hello', (/** @type {import('./connection.js').Hello} */ hello) => {
  byId('version').textContent = `visgraph ${hello.visgraph}`;
  document.body.classList.toggle('watching', hello.may === 'watch');
  // What is only looked at stays there for whoever hears the page.
  for (const part of document.querySelectorAll('.master, .transport, .cues, .settings, .jack, .sound')) {
    part.toggleAttribute('inert', hello.may === 'watch');
  }
});
connection.on('graph', (/** @type {Graph} */ news) => {
  graph = news;
  // What another graph does not state again is gone.
  const ids = new Set(news.nodes.map((node) => node.id));
  for (const address of state.keys()) {
    const id = /^\/visgraph\/(?:status\/node|node|fader|level)\/([^/]+)/.exec(address)?.[1];
    if (id && !ids.has(id)) state.delete(address);
  }
  byId('name').textContent = news.name;
  document.title = `${news.name} – desk`;
  patchbay.show(news);
  meters.show(news);
  sound.show(news);
  cues.show(news);
  if (!news.nodes.some((node) => node.id === chosen)) chosen = news.nodes[0]?.id ?? '';
  patchbay.mark(chosen);
  settings.show(news, chosen);
});
connection.on('state', (/** @type {Record<string, any>} */ news) => {
  for (const [address, value] of Object.entries(news)) state.set(address, value);
});
connection.on('targets', (/** @type {any} */ news) => targets.show(news));
connection.on('players', (/** @type {import('./transport.js').PlayerFacts[]} */ news) => transport.show(news));
connection.on('jack', (/** @type {any} */ news) => jack.show(news));
connection.on('events', (/** @type {any} */ news) => events.show(news));
connection.on('error', (/** @type {{ about: string, reason: string }} */ error) => {
  settings.refuse(error.about);
  say(`${error.about} ${error.reason}`, true);
});
// After what is said of every error: of this one it has more to say.
const saving = new SaveButton(/** @type {HTMLButtonElement} */ (byId('save')), connection, say);
connection.on('faults', (/** @type {{ text: string } | null} */ faults) => {
  byId('faults').parentElement?.toggleAttribute('hidden', !faults);
  byId('faults').textContent = faults?.text ?? '';
});

// MARK: - What is shown

let told = 0;
/** @param {number} time in milliseconds */
function animate(time) {
  requestAnimationFrame(animate);
  meters.animate(state, time / 1000);
  sound.animate();
  patchbay.animate((address) => {
    const level = state.get(address);
    if (typeof level !== 'number') return 0;
    return level < 0 ? height(level) : Math.min(1, level);
  });
  if (time < told + 250) return;
  told = time;
  meters.tell(state);
  sound.tell();
  transport.update(state);
  cues.update(state);
  showHead();
}
requestAnimationFrame(animate);

let masterHeld = -Infinity;
function showHead() {
  byId('health').classList.toggle('ill', !connection.isOpen || state.get('/visgraph/status/healthy') === 0);
  if (!connection.isOpen) {
    // Master and blackout stay as they were last known.
    byId('health').textContent = 'no connection';
    return;
  }
  const [host, rate] = [state.get('/visgraph/status/host'), state.get('/visgraph/status/rate')];
  byId('host').textContent = host ? `${host === 'jack' ? 'JACK' : 'clock'} ${rate} Hz` : '';
  const faults = [...state].filter(([key, value]) => key.startsWith('/visgraph/status/fault/') && value);
  const isHealthy = state.get('/visgraph/status/healthy') === 1;
  byId('health').textContent = isHealthy || state.size === 0 ? 'all is well' : faults.map(([, text]) => text).join('; ') || 'not healthy';
  const isDark = state.get('/visgraph/blackout') === 1;
  byId('blackout').setAttribute('aria-pressed', String(isDark));
  document.body.classList.toggle('dark-stage', isDark);
  if (performance.now() - masterHeld > 500) {
    const master = Number(state.get('/visgraph/master') ?? 1);
    /** @type {HTMLInputElement} */ (byId('master')).value = String(master);
    showMaster(master);
  }
}

/** @param {number} value */
function showMaster(value) {
  byId('master-figure').textContent = `${figure(100 * value, 0)} %`;
  byId('master').setAttribute('aria-valuetext', `${Math.round(100 * value)} percent`);
}

// MARK: - What is done

byId('master').addEventListener('input', (event) => {
  const value = Number(/** @type {HTMLInputElement} */ (event.target).value);
  masterHeld = performance.now();
  connection.command('/visgraph/master', value);
  showMaster(value);
});
byId('blackout').addEventListener('click', () => connection.command('/visgraph/blackout', state.get('/visgraph/blackout') === 1 ? 0 : 1));
byId('reload').addEventListener('click', () => connection.command('/visgraph/graph/reload'));

const [undo, redo] = [/** @type {HTMLButtonElement} */ (byId('undo')), /** @type {HTMLButtonElement} */ (byId('redo'))];
history.onChange = () => ([undo.disabled, redo.disabled] = [!history.canUndo, !history.canRedo]);
undo.addEventListener('click', () => say(history.undo()));
redo.addEventListener('click', () => say(history.redo()));

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement && event.target.type !== 'range';
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z' && !isTyping) {
    event.preventDefault();
    say(event.shiftKey ? history.redo() : history.undo());
  } else if ((event.ctrlKey || event.metaKey) && event.key === 's') {
    event.preventDefault();
    saving.save();
  } else if (event.key === 'b' && !event.repeat && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey && !(event.target instanceof HTMLSelectElement)) {
    byId('blackout').click();
  }
});

// Light or dark: as the system has it, unless somebody chose.
const themes = ['', 'light', 'dark'];
function showTheme() {
  const theme = localStorage.getItem('theme') ?? '';
  document.documentElement.dataset.theme = theme;
  byId('theme').textContent = theme || 'auto';
}
byId('theme').addEventListener('click', () => {
  const next = themes[(themes.indexOf(localStorage.getItem('theme') ?? '') + 1) % themes.length];
  localStorage.setItem('theme', next);
  showTheme();
});
showTheme();

// On a phone one part fills the screen at a time.
/** @param {string} name of a tab */
function openTab(name) {
  document.body.dataset.tab = name;
  for (const tab of document.querySelectorAll('nav button')) {
    if (tab.id === `tab-${name}`) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  }
}
for (const tab of document.querySelectorAll('nav button')) tab.addEventListener('click', () => openTab(tab.id.slice(4)));
openTab('levels');

const stage = /** @type {HTMLIFrameElement} */ (byId('stage'));
stage.src = '/?embed' + location.search.replace('?', '&');
// On a tab that is not looked at the stage costs nothing.
let isStageShown = stage.getClientRects().length > 0;
const tellStage = () => stage.contentWindow?.postMessage({ isShown: isStageShown }, location.origin);
stage.addEventListener('load', tellStage);
new IntersectionObserver((places) => {
  isStageShown = places.at(-1)?.isIntersecting ?? true;
  tellStage();
}).observe(stage);
setInterval(() => {
  const time = state.get('/visgraph/status/started');
  const seconds = time ? (Date.now() - Date.parse(time)) / 1000 : 0;
  byId('clock').textContent = time ? clock(seconds) : '';
}, 500);
