// On a phone, the desk shows one part at a time.

import { icon, make } from './elements.js';

/** Opens a part. @param {string} name of a tab */
export function openTab(name) {
  document.body.dataset.tab = name;
  localStorage.setItem('tab', name);
  for (const tab of document.querySelectorAll('nav button')) {
    if (tab.id === `tab-${name}`) tab.setAttribute('aria-current', 'page');
    else tab.removeAttribute('aria-current');
  }
}

/** Shows the chosen node, or the list of nodes. @param {boolean} isOpen */
export function openNode(isOpen) {
  document.body.classList.toggle('node-open', isOpen);
}

/** Connects the tabs, and opens the part that was last open. */
export function beginTabs() {
  const names = [];
  for (const tab of document.querySelectorAll('nav button')) {
    const name = tab.id.slice(4);
    names.push(name);
    tab.replaceChildren(icon(name), make('span', {}, tab.textContent ?? ''));
    tab.addEventListener('click', () => {
      // A second tap on the tab of nodes returns to the list.
      if (name === 'nodes' && document.body.dataset.tab === name) openNode(false);
      openTab(name);
    });
  }
  const last = localStorage.getItem('tab') ?? '';
  openTab(names.includes(last) ? last : names[0]);
}
