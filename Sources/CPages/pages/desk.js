// The desk: creates its parts and passes messages to them.

import { stayAwake } from './awake.js';
import { Connection } from './connection.js';
import { addressOf } from './control.js';
import { Cues } from './cues.js';
import { byId, icon, isSmall, make } from './elements.js';
import { Faders, Pins, keep } from './faders.js';
import { beginHead, showHealth, showRight } from './head.js';
import { History } from './history.js';
import { LedPanel } from './leds.js';
import { Lights } from './lights.js';
import { Meters, height } from './meters.js';
import { NodeList } from './nodes.js';
import { Notices } from './notices.js';
import { Events, JackPorts, Targets } from './panels.js';
import { Patchbay } from './patchbay.js';
import { SaveButton } from './saving.js';
import { Settings } from './settings.js';
import { ShowBar } from './showbar.js';
import { SoundPanel } from './sound.js';
import { beginTabs, openNode, openTab } from './tabs.js';
import { Transport } from './transport.js';

/** @typedef {import('./patchbay.js').Graph} Graph */

const connection = new Connection();
const history = new History(connection);
const pins = new Pins();
const notices = new Notices(byId('notices'), byId('messages'));
/** The state of the show, by the addresses of the control port. @type {Map<string, any>} */
const state = new Map();
/** @type {Graph | undefined} */
let graph;
let chosen = new URLSearchParams(location.hash.slice(1)).get('node') ?? '';

const desk = { connection, history, pins };
const meters = new Meters(byId('meters'), byId('clear-clips'));
const sound = new SoundPanel(byId('sound'), connection);
const transport = new Transport(byId('players'), connection);
const cues = new Cues(byId('cues'), connection);
const showBar = new ShowBar(connection);
const leds = new LedPanel(make('figure', { class: 'leds' }), connection);
const settings = new Settings(byId('settings'), desk, () => openNode(false), leds.element);
const faders = new Faders(byId('page'), desk);
/** Topics that are always subscribed. Lights are subscribed only while they are visible. */
const topics = ['graph', 'faults', 'file', 'targets', 'players', 'jack', 'events'];
let watched = connection.keep({ watch: topics });
const lights = new Lights(byId('lights'), (isSeen) => {
  watched = connection.keep({ watch: isSeen ? [...topics, 'lights'] : topics }, watched);
});
const targets = new Targets(byId('targets'));
const jack = new JackPorts(byId('jack'), connection);
const events = new Events(byId('events'));
const patchbay = new Patchbay(/** @type {any} */ (byId('patchbay')), choose);
const nodes = new NodeList(byId('nodes'), choose);

/** @param {string} id of the chosen node */
function choose(id) {
  chosen = id;
  keep('node', id);
  patchbay.mark(id);
  if (graph) {
    settings.show(graph, id);
    leds.show(graph, id);
  }
  openNode(true);
  if (isSmall()) openTab('nodes');
}

// MARK: - Messages

connection.keep({ listen: '/visgraph/level', rate: 30 });
connection.keep({ listen: '/visgraph/status', rate: 10 });
connection.keep({ listen: '/visgraph/master', rate: 20 });
connection.keep({ listen: '/visgraph/blackout', rate: 20 });
connection.keep({ listen: '/visgraph/scene', rate: 10 });
connection.keep({ listen: '/visgraph/cue', rate: 10 });

let [wasAway, isTold] = [false, false];
connection.addEventListener('open', () => {
  document.body.classList.remove('away');
  notices.hold('');
  if (wasAway) notices.say('connected again');
  wasAway = false;
});
function sayAway() {
  wasAway = true;
  notices.hold(connection.isDismissed
    ? 'closed by the session manager; click to see it again'
    : connection.reason || 'the program does not answer; it is looked for again');
}
connection.addEventListener('close', () => {
  document.body.classList.add('away');
  state.clear();
  sayAway();
});
connection.addEventListener('reason', sayAway);
connection.on('hello', (/** @type {import('./connection.js').Hello} */ hello) => {
  showRight(hello);
  if (hello.may === 'watch' && !isTold) notices.say('This page only looks: to steer, it needs the key of the desk.');
  isTold = true;
});
connection.on('graph', (/** @type {Graph} */ news) => {
  graph = news;
  // Remove the state of nodes that the new graph does not have. Levels of a further output are those of ID.PORT.
  const ids = new Set(news.nodes.map((node) => node.id));
  for (const address of state.keys()) {
    const id = /^\/visgraph\/(?:status\/node|node|fader|level)\/([^/.]+)/.exec(address)?.[1];
    if (id && !ids.has(id)) state.delete(address);
  }
  byId('name').textContent = news.name;
  document.title = `${news.name} – desk`;
  pins.open(news.name);
  patchbay.show(news);
  nodes.show(news);
  meters.show(news);
  lights.prepare(news);
  sound.show(news);
  cues.show(news);
  showBar.show(news);
  faders.show(news);
  showStage(news);
  if (!news.nodes.some((node) => node.id === chosen)) chosen = news.nodes[0]?.id ?? '';
  patchbay.mark(chosen);
  settings.show(news, chosen);
  if (history.awaitsReport) {
    const values = new Map();
    for (const node of news.nodes) for (const each of node.settings) values.set(addressOf(node, each), each.value);
    history.report(values);
  }
  leds.show(news, chosen);
});
connection.on('state', (/** @type {Record<string, any>} */ news) => {
  for (const [address, value] of Object.entries(news)) state.set(address, value);
});
connection.on('targets', (/** @type {any} */ news) => targets.show(news));
connection.on('lights', (/** @type {import('./lights.js').LightFacts} */ news) => lights.show(news));
connection.on('players', (/** @type {import('./transport.js').PlayerFacts[]} */ news) => transport.show(news));
connection.on('jack', (/** @type {any} */ news) => jack.show(news));
connection.on('events', (/** @type {any} */ news) => events.show(news));
connection.on('error', (/** @type {{ about: string, reason: string }} */ error) => {
  history.refuse(error.about.replace('/visgraph/fader/', '/visgraph/node/'));
  settings.refuse(error.about);
  faders.refuse(error.about);
  // A reason about a setting names it already.
  const isNamed = /^\/visgraph\/(?:node|fader)\//.test(error.about);
  notices.refuse(isNamed || !error.about ? error.reason : `${error.about}: ${error.reason}`);
});
// Created after the general listener for errors, because its message about saving replaces that one.
const saving = new SaveButton(/** @type {HTMLButtonElement} */ (byId('save')), connection, notices);
connection.on('faults', (/** @type {{ text: string } | null} */ faults) => {
  byId('faults').parentElement?.toggleAttribute('hidden', !faults);
  byId('faults').textContent = faults?.text ?? '';
});

// MARK: - Display

/** The height of a level on a meter, 0…1. @param {string} address */
function place(address) {
  const level = state.get(address);
  if (typeof level !== 'number') return 0;
  return level < 0 ? height(level) : Math.min(1, level);
}

let told = 0;
/** @param {number} time in milliseconds */
function animate(time) {
  requestAnimationFrame(animate);
  meters.animate(state, time / 1000);
  sound.animate();
  patchbay.animate(place);
  nodes.animate(place);
  if (time < told + 100) return;
  told = time;
  meters.tell();
  sound.tell();
  transport.update(state);
  cues.update(state);
  showHealth(state, connection.isOpen);
  if (connection.isOpen) showBar.update(state);
}
requestAnimationFrame(animate);

// MARK: - Actions

byId('reload').addEventListener('click', () => connection.command('/visgraph/graph/reload'));

const [undo, redo] = [/** @type {HTMLButtonElement} */ (byId('undo')), /** @type {HTMLButtonElement} */ (byId('redo'))];
history.onChange = () => ([undo.disabled, redo.disabled] = [!history.canUndo, !history.canRedo]);
undo.append(icon('undo'), make('span', {}, 'undo'));
redo.append(icon('redo'), make('span', {}, 'redo'));
undo.addEventListener('click', () => notices.say(history.undo()));
redo.addEventListener('click', () => notices.say(history.redo()));

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement && event.target.type !== 'range';
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z' && !isTyping) {
    event.preventDefault();
    notices.say(event.shiftKey ? history.redo() : history.undo());
  } else if ((event.ctrlKey || event.metaKey) && event.key === 's') {
    event.preventDefault();
    saving.save();
  } else if (event.key === 'b' && !event.repeat && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey && !(event.target instanceof HTMLSelectElement)) {
    byId('blackout').click();
  }
});

beginHead();
beginTabs();
stayAwake();

// MARK: - The stage

const stage = /** @type {HTMLIFrameElement} */ (byId('stage'));
for (const id of ['stage-link', 'open-stage']) /** @type {HTMLAnchorElement} */ (byId(id)).href = `/${location.search}`;
byId('stage-link').append(icon('out'));
stage.src = '/?embed' + location.search.replace('?', '&');
// A stage that is out of sight (on another tab) stops drawing.
let isStageShown = stage.getClientRects().length > 0;
const tellStage = () => stage.contentWindow?.postMessage({ isShown: isStageShown }, location.origin);
stage.addEventListener('load', tellStage);
new IntersectionObserver((places) => {
  isStageShown = places.at(-1)?.isIntersecting ?? true;
  tellStage();
}).observe(stage);

/** Shows whether the graph has something to draw. @param {Graph} graph */
function showStage(graph) {
  const isEmpty = !graph.nodes.some((node) => node.type === 'emitter');
  document.body.classList.toggle('no-stage', isEmpty);
  byId('stage-note').hidden = !isEmpty;
  byId('stage-note').textContent = isEmpty ? 'This graph has no emitter, so nothing is drawn on its stage.' : '';
}
