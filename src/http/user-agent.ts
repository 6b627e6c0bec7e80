/** Short names of browsers, from their `User-Agent` (RFC 9110 section 10.1.5). */
import { httpLimits } from './limits.ts'

export interface Agent {
  /** Such as `Firefox`; null where nothing is known. */
  readonly program: string | null
  /** Such as `Android`; null where nothing is known. */
  readonly system: string | null
}

type NameRows = readonly (readonly [mark: RegExp, name: string])[]

/** Most also name their ancestors, so the first match counts. */
const programs: NameRows = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bMicroMessenger\//, 'WeChat'],
  [/\bM?QQBrowser\//, 'QQ Browser'],
  [/\bUCBrowser\//, 'UC Browser'],
  [/\b(?:HuaweiBrowser|HBPC)\//, 'Huawei Browser'],
  [/\bMiuiBrowser\//, 'Mi Browser'],
  [/\b(?:DuckDuckGo|Ddg)\//, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//, 'Safari'],
]

const systems: NameRows = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\b(?:HarmonyOS|OpenHarmony)\b/, 'HarmonyOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\b(?:Linux|X11)\b/, 'Linux'],
]

const findFirst = (rows: NameRows, text: string): string | null =>
  rows.find(([mark]) => mark.test(text))?.[1] ?? null

/** The name that a program gives itself before its version: `curl` of `curl/8.14.1`. */
const ownName = (text: string): string | null => {
  const [, name = ''] = /^([A-Za-z][\w.-]*)(?:\/|$)/.exec(text) ?? []
  return name === '' || name === 'Mozilla' ? null : name.slice(0, httpLimits.programNameCharacters)
}

/** Only names of our own. A mail must hold no text that a stranger chose. */
export const parseFamiliarAgent = (userAgent: string): Agent => ({
  program: findFirst(programs, userAgent),
  system: findFirst(systems, userAgent),
})

/** The same as details of an event: only what is known. */
export const tellAgent = (userAgent: string | null): Readonly<Record<string, string>> => {
  const known = Object.entries(
    parseFamiliarAgent((userAgent ?? '').slice(0, httpLimits.userAgentCharacters)),
  )
  return Object.fromEntries(known.filter(([, name]) => name !== null))
}

/** The agent is only ever claimed: for its owner to recognise, and for nothing to depend on. */
export const parseAgent = (userAgent: string): Agent => {
  const text = userAgent.slice(0, httpLimits.userAgentCharacters)
  const { program, system } = parseFamiliarAgent(text)
  return { program: program ?? ownName(text), system }
}
