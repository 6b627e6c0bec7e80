/** The indexes of `docs/`: RFC sections, refusals and routes, each found in the source. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operations } from '../../src/operations/index.ts'
import { described } from '../../src/operations/surface/api.ts'
import { type ErrorCode, statusOf } from '../../src/protocol/refusal.ts'
import { findRule } from '../../src/protocol/rules/index.ts'
import { getPagePath, getPart, getPlace } from '../../src/rooms/console/frame.ts'
import { listRows } from '../support/rows.ts'
import { argumentsAt, callsOf, literalOf } from './calls.ts'
import { code, table } from './markdown.ts'
import { playground, root, type Source, sourceOf, sources } from './source.ts'
import { findFilesOf } from './written-in.ts'

const tests: readonly Source[] = readdirSync(join(root, 'test'), { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('.test.ts'))
  .sort()
  .map((path) => sourceOf(`test/${path}`, readFileSync(join(root, 'test', path), 'utf8')))

const within = (folder: string, files: readonly Source[]): readonly Source[] =>
  files.map((source) => ({ ...source, path: `${folder}/${source.path}` }))

const product: readonly Source[] = [
  ...within('src', sources),
  ...within('playground', playground),
].sort((a, b) => (a.path < b.path ? -1 : 1))

const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })

/** RFC and section (or `whole`) -> the files that name it. */
export const rfcIndex = (
  files: readonly Source[],
): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> => {
  const found = new Map<string, Map<string, Set<string>>>()
  for (const { path, text } of files) {
    const named =
      /RFC (\d{4})(?:,? sections? ((?:(?:\d+|[A-Z])(?:\.\d+)*\b(?:, and |, | and )?)+))?/g
    for (const [, rfc = '', list] of text.matchAll(named)) {
      const sections = list?.match(/\b(?:\d+|[A-Z])(?:\.\d+)*\b/g) ?? ['whole']
      const entry = found.get(rfc) ?? new Map<string, Set<string>>()
      found.set(rfc, entry)
      for (const section of sections) {
        entry.set(section, (entry.get(section) ?? new Set()).add(path))
      }
    }
  }
  return new Map(
    [...found]
      .sort(([a], [b]) => byNumber(a, b))
      .map(([rfc, sections]) => [
        rfc,
        new Map(
          [...sections]
            .sort(([a], [b]) => byNumber(a, b))
            .map(([name, paths]) => [name, [...paths].sort()]),
        ),
      ]),
  )
}

/** docs/rfcs.md */
export const renderRfcs = (): string =>
  [
    '# RFC sections and the files that name them',
    '',
    'Generated from comments and tests by `npm run docs`. A test stands beside the file it tests.',
    '',
    ...[...rfcIndex([...product, ...tests])].flatMap(([rfc, sections]) => [
      `## RFC ${rfc}`,
      '',
      table(
        ['Section', 'Files'],
        [...sections].map(([section, paths]) => [section, paths.map(code).join(' ')]),
      ),
      '',
    ]),
  ].join('\n')

/** Who can do something about an error code. */
const fixedBy: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'client developer',
  invalid_client: 'client developer, operator',
  invalid_grant: 'client developer, or the owner approves again',
  unauthorized_client: 'client developer, operator',
  unsupported_grant_type: 'client developer',
  invalid_scope: 'client developer',
  unsupported_response_type: 'client developer',
  access_denied: 'owner',
  server_error: 'operator',
  temporarily_unavailable: 'nobody: try again later',
  invalid_request_object: 'client developer',
  invalid_request_uri: 'client developer',
  login_required: 'owner, by a request without `prompt=none`',
  consent_required: 'owner, by a request without `prompt=none`',
  interaction_required: 'owner, by a request without `prompt=none`',
  unmet_authentication_requirements: 'owner, by another factor',
  invalid_token: 'client developer: refresh, or ask the owner again',
  insufficient_scope: 'client developer: ask the owner for the scope',
  authorization_pending: 'owner; the device asks again',
  slow_down: 'client developer: ask less often',
  expired_token: 'client developer: begin again',
  unknown_user_id: 'client developer: check the hint',
  invalid_binding_message: 'client developer',
  insufficient_user_authentication: 'client developer: ask for the login that the challenge names',
  invalid_grant_id: 'client developer',
  invalid_authorization_details: 'client developer',
  invalid_dpop_proof: 'client developer',
  use_dpop_nonce: 'client developer: send the nonce of the answer',
  unsupported_token_type: 'client developer',
  invalid_redirect_uri: 'client developer',
  invalid_client_metadata: 'client developer',
  invalid_target: 'client developer',
  not_found: 'the caller',
  method_not_allowed: 'the caller',
  conflict: 'the caller',
  precondition_failed: 'the caller',
  too_large: 'the caller',
  unsupported_media_type: 'the caller',
  misdirected_request: 'operator (`LATCHKEY_HOSTS`)',
  too_many_requests: 'nobody: wait as `Retry-After` says',
}

interface FoundRefusal {
  readonly code: string
  readonly reason: string
  readonly description: string
  readonly path: string
}

/** A function that makes a refusal out of its parameters. `of` picks code, reason and description. */
interface Maker {
  readonly name: string
  readonly of: (
    args: readonly string[],
  ) => readonly [string | undefined, string | undefined, string | undefined]
}

/** The function that a place of the text lies in, if the refusal is made out of its parameters. */
const makerAround = (source: Source, index: number, args: readonly string[]): Maker | null => {
  const heads = source.code.slice(0, index).matchAll(/^(?:export )?const (\w+)(?:: \w+)? = (\()?/gm)
  const head = [...heads].at(-1)
  if (head?.[2] === undefined) return null
  const parameters = argumentsAt(source.spoken, head.index + head[0].length - 1)
  const names = parameters.map((parameter) => /^\w+/.exec(parameter)?.[0] ?? '')
  if (!args.slice(0, 3).some((arg) => names.includes(arg))) return null
  return {
    name: head[1] ?? '',
    of: (given) => {
      const pick = (arg: string | undefined) => {
        const [name = '', otherwise] = (arg ?? '').split(/ \?\?\s+/)
        const place = names.indexOf(name)
        if (place === -1) return arg
        const fallback = /=\s*('.*')$/s.exec(parameters[place] ?? '')?.[1]
        const value = given[place]
        return value === undefined || literalOf(value) === null ? (otherwise ?? fallback) : value
      }
      return [pick(args[0]), pick(args[1]), pick(args[2])]
    },
  }
}

/** Replaces the name of a constant from shortly before by its value; leaves anything else. */
const valueBefore = (source: Source, index: number, arg: string): string => {
  if (!/^\w+$/.test(arg)) return arg
  const named = new RegExp(
    `const ${arg} =\\s+('(?:[^'\\\\]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`)\\s*$`,
    'gm',
  )
  const text = source.spoken.slice(Math.max(0, index - 600), index)
  return [...text.matchAll(named)].at(-1)?.[1] ?? arg
}

/** The refusals of the source, as far as they are written out. */
export const refusalsOf = (files: readonly Source[]): readonly FoundRefusal[] => {
  const found: FoundRefusal[] = []
  const note = (path: string, [of, why, said]: readonly (string | undefined)[]): void => {
    const [errorCode, reason] = [literalOf(of), literalOf(why)]
    if (reason === null || errorCode === '') return
    found.push({ code: errorCode ?? '', reason, description: literalOf(said) ?? '', path })
  }
  for (const { source, index, args: written } of callsOf('new Refusal', files)) {
    const args = written.map((arg) => valueBefore(source, index, arg))
    const maker = makerAround(source, index, args)
    if (maker === null) note(source.path, args)
    else {
      const isExported = source.code.includes(`export const ${maker.name} =`)
      for (const call of callsOf(maker.name, isExported ? files : [source])) {
        const given = call.args.map((arg) => valueBefore(call.source, call.index, arg))
        note(call.source.path, maker.of(given))
      }
    }
  }
  const order = (one: FoundRefusal): string =>
    [one.code, one.reason, one.path, one.description].join(' ')
  const distinct = new Map(found.map((one) => [order(one), one]))
  return [...distinct].sort(([a], [b]) => byNumber(a, b)).map(([, one]) => one)
}

/** The reasons of refusals, thrown ones and those of pages. */
export const reasonsOf = (files: readonly Source[]): readonly string[] => [
  ...new Set([
    ...refusalsOf(files).map(({ reason }) => reason),
    ...files.flatMap(({ spoken }) =>
      [
        ...spoken.matchAll(/\breason: '([a-z_]+)', status: \d|status: \d+, reason: '([a-z_]+)'/g),
      ].map(([, one, other]) => one ?? other ?? ''),
    ),
  ]),
]

const isKnown = (text: string): text is ErrorCode => text in statusOf

/** docs/refusals.md */
export const renderRefusals = (): string => {
  const all = refusalsOf(product)
  return [
    '# Refusals',
    '',
    'Generated from the source by `npm run docs`. The log and the metrics name a refusal by its reason. A `*` stands',
    'for a value. The caller reads the description. If it is empty here, the file puts it together. Rule and fix are for',
    'whoever asks by the [reference](explain.md).',
    '',
    ...Object.keys(statusOf)
      .filter(isKnown)
      .flatMap((errorCode) => {
        const these = all.filter((one) => one.code === errorCode)
        if (these.length === 0) return []
        return [
          `## ${errorCode} (${statusOf[errorCode]})`,
          '',
          `Fixed by: ${fixedBy[errorCode]}.`,
          '',
          table(
            ['Reason', 'Description', 'Rule', 'Fix', 'File'],
            these.map(({ reason, description, path }) => {
              const rule = findRule(reason.replace('*', 'NAME'))
              return [code(reason), description, rule?.source ?? '', rule?.fix ?? '', code(path)]
            }),
          ),
          '',
        ]
      }),
  ].join('\n')
}

/** How pages with forms, and the console, write rows: the path, the methods, and what comes behind the path. */
const pathRules: readonly (readonly [RegExp, readonly string[], string])[] = [
  [/\b(?:makeRows|ownerForm)\(\s*([^,]+),/g, ['GET', 'POST'], ''],
  [/\bentry\.(?:page|form)\(\s*([^,]+),/g, ['GET'], ''],
  [/\bentry\.(?:look|change)\(\s*([^,]+),/g, ['POST'], ''],
  [/\bopenActions\(\s*\{\s*of: (\w+),/g, ['POST'], ''],
  [/\boperation: (\w+),\s*words\b/g, ['GET'], ''],
  [/\bnewPath: ([^,]+),/g, ['GET', 'POST'], ''],
  [/\bnewPath: [^,]+,\s*read: (\w+),/g, ['GET', 'POST'], '/edit'],
]

/** The path in the console of an operation that a row names; null for any other text. */
const findPlace = (name: string): string | null => {
  const operation = operations.find(({ id }) => id === name)
  if (operation === undefined) return null
  return operation.filters === undefined ? getPagePath(operation) : getPlace(getPart(operation))
}

/**
 * The files of operations, and of pages that functions and tables make, by method and path. Handlers of other rows
 * are found where they are written.
 */
const handlerFiles = (): ReadonlyMap<string, string> => {
  const files = new Map<string, string>()
  for (const { id, method, path } of described) {
    // The row of an operation stands in one file.
    const row = new RegExp(`\\bconst ${id} = defineRow\\(|\\bid: '${id}',`)
    const file = sources.find(({ text }) => row.test(text))?.path
    // What the description adds to the operations has handlers of its own.
    if (file !== 'operations/surface/api.ts') files.set(`${method} ${path}`, `src/${file}`)
  }
  for (const { path, spoken } of product) {
    const constants = [...spoken.matchAll(/^ *const (\w+) = '(\/[^']*)'$/gm)]
    /** A path of a row, with the constants that it begins with. */
    const wholePath = (cell: string): string =>
      /^['`]/.test(cell)
        ? constants.reduce(
            (known, [, name = '', value = '']) => known.replace(`\${${name}}`, value),
            cell.replaceAll(/['`]/g, ''),
          )
        : (constants.find(([, name]) => name === cell)?.[2] ?? findPlace(cell) ?? cell)
    // Functions make the rows of pages with forms, and tables those of lists in the console.
    for (const [rule, methods, rest] of pathRules) {
      for (const [, cell = ''] of spoken.matchAll(rule)) {
        for (const method of methods) files.set(`${method} ${wholePath(cell)}${rest}`, path)
      }
    }
  }
  return files
}

/** docs/routes.md: the file behind each URL. */
export const renderRoutes = (): string => {
  const files = handlerFiles()
  const rows = listRows()
  const written = findFilesOf(rows.map(({ handler }) => handler))
  return [
    '# Routes',
    '',
    'Generated from the rows of rooms and operations by `npm run docs`. *Refuses as* says how an error is written; *other origins*',
    'says whether scripts of other sites may read the answer (CORS).',
    '',
    table(
      ['Method', 'Path', 'File', 'Refuses as', 'Other origins'],
      rows.map(({ method, path, refusedAs, cors }, i) => [
        method,
        code(path),
        code(files.get(`${method} ${path}`) ?? written[i] ?? ''),
        typeof refusedAs === 'string' ? refusedAs : 'a form of its own',
        cors === 'open' ? 'may read' : 'may not',
      ]),
    ),
    '',
  ].join('\n')
}
