// On a phone one part of the desk fills the screen at a time.

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

/** Shows a node in the part of the nodes, or their list. @param {boolean} isOpen */
export function openNode(isOpen) {
  document.body.classList.toggle('node-open', isOpen);
}

/** Puts the tabs to work, and opens the part that was open last. */
export function beginTabs() {
  const names = [];
  for (const tab of document.querySelectorAll('nav button')) {
    const name = tab.id.slice(4);
    names.push(name);
    tab.replaceChildren(icon(name), make('span', {}, tab.textContent ?? ''));
    tab.addEventListener('click', () => {
      // Once more on the same leads back to the list.
      if (name === 'nodes' && document.body.dataset.tab === name) openNode(false);
      openTab(name);
    });
  }
  const last = localStorage.getItem('tab') ?? '';
  openTab(names.includes(last) ? last : names[0]);
}
