/**
 * Statements as a store over many machines takes them. A table with the rows of owners has one more column, the
 * shard key. A statement that tells the key by its values goes to one machine, since each such table is compared
 * with the key. Where no value tells the key, the tables are compared with one another.
 */
import { type ParsedStatement, parse, type QueryPart, type Ref } from './parse.ts'
import { places, type TellingKind } from './place.ts'
import { countPlaces } from './words.ts'

/** A parameter that tells the shard key of a table. */
interface Pin {
  readonly place: number
  readonly kind: TellingKind
  /** The number of the tables that have the rows of one owner. */
  readonly group: number
}

export interface KeyedStatement {
  /** `$1` to `$n` for the parameters, and `$n+1` for the shard key. */
  readonly keyed: string
  /** Without a shard key. */
  readonly spread: string
  readonly pins: readonly Pin[]
  /** The parameters with the shard keys of the rows that it inserts. */
  readonly rowKeys: readonly number[]
  /** Tables with rows of owners that are not compared with the shard key. */
  readonly loose: ReadonlySet<string>
  /** Whether the machine of the shard can answer it alone, from the tables of the shard. */
  readonly isNear: boolean
  /** The keyed statement, with other names of its tables. */
  rename(names: ReadonlyMap<string, string>): string
}

interface TellingColumn {
  readonly ref: Ref
  readonly kind: TellingKind
}

/** The table of a column, among those of a query and the queries around it; null where it tells no shard key. */
const findColumn = (word: string, from: QueryPart | null): TellingColumn | null => {
  const [, alias = '', name = ''] = /^(?:([a-z_]\w*)\.)?([a-z_]\w*)$/.exec(word) ?? []
  if (name === '') return null
  for (let query = from; query !== null; query = query.outer) {
    const [only, another] = query.refs
    if (alias === '' && another !== undefined) return null
    const ref = alias === '' ? only : query.refs.find((one) => one.alias === alias)
    const kind = ref?.by?.[name]
    if (ref !== undefined) return kind === undefined ? null : { ref, kind }
    if (alias === '') return null
  }
  return null
}

/** The places of parameters. */
const openParameters = ({ words, wordAt }: ParsedStatement) => {
  let count = 0
  const placeOf = words.map((_, i) => (wordAt(i) === '?' ? count++ : -1))
  const listIn = (from: number): readonly number[] => {
    const listed: number[] = []
    for (let i = from; wordAt(i) !== ')' && i < words.length; i++) {
      if (wordAt(i) === '?') listed.push(placeOf[i] ?? -1)
      else if (wordAt(i) !== ',') return []
    }
    return listed
  }
  return {
    count,
    /** The parameters behind `=` or `in`, also in `cast(? as text)`. */
    listAt: (i: number): readonly number[] => {
      if (wordAt(i) === 'in') return listIn(i + 2)
      const at = wordAt(i + 1) === 'cast' ? i + 3 : i + 1
      return wordAt(at) === '?' ? [placeOf[at] ?? -1] : []
    },
  }
}

/** Whether rows of one query are bound by a condition in another one. */
const isBinding = (condition: QueryPart, query: QueryPart): boolean => {
  for (let at: QueryPart | null = query; at !== null; at = at.outer)
    if (at === condition) return true
  return condition.isTable && condition.outer !== null && isBinding(condition.outer, query)
}

/** Finds which tables have rows of the same owner, and the parameters with the owner. */
const group = (parsed: ParsedStatement) => {
  const { words, wordAt, queryOf, isCertain, wholes } = parsed
  const parents = new Map<Ref, Ref>()
  const rootOf = (ref: Ref): Ref => {
    const parent = parents.get(ref)
    return parent === undefined ? ref : rootOf(parent)
  }
  const join = (one: Ref, other: Ref): void => {
    if (rootOf(one) !== rootOf(other)) parents.set(rootOf(one), rootOf(other))
  }
  for (const [ref, whole] of wholes) join(ref, whole)
  const parameters = openParameters(parsed)
  const pins: { readonly ref: Ref; readonly kind: TellingKind; readonly place: number }[] = []
  /** Tables with the rows of a query inside alone. */
  const among: { readonly outer: Ref; readonly inner: Ref }[] = []
  for (const i of words.keys()) {
    if (wordAt(i) !== '=' && wordAt(i) !== 'in') continue
    const left = findColumn(wordAt(i - 1), queryOf(i - 1))
    // `in (select owner_id from ...)` compares with a column, too.
    const other = wordAt(i) === '=' ? i + 1 : wordAt(i + 2) === 'select' ? i + 3 : -1
    const right = other === -1 ? null : findColumn(wordAt(other), queryOf(other))
    if (left === null) continue
    if (right !== null) {
      const inner = isBinding(right.ref.query, left.ref.query) ? left : right
      if (isCertain(i, inner.ref.query)) join(left.ref, right.ref)
      if (wordAt(i) === 'in' && isCertain(i, left.ref.query)) {
        among.push({ outer: left.ref, inner: right.ref })
      }
    } else if (isCertain(i, left.ref.query)) {
      for (const place of parameters.listAt(i)) pins.push({ ...left, place })
    }
  }
  const isBound = (ref: Ref, by: Ref): boolean =>
    rootOf(by) === rootOf(ref) && isBinding(by.query, ref.query)
  const isPinned = (ref: Ref): boolean =>
    pins.some((pin) => isBound(ref, pin.ref)) ||
    among.some(
      ({ outer, inner }) => isBound(ref, outer) && pins.some((pin) => isBound(inner, pin.ref)),
    )
  return { rootOf, pins, isPinned, count: parameters.count }
}

/** The tables of the queries around one, which it sees. */
const listOuter = ({ outer, isTable }: QueryPart): readonly Ref[] =>
  outer === null || isTable ? [] : [...listOuter(outer), ...outer.refs]

/**
 * The table to compare another one with, which never lacks a row. Citus joins tables better than queries in brackets.
 * A query inside a condition may not see the later tables around it.
 */
const findCompared = (ref: Ref, isAlike: (one: Ref) => boolean): Ref | undefined => {
  const { refs } = ref.query
  const [own, outer] = [refs.slice(0, refs.indexOf(ref)), listOuter(ref.query)].map((all) =>
    all.filter((one) => one.by !== null && !one.isOptional && isAlike(one)),
  )
  return own?.findLast(({ inner }) => inner === null) ?? own?.[0] ?? outer?.[0]
}

const ownNames: ReadonlyMap<string, string> = new Map()

/**
 * Writes the statement with the conditions of its tables.
 *
 * @param names of tables, where they have other names
 */
const write = (
  parsed: ParsedStatement,
  conditionOf: (ref: Ref) => string | null,
  names = ownNames,
): string => {
  const { pieces, words, queries, tables } = parsed
  const before = new Map<number, string>()
  const after = new Map<number, string>()
  const put = (to: Map<number, string>, at: number, text: string): void => {
    to.set(at, (to.get(at) ?? '') + text)
  }
  const pieceAt = (word: number): number => words[word] ?? pieces.length
  for (const query of queries) {
    const wanted: string[] = []
    for (const ref of query.refs) {
      const condition = conditionOf(ref)
      if (condition === null) continue
      if (ref.on === null) wanted.push(condition)
      else {
        put(after, pieceAt(ref.on.from), ` ${condition} and (`)
        put(before, pieceAt(ref.on.to), ') ')
      }
    }
    if (wanted.length === 0) continue
    const text = wanted.join(' and ')
    if (query.where === -1) put(before, pieceAt(query.end), ` where ${text} `)
    else {
      put(after, pieceAt(query.where), ` ${text} and (`)
      put(before, pieceAt(query.end), ') ')
    }
  }
  const renamed = new Map(
    tables.flatMap(({ at, name, isAliased }) => {
      const other = names.get(name)
      // The columns are named by the table of the statement.
      return other === undefined ? [] : [[pieceAt(at), isAliased ? other : `${other} as ${name}`]]
    }),
  )
  let place = 0
  let text = ''
  for (let i = 0; i <= pieces.length; i++) {
    text += before.get(i) ?? ''
    const piece = renamed.get(i) ?? pieces[i] ?? ''
    text += piece === '?' ? `$${++place}` : piece
    text += after.get(i) ?? ''
  }
  return text
}

/** Tables of all machines are alike on each, and are changed on all of them or none. */
const areNear = ({ tables }: ParsedStatement, sql: string): boolean => {
  const kinds = tables.map(({ name }) => places[name]?.with)
  const areHere = kinds.every((kind) => kind === 'owner' || kind === 'everywhere')
  const changes = !/^\s*select\b/i.test(sql) || / for (update|key share|share)\b/i.test(sql)
  return areHere && (!changes || kinds[0] === 'owner')
}

/** Of rows that `insertApart` writes: the shard key is the last value of each. */
const findRowKeys = (sql: string): readonly number[] => {
  const [, columns = '', rows = ''] =
    /^\s*insert into \w+ \(([^)]*), shard_key\) values ([(),? ]+)/.exec(sql) ?? []
  const length = columns.split(',').length + 1
  return Array.from({ length: countPlaces(rows) / length }, (_, row) => (row + 1) * length - 1)
}

export const compile = (sql: string): KeyedStatement => {
  const parsed = parse(sql)
  const { rootOf, pins, isPinned, count } = group(parsed)
  const key = `$${count + 1}`
  const compare = (ref: Ref): string | null => {
    if (ref.by === null) return null
    const other = findCompared(ref, (one) => rootOf(one) === rootOf(ref))
    return other === undefined ? null : `${ref.alias}.shard_key = ${other.alias}.shard_key`
  }
  const spread = write(parsed, compare)
  const hasOwned = parsed.queries.some(({ refs }) => refs.some(({ by }) => by !== null))
  const roots = [...new Set(pins.map(({ ref }) => rootOf(ref)))]
  const bind = (ref: Ref): string | null =>
    ref.by !== null && isPinned(ref) ? `${ref.alias}.shard_key = ${key}` : compare(ref)
  const loose = parsed.queries
    .flatMap(({ refs }) => refs)
    .filter((ref) => ref.by !== null && !isPinned(ref))
  return {
    keyed: write(parsed, bind),
    rowKeys: findRowKeys(sql),
    loose: new Set(loose.map(({ name }) => name)),
    isNear: loose.length === 0 && areNear(parsed, sql),
    rename: (names) => write(parsed, bind, names),
    // A row is locked only where one machine has all rows (`parseLock`).
    spread: hasOwned ? spread.replace(/ for update( skip locked)?$/, '') : spread,
    pins: pins.map(({ ref, kind, place }) => ({ kind, place, group: roots.indexOf(rootOf(ref)) })),
  }
}
