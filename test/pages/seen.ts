/**
 * Pages that a check found without a fault. A page is checked anew once its HTML, a style, a script,
 * the check, axe or Chromium changed. In CI it always is, and so it is where its picture is wanted.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { takesPictures } from './chromium.ts'
import { axe } from './look.ts'
import { sentWith } from './served.ts'

export interface Seen {
  /** Whether the page is as it was when it had no fault. */
  has(name: string, html: string): boolean
  /** Only for a page without a fault. */
  add(name: string, html: string): void
}

/** The text of all checks: a change of any of them makes every page new. */
const checks = (): readonly string[] =>
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(import.meta.dirname, name), 'utf8'))

/** @param check names what is looked for, since several checks look at one page */
export const openSeen = (check: string, chromium: string): Seen => {
  const folder = join(import.meta.dirname, '../../.cache/pages', check)
  mkdirSync(folder, { recursive: true })
  const version = spawnSync(chromium, ['--version'], { encoding: 'utf8' }).stdout
  const around = JSON.stringify([version, axe, checks()])
  const digestOf = (html: string): string =>
    createHash('sha256').update(around).update(sentWith(html)).digest('hex')
  const read = (name: string): string => {
    try {
      return readFileSync(join(folder, name), 'utf8')
    } catch {
      return ''
    }
  }
  const mayKnow = process.env.CI === undefined && !takesPictures
  return {
    has: (name, html) => mayKnow && read(name) === digestOf(html),
    // No run of CI reads what another one left.
    add: (name, html) => {
      if (process.env.CI === undefined) writeFileSync(join(folder, name), digestOf(html))
    },
  }
}
