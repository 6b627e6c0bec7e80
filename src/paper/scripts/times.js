/**
 * The script of the account pages, served at `/assets/times.js`. It writes times in the zone and
 * the regional form of the browser, in the language of the page. Without it they are in UTC. It is
 * not loaded where the owner chose a zone.
 */
const page = document.documentElement.lang
const base = (tag) => tag.split('-')[0]
const language = navigator.languages.find((tag) => base(tag) === base(page)) ?? page
const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
const moment = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' })
const note = document.querySelector('[data-zone]')

if (note !== null) {
  for (const time of document.querySelectorAll('main time[datetime]')) {
    const at = new Date(time.dateTime)
    const form = time.closest('[data-as]')?.dataset.as
    if (form === undefined) time.textContent = moment.format(at)
    else time.title = moment.format(at)
    if (form === 'day') time.textContent = day.format(at)
  }
  note.textContent = note.dataset.zone.replace('{zone}', moment.resolvedOptions().timeZone)
}
