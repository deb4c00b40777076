// Saves settings into the graph file, and reports the result.

/**
 * @typedef {Object} FileFacts the state of the graph file
 * @property {string | null} path null if the graph is not from a file
 * @property {string[]} unsaved the settings that are not in it
 * @property {number} saves how often it was saved in this run
 * @property {string[]} written what the last save wrote
 * @property {string[]} left what the last save could not write
 */

const address = '/visgraph/graph/save';

/** The button that saves. */
export class SaveButton {
  #button;
  #connection;
  #notices;
  /** @type {FileFacts | null} */ #facts = null;
  /**
   * The count of saves when this page asked to save; null while it does not wait.
   * @type {number | null}
   */
  #asked = null;

  /**
   * @param {HTMLButtonElement} button
   * @param {import('./connection.js').Connection} connection
   * @param {import('./notices.js').Notices} notices
   */
  constructor(button, connection, notices) {
    this.#button = button;
    this.#connection = connection;
    this.#notices = notices;
    button.addEventListener('click', () => this.save());
    connection.addEventListener('close', () => (this.#asked = null));
    connection.on('file', (/** @type {FileFacts | null} */ facts) => this.#show(facts));
    connection.on('error', (/** @type {{ about: string, code: string, reason: string }} */ error) => {
      if (error.about !== address) return;
      this.#asked = null;
      notices.refuse(error.code === 'partly-saved' ? error.reason : `nothing is saved: ${error.reason}`);
    });
  }

  /** Asks the program to save, if there are unsaved settings. */
  save() {
    if (!this.#facts?.path) return this.#notices.refuse('this graph did not come from a file');
    if (this.#facts.unsaved.length === 0) return this.#notices.say(`all that was set is in ${nameOf(this.#facts.path)}`);
    this.#asked = this.#facts.saves;
    this.#connection.command(address);
  }

  /** @param {FileFacts | null} facts */
  #show(facts) {
    this.#facts = facts;
    const unsaved = facts?.path ? facts.unsaved : [];
    this.#button.disabled = unsaved.length === 0;
    document.body.classList.toggle('unsaved', unsaved.length > 0);
    this.#button.textContent = unsaved.length > 0 ? `save to file (${unsaved.length})` : 'save to file';
    const name = nameOf(facts?.path ?? '');
    this.#button.title = unsaved.length > 0 ? `writes into ${name}: ${unsaved.slice(0, 12).join(', ')}` : `${name || 'the file'} has all that was set`;
    if (!facts || this.#asked === null || facts.saves <= this.#asked) return;
    this.#asked = null;
    const left = facts.left.length > 0 ? `; no place there has ${facts.left.join(', ')}` : '';
    const count = facts.written.length;
    const text = `saved ${count} ${count === 1 ? 'setting' : 'settings'} into ${name}${left}`;
    if (left) this.#notices.refuse(text);
    else this.#notices.say(text);
  }
}

/** @param {string} path */
function nameOf(path) {
  return path.split('/').at(-1) ?? '';
}
