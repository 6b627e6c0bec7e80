/**
 * The playground's script, served at `/assets/playground.js` in the demo. It adds copy buttons to the
 * commands, and puts the fragment of the address into the form for it. At a redirect URI it shows the
 * answer in the fragment, or hands it to the run that asked for it.
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

const show = (kind, answer) => {
  for (const section of document.querySelectorAll('[data-answer]')) {
    section.hidden = section.dataset.answer !== kind
  }
  const description = answer.get('error_description')
  if (description) {
    document.querySelector('[data-answer=error] [data-description]').textContent = description
  }
  if (kind === 'token') {
    const pre = document.querySelector('[data-answer=token] pre')
    pre.textContent = pre.textContent.replace('ACCESS_TOKEN', answer.get('access_token'))
  }
  const fields = document.querySelector('[data-answer-fields]')
  fields.hidden = false
  for (const field of [...answer].slice(0, 20)) {
    const row = document.createElement('div')
    for (const [at, tag] of ['dt', 'dd'].entries()) {
      const code = document.createElement('code')
      code.textContent = field[at].slice(0, 300)
      const cell = document.createElement(tag)
      cell.append(code)
      row.append(cell)
    }
    fields.querySelector('dl').append(row)
  }
}

const callback = document.querySelector('[data-fragment-answer]')
const answer = new URLSearchParams(location.hash.slice(1))
if (callback && answer.size > 0) {
  const flow = answer.get('state')?.split('.')[0]
  if (callback.dataset.flows.split(' ').includes(flow)) {
    location.replace(callback.dataset.fragmentAnswer + '/' + flow + '/arrival' + location.hash)
  } else if (answer.has('error')) {
    show('error', answer)
  } else {
    show(/^lk_at_[\\w-]+$/.test(answer.get('access_token')) ? 'token' : 'other', answer)
  }
}
`
