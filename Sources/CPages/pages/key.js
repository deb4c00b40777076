// Opens the page that was asked for with the key that is typed, and with all else that stood in its address.

const form = /** @type {HTMLFormElement} */ (document.querySelector('form'));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const words = new URLSearchParams(location.search);
  words.set('key', String(new FormData(form).get('key')).trim());
  // By itself this page is the way to the desk.
  location.href = `${location.pathname === '/key.html' ? '/desk' : location.pathname}?${words}${location.hash}`;
});
