// Checks the undo history of the desk with made-up reports and refusals. Prints what is wrong, or nothing.
import { History } from "../../Sources/CPages/pages/history.js";

/** @type {[string, any][]} */
let sent = [];
let time = 10_000;
performance.now = () => time;
const kind = { is: "text" };
const step = (/** @type {string} */ address, /** @type {string} */ before, /** @type {string} */ after) => ({ address, kind, before, after });
const make = () => {
  sent = [];
  return new History(/** @type {any} */ ({ isOpen: true, command: (/** @type {any[]} */ ...words) => sent.push([words[0], words.at(-1)]) }));
};
const check = (/** @type {string} */ what, /** @type {any} */ found, /** @type {any} */ expected) => {
  if (JSON.stringify(found) !== JSON.stringify(expected)) console.log(`${what}: ${JSON.stringify(found)}, and not ${JSON.stringify(expected)}`);
};
const undoAll = (/** @type {History} */ history) => {
  while (history.canUndo) history.undo();
  return sent;
};

let history = make();
history.add(step("a", "1", "2.00"));
history.report(new Map([["a", "2"]]));
time += 2000;
history.report(new Map([["a", "9"]]));
history.undo();
history.report(new Map([["a", "1"]]));
history.redo();
check("a value of another desk belongs to no step", sent, [["a", "1"], ["a", "2"]]);

history = make();
for (const value of ["0", "0", "1"]) {
  history.add(step("a", value, value), true);
  history.report(new Map([["a", String(Number(value) + 1)]]));
  time += 100;
}
history.report(new Map([["a", "3"]]));
history.undo();
history.redo();
check("a gesture is one step to its last report", sent, [["a", "0"], ["a", "3"]]);

history = make();
history.add(step("a", "1", "2"), true);
history.report(new Map([["a", "2"]]));
history.add(step("a", "2", "99"), true);
history.refuse("a");
check("a gesture whose last value was refused can be undone", [history.canUndo, undoAll(history)], [true, [["a", "1"]]]);

history = make();
history.add(step("a", "1", "99"));
history.add(step("a", "1", "2"));
history.refuse("a");
history.report(new Map([["a", "2"]]));
history.undo();
history.redo();
check("the step whose value was refused is gone, and the next one stays", sent, [["a", "1"], ["a", "2"]]);

history = make();
history.add(step("a", "1", "2"));
history.report(new Map([["a", "1"]]));
history.refuse("a");
check("a report of the value before saves no refused step", history.canUndo, false);

history = make();
history.add(step("a", "1", "2"));
history.report(new Map([["a", "2"]]));
history.undo();
history.refuse("a");
check("a refused undo can be undone again", [history.canUndo, history.canRedo], [true, false]);
history.undo();
history.report(new Map([["a", "1"]]));
history.redo();
history.refuse("a");
check("a refused redo can be done again", [history.canUndo, history.canRedo], [false, true]);
history.redo();
history.report(new Map([["a", "2"]]));
history.refuse("a");
check("a refusal after the report concerns another message", [history.canUndo, history.canRedo], [true, false]);

history = make();
history.add(step("a", "1", "2"));
history.add(step("b", "1", "2"));
time += 6000;
history.add(step("a", "2", "99"));
history.refuse("a");
check("what was refused is the step that is new, though no report of the one before came", undoAll(history), [["b", "1"], ["a", "1"]]);

history = make();
history.add(step("a", "1", "2"));
time += 3000;
history.report(new Map([["a", "1"]]));
history.report(new Map([["a", "2.0"]]));
history.undo();
history.report(new Map([["a", "2.0"]]));
history.refuse("a");
check("a report of the value before ends no wait", [history.canUndo, history.canRedo], [true, false]);
history.undo();
history.report(new Map([["a", "1"]]));
history.redo();
check("and a late report is that of the step", sent, [["a", "1"], ["a", "1"], ["a", "2.0"]]);

history = make();
for (let number = 0; number < 201; number++) history.add(step(`a${number}`, "1", "2"));
check("the oldest of 201 steps is dropped", undoAll(history).length, 200);
