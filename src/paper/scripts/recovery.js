/**
 * The script of the page that shows recovery codes, served at `/assets/recovery.js`. It copies and
 * prints them, or saves them as a text file. The file is made in the browser, so no URL holds them.
 */
const list = document.querySelector('[data-recovery]')
const text = [...list.querySelectorAll('code')].map((code) => `${code.textContent}\n`).join('')
const said = document.querySelector('[data-said]')

const copy = async () => {
  await navigator.clipboard.writeText(text)
  said.hidden = false
}

const save = () => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = list.dataset.recovery
  link.click()
  URL.revokeObjectURL(url)
}

const acts = { copy, save, print: () => window.print() }

for (const button of document.querySelectorAll('[data-act]')) {
  const { act } = button.dataset
  button.hidden = act === 'copy' && !navigator.clipboard
  button.addEventListener('click', acts[act])
}
