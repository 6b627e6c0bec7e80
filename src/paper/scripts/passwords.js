/**
 * The script of pages with a password field, served at `/assets/passwords.js`. A button shows the
 * password. It is hidden again before the form is sent, so that browsers do not keep it as text.
 */
for (const button of document.querySelectorAll('[data-shows]')) {
  const field = document.getElementById(button.dataset.shows)
  const [show, hide] = button.children
  const turn = (isShown) => {
    field.type = isShown ? 'text' : 'password'
    show.hidden = isShown
    hide.hidden = !isShown
  }
  button.hidden = false
  button.addEventListener('click', () => {
    turn(field.type === 'password')
    field.focus()
  })
  field.form.addEventListener('submit', () => turn(false))
}
