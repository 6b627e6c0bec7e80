/** The named code blocks of a page as files, run as programs against a service. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../support/port.ts'
import { blocksOf } from './blocks.ts'
import { root } from './source.ts'

interface Example {
  /** The next line that it writes. */
  line(): Promise<string>
  /** The URL of the next line, which is `open URL`. */
  url(): Promise<string>
  write(line: string): void
  /** The lines that are left, once it has ended well. */
  rest(): Promise<readonly string[]>
}

export interface Examples {
  /** Starts an example by the name of its block, with further variables. */
  start(name: string, given?: Readonly<Record<string, string>>): Promise<Example>
  close(): void
}

/**
 * @param page its path from the root of the checkout
 * @param edit changes addresses for which the page has no variable
 * @param further files beside those of the page, by name
 */
export const prepareExamples = (
  page: string,
  issuer: string,
  edit: (text: string) => string = (text) => text,
  further: Readonly<Record<string, string>> = {},
): Examples => {
  /** In the checkout, so that the programs find the installed libraries. */
  const place = join(root, '.cache', `examples-${process.pid}`)
  const running: ChildProcess[] = []
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
  for (const { name, text } of blocksOf(page, readFileSync(join(root, page), 'utf8'))) {
    if (name !== null) writeFileSync(join(place, name), edit(text))
  }
  for (const [name, text] of Object.entries(further)) writeFileSync(join(place, name), text)

  const start: Examples['start'] = async (name, given = {}) => {
    const { PATH } = process.env
    const env = { PATH, ISSUER: issuer, PORT: String(await freePort()), ...given }
    const program = /\.m?[jt]s$/.test(name) ? process.execPath : 'sh'
    const child = spawn(program, [name], { cwd: place, env, stdio: ['pipe', 'pipe', 'pipe'] })
    running.push(child)
    let complaints = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      complaints += text
    })
    const ended = once(child, 'close')
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const line = async () => {
      const next = await lines.next()
      if (!next.done) return next.value
      throw new Error(`${name} ended: ${complaints}`)
    }
    return {
      line,
      async url() {
        const said = await line()
        assert.match(said, /^open http:/)
        return said.slice('open '.length)
      },
      write: (text) => child.stdin.write(`${text}\n`),
      async rest() {
        const left: string[] = []
        for (let next = await lines.next(); !next.done; next = await lines.next())
          left.push(next.value)
        assert.deepEqual(await ended, [0, null], complaints)
        return left
      },
    }
  }

  return {
    start,
    close() {
      for (const child of running) child.kill()
      rmSync(place, { recursive: true })
    },
  }
}
