/**
 * Closes the menu of the bar by Escape and by a click beside it. Without the script its name opens
 * and closes it. The script is a part of those that pages with a bar load.
 */
const menu = document.querySelector('.menu')

const close = (event) => {
  if (event.key === 'Escape' && menu.open) {
    menu.open = false
    menu.firstElementChild.focus()
  }
}

if (menu !== null) {
  document.addEventListener('keydown', close)
  document.addEventListener('click', ({ target }) => {
    if (!menu.contains(target)) menu.open = false
  })
}
