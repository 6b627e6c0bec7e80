/** Small drawings in lines: the key beside the name on every page, and the icons. */
import { html, type Markup } from './markup.ts'

const key =
  'M12.2 11.8 20 4m-2.5 2.5 2.7 2.7m-5.4 0 1.7 1.7M13 15.5a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0Z'

const circle = 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17Z'

/** On a field of 24 by 24. Lines and colours come from `styles/elements.css`. */
const drawings = {
  key,
  on: 'm9 6 6 6-6 6',
  back: 'm15 6-6 6 6 6',
  open: 'm6 9 6 6 6-6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  bolt: 'M13 3 5 13.5h6L10.5 21 19 10h-6.5L13 3Z',
  code: 'm8 8-4 4 4 4m8-8 4 4-4 4M13.5 6l-3 12',
  download: 'M12 4v11m-5-4.5 5 4.5 5-4.5M4 20h16',
  cross: 'm6 6 12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  warning: 'M12 4 2.8 19.5h18.4L12 4Zm0 6v4m0 3v.01',
  info: `${circle}M12 11v5.5M12 7.5v.01`,
  question: `${circle}M9.6 9.7a2.5 2.5 0 1 1 3.5 2.2c-.8.4-1.1 1-1.1 1.8m0 3v.01`,
  eye: 'M2.5 12S6 5.5 12 5.5s9.5 6.5 9.5 6.5-3.5 6.5-9.5 6.5S2.5 12 2.5 12Zm9.5 3a3 3 0 1 0 0-6a3 3 0 0 0 0 6Z',
  stop: `${circle}M6 6l12 12`,
  copy: 'M8.5 8.5V4h11v11h-4.5M4.5 8.5H15V20H4.5z',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm4.8-1.7L20 20',
  trash: 'M4 7h16M9 7V4h6v3m-8 0 1 13h8l1-13',
  coin: `${circle}M14.7 9.3c-.5-.9-1.5-1.3-2.7-1.3-1.6 0-2.8.7-2.8 2 0 2.9 5.7 1.2 5.7 4.1 0 1.3-1.3 1.9-2.9 1.9-1.3 0-2.4-.4-2.9-1.3M12 6.5V8m0 8v1.5`,
  pause: 'M9 6v12m6-12v12',
  resume: 'M8 5.5v13L18.5 12 8 5.5Z',
  undo: 'M8 5 4 9l4 4M4 9h10a5.5 5.5 0 0 1 0 11h-4',
  pencil: 'M4 20h4L19 9l-4-4L4 16v4Zm9-13 4 4',
  lock: 'M7.5 11V8.5a4.5 4.5 0 0 1 9 0V11M5.5 11h13v9h-13z',
  hash: 'M4.5 9h15m-15 6h15M10 4 8 20m8-16-2 16',
  list: 'M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5v.01m0 5.49v.01m0 5.49v.01',
  link: 'M10 13.5a4 4 0 0 0 6 .5l2.8-2.8a4 4 0 0 0-5.7-5.7L12 6.6m2 3.9a4 4 0 0 0-6-.5l-2.8 2.8a4 4 0 0 0 5.7 5.7l1.1-1.1',
  clock: `${circle}M12 7.5V12l3 2`,
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8.5c0-3.7 3-6 7.5-6s7.5 2.3 7.5 6',
  shield: 'M12 3.5 5 6v5c0 4.5 3 7.7 7 9.5 4-1.8 7-5 7-9.5V6l-7-2.5Z',
  mail: 'M3.5 6h17v12h-17zm0 1.5L12 13l8.5-5.5',
  globe: `${circle}M3.5 12h17M12 3.5c2.4 2.5 3.5 5.3 3.5 8.5s-1.1 6-3.5 8.5C9.6 18 8.5 15.2 8.5 12S9.6 6 12 3.5Z`,
  laptop: 'M5 5.5h14V15H5zM2.5 18.5h19',
  desktop: 'M3.5 4.5h17V16h-17zM12 16v4m-3.5 0h7',
  phone: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1Zm3 15h2',
  device: 'M3 6h18v11.5H3zM8 20.5h8',
  // For well-known upstreams. Drawings of our own, and nobody's trademark.
  branch:
    'M7,7.5v9m0-9a2,2,0,1,0,0-4,2,2,0,0,0,0,4Zm0,13a2,2,0,1,0,0-4,2,2,0,0,0,0,4Zm10-11a2,2,0,1,0,0-4,2,2,0,0,0,0,4Zm0,0c0,4.5-5,4-10,7',
  panes: 'M4.5 4.5H11V11H4.5zM13 4.5h6.5V11H13zM4.5 13H11v6.5H4.5zM13 13h6.5v6.5H13z',
  fruit:
    'M12 8.5c-2.5-2-7.5-1-7.5 4.5 0 4.5 3 7.5 5 7.5 1 0 1.5-.5 2.5-.5s1.5.5 2.5.5c2 0 5-3 5-7.5 0-5.5-5-6.5-7.5-4.5Zm0 0c0-3 1-4.5 3.5-5',
  loop: 'M7.5 8.5a3.5 3.5 0 1 0 0 7c3 0 6-7 9-7a3.5 3.5 0 1 1 0 7c-3 0-6-7-9-7Z',
  tree: 'M10 4h4v4h-4zM12 8v3.5M5.5 15v-3.5h13V15m-15 0h4v4h-4zM10 15h4v4h-4zM16.5 15h4v4h-4zM12 11.5V15',
  login: 'M14 4.5h5v15h-5M10 8l4 4-4 4m4-4H4.5',
  logout: 'M10 4.5H5v15h5M14.5 8l4 4-4 4m4-4h-9',
} as const

export type IconName = keyof typeof drawings

export const iconNames = Object.keys(drawings) as readonly IconName[]

/** Such icons point along the line, so pages from right to left mirror them. */
const turning: readonly IconName[] = ['on', 'back', 'undo', 'login', 'logout']

/** Each stands beside a word that says the same, in its colour. */
export const icons = Object.fromEntries(
  iconNames.map((name) => [
    name,
    html`<svg class="icon${turning.includes(name) ? ' turns' : ''}" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${drawings[name]}"/></svg>`,
  ]),
) as Readonly<Record<IconName, Markup>>

const devices: Readonly<Record<string, IconName>> = {
  iPhone: 'phone',
  iPad: 'phone',
  Android: 'phone',
  HarmonyOS: 'phone',
  Windows: 'desktop',
  ChromeOS: 'laptop',
  macOS: 'laptop',
  Linux: 'laptop',
}

/** @param system as `parseAgent` names it @param otherwise where no such device is known */
export const renderDeviceIcon = (system: string | null, otherwise: IconName): Markup =>
  icons[(system && devices[system]) || otherwise]

/** Of events, by their type: the first that fits. */
const events: readonly (readonly [RegExp, IconName])[] = [
  [/failed$|regressed|replayed|reused|changed_itself/, 'warning'],
  [/^owner\.(password|unlocked)|throttled$/, 'lock'],
  [/^(mail|link)\.|email/, 'mail'],
  [/^(upstream|authorization\.delegated)/, 'link'],
  [/^(session|logout)\./, 'logout'],
  [/^recovery_code\./, 'list'],
  [/^factor\./, 'key'],
  [/(approved|connected)$/, 'check'],
  [/denied$|ended$/, 'cross'],
  [/paused$/, 'pause'],
  [/resumed$/, 'resume'],
  [/end_changed$/, 'clock'],
  [/narrowed$/, 'pencil'],
  [/undone|again|revoked$/, 'undo'],
  [/delet/, 'trash'],
  [/^owner\./, 'person'],
]

/** @param type of an event */
export const pickEventIcon = (type: string): IconName =>
  events.find(([of]) => of.test(type))?.[1] ?? 'info'

/** A picture that stands alone, in a tab or a list of bookmarks; the colours are `#rrggbb`. */
export const renderIcon = ({ light, dark }: { readonly light: string; readonly dark: string }) =>
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="2 2 20 20"><style>svg{color:${light}}@media(prefers-color-scheme:dark){svg{color:${dark}}}</style><path fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" d="${key}"/></svg>`.toString()
