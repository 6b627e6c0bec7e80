/**
 * The script of the live view, served at `/assets/live.js`. It asks for the page again every few
 * seconds, and takes over its rows. Without it the page has a link to refresh. It waits while nobody
 * looks. It says so when it gets no answer: otherwise its rows would look like a quiet night.
 */
const seconds = Number(document.querySelector('[data-live]').dataset.live)
const stale = document.getElementById('stale')

const look = async () => {
  if (document.hidden) return
  const answer = await fetch(location.href, { redirect: 'error' })
  if (!answer.ok) throw new Error(answer.statusText)
  stale.hidden = true
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const [now, next] = [document, page].map((one) => one.getElementById('events'))
  if (now === null || next === null || now.innerHTML === next.innerHTML) return
  now.replaceChildren(...next.children)
}

const again = () =>
  setTimeout(
    () =>
      look()
        .catch(() => {
          stale.hidden = false
        })
        .finally(again),
    seconds * 1000,
  )
again()
