/**
 * The playground's script, served at `/assets/playground.js` in the demo: a button that copies each
 * command, and the fragment of the address put into the form that asks for it.
 */
export const playgroundScript = `for (const place of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = place.dataset.copy
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(place.querySelector('pre').textContent)
    button.textContent = place.dataset.copied
  })
  place.append(button)
}

const typed = document.querySelector('[data-fragment] textarea')
if (typed && location.hash.length > 1) {
  typed.value = location.href
  history.replaceState(null, '', location.pathname + location.search)
}
`
