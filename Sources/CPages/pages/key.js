// Opens the requested page with the typed key, and keeps all other parameters of its address.

const form = /** @type {HTMLFormElement} */ (document.querySelector('form'));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const words = new URLSearchParams(location.search);
  words.set('key', String(new FormData(form).get('key')).trim());
  // Opened on its own, this page leads to the desk.
  location.href = `${location.pathname === '/key.html' ? '/desk' : location.pathname}?${words}${location.hash}`;
});
