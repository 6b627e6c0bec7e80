/**
 * The script of the account's pages for their times: in the zone and the regional form of the
 * browser, in the language of the page. Without the script they are in UTC. Where the owner chose a
 * zone, they are in that zone and stay. `sayWhen` in `time.ts` has the same forms.
 */
const note = document.querySelector('[data-zone]')
const page = document.documentElement.lang
const base = (tag) => tag.split('-')[0]
const language = navigator.languages.find((tag) => base(tag) === base(page)) ?? page
const format = (options) => {
  const made = new Intl.DateTimeFormat(language, options)
  return (at) => made.format(at)
}

const moment = format({ dateStyle: 'long', timeStyle: 'short' })
const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
const weekday = format({ weekday: 'long' })
const dayOfYear = format({ day: 'numeric', month: 'short' })
const dayOfAnyYear = format({ dateStyle: 'medium' })
const dayMilliseconds = 86_400_000
const numberOf = (at) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / dayMilliseconds

const day = (at, now) => {
  const away = numberOf(at) - numberOf(now)
  if (Math.abs(away) <= 1) return near.format(away, 'day')
  if (Math.abs(away) < 7) return weekday(at)
  return at.getFullYear() === now.getFullYear() ? dayOfYear(at) : dayOfAnyYear(at)
}

const forms = {
  day,
  clock: format({ hour: '2-digit', minute: '2-digit' }),
  exact: () => null,
  when: (at, now) => (Math.abs(at - now) < dayMilliseconds ? null : day(at, now)),
}

/** The server made days of UTC. Lines move below the heading of their day here. */
const regroup = (days) => {
  const [heading, log] = days.children
  const timeOf = (line) => line.querySelector('[data-as=clock] time').dateTime
  const lines = [...days.querySelectorAll('.log > li')]
  const groups = Map.groupBy(lines, (line) => numberOf(new Date(timeOf(line))))
  const made = [...groups.values()].flatMap((group) => {
    const [name, list] = [heading.cloneNode(true), log.cloneNode(false)]
    name.querySelector('time').dateTime = timeOf(group[0])
    list.append(...group)
    return [name, list]
  })
  days.replaceChildren(...made)
}

if (note !== null) {
  for (const days of document.querySelectorAll('.days:has(li)')) regroup(days)
  const now = new Date(note.dataset.at)
  for (const time of document.querySelectorAll('main time[datetime]')) {
    const at = new Date(time.dateTime)
    const form = forms[time.closest('[data-as]')?.dataset.as]
    const text = form === undefined ? moment(at) : form(at, now)
    if (text !== null) time.textContent = text
    if (form !== undefined) time.title = moment(at)
  }
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  note.textContent = note.dataset.zone.replace('{zone}', timeZone)
}
