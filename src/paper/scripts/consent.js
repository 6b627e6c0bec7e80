/**
 * The script of the pages that give access, served at `/assets/consent.js`. It keeps the button "Allow"
 * or "Resume" inactive for half a second after the page appeared or was covered. Another site could otherwise lead a second
 * click onto it (double clickjacking). It runs before the button is there, so that no click is early.
 * The button looks the same meanwhile, and the page says that an early click did nothing.
 */
const delay = 500
const guarded = 'button[name=decision]:not([value=deny])'
let activeAt = Infinity
let timer = 0

const show = (isActive) => {
  for (const button of document.querySelectorAll(guarded)) {
    button.setAttribute('aria-disabled', String(!isActive))
  }
}

const stop = () => {
  clearTimeout(timer)
  activeAt = Infinity
  show(false)
}

const begin = () => {
  stop()
  activeAt = performance.now() + delay
  timer = setTimeout(() => show(true), delay)
}

const watch = () => (document.visibilityState === 'visible' ? begin() : stop())

document.addEventListener(
  'click',
  (event) => {
    if (!event.target.closest(guarded) || performance.now() >= activeAt) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const early = event.target.closest('form')?.querySelector('.early')
    if (early) early.textContent = early.dataset.text
  },
  true,
)
document.addEventListener('DOMContentLoaded', watch)
document.addEventListener('visibilitychange', watch)
window.addEventListener('pageshow', watch)
window.addEventListener('focus', begin)
window.addEventListener('blur', stop)
