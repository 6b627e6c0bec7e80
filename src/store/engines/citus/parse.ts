/** The words of a statement, the queries in it, and the tables that each of them names. */
import { places, type TellingKind } from './place.ts'

/** A table that a query names. Of one without rows of owners, `by` is null. */
export interface Ref {
  readonly query: QueryPart
  /** Of a table; empty for a query in brackets. */
  readonly name: string
  alias: string
  by: Readonly<Record<string, TellingKind>> | null
  /** Of a query in brackets: the query, which may hand on all columns of one of its tables. */
  readonly inner: QueryPart | null
  /** Whether it may lack a row, as behind `left join`. */
  readonly isOptional: boolean
  /** The words of its own condition, for a join. */
  on: { readonly from: number; to: number } | null
}

/** A `select`, `update`, `delete` or `insert`, with those around it. */
export interface QueryPart {
  readonly outer: QueryPart | null
  /** Whether it stands in place of a table, and so sees no table beside it. */
  isTable: boolean
  readonly refs: Ref[]
  /** The word `where`, or -1. */
  where: number
  /** Where its conditions end, or would stand. */
  end: number
}

/** A name of a table in a statement. */
export interface TableWord {
  readonly at: number
  readonly name: string
  readonly isAliased: boolean
}

export interface ParsedStatement {
  /** Words, and the space between them. */
  readonly pieces: readonly string[]
  /** Places of the words among the pieces. */
  readonly words: readonly number[]
  /** In small letters; '' behind the last one. */
  readonly wordAt: (i: number) => string
  readonly queryOf: (i: number) => QueryPart | null
  /** Whether a comparison at a word holds for each row of a query, or of one around it. */
  readonly isCertain: (i: number, query: QueryPart) => boolean
  readonly queries: readonly QueryPart[]
  readonly tables: readonly TableWord[]
  /** Queries in brackets, with the table of which they hand on all columns. */
  readonly wholes: ReadonlyMap<Ref, Ref>
}

/** A pair of brackets, and what it is in the middle of. */
interface Frame {
  readonly outer: Frame | null
  query: QueryPart
  /** The query that it began with: `union` goes on with another. */
  readonly first: QueryPart
  readonly isQuery: boolean
  /** `ref`: a table comes. `refs`: behind a table. The rest is named by the word before it. */
  state: 'start' | 'ref' | 'refs' | 'into' | 'on' | 'where' | 'set' | 'other'
  isEnded: boolean
  /** Whether what it says need not hold: one of two sides of `or`, behind `not`, or in a `case`. */
  isUncertain: boolean
  /** How many `case` are open. */
  cases: number
  /** Whether `left join` came before. */
  isLeft: boolean
}

const pattern =
  /\s+|'(?:[^']|'')*'|[A-Za-z_][\w.]*(?:\.\*)?|\d+(?:\.\d+)?|<>|<=|>=|\|\||::|->>|->|./gs
const begins = new Set(['select', 'with', 'insert', 'update', 'delete', 'values'])
const unions = new Set(['union', 'except', 'intersect'])
const ends = new Set([
  ...unions,
  ...['group', 'order', 'limit', 'having', 'returning', 'for', 'offset', 'window'],
])
const joins = new Set(['join', 'left', 'inner', 'cross', 'right', 'full'])
const notAnAlias = new Set([
  ...[...ends, ...joins],
  ...['where', 'on', 'set', 'using', 'values', 'select', 'lateral'],
])

const isName = (word: string): boolean => /^[a-z_]\w*$/.test(word)

const openFrame = (outer: Frame | null, query: QueryPart, isQuery: boolean): Frame => ({
  ...{ outer, query, first: query, isQuery },
  ...{ state: 'start', isEnded: false, isUncertain: false, cases: 0 },
  isLeft: false,
})

class StatementParser {
  readonly queries: QueryPart[] = []
  readonly frameOf: Frame[] = []
  /** Whether a word stands in a condition on rows, and not in a list of values. */
  readonly isCondition: boolean[] = []
  readonly wholes = new Map<Ref, Ref>()
  readonly tables: TableWord[] = []
  readonly #wordAt: (i: number) => string
  readonly #stack: Frame[]
  /** What the list of a query begins with. */
  readonly #stars = new Map<QueryPart, string>()

  constructor(wordAt: (i: number) => string) {
    this.#wordAt = wordAt
    this.#stack = [openFrame(null, this.#begin(null), true)]
  }

  #begin(outer: QueryPart | null): QueryPart {
    const query: QueryPart = { outer, isTable: false, refs: [], where: -1, end: -1 }
    this.queries.push(query)
    return query
  }

  read(i: number): void {
    const frame = this.#stack.at(-1)
    if (frame === undefined) throw new Error('more brackets are closed than opened')
    this.frameOf[i] = frame
    const word = this.#wordAt(i)
    if (word === 'case') frame.cases++
    if (word === 'end') frame.cases--
    if (word === 'or' && frame.cases === 0) frame.isUncertain = true
    const { state } = this.#stack.findLast(({ isQuery }) => isQuery) ?? frame
    this.isCondition[i] = frame.cases === 0 && (state === 'where' || state === 'on')
    if (word === '(') this.#open(frame, i)
    else if (word === ')') this.#close(frame, i)
    else if (word === 'select') this.#stars.set(frame.query, this.#wordAt(i + 1))
    else if (frame.isQuery) this.#readWord(frame, word, i)
  }

  /** @param i behind the last word */
  finish(i: number): void {
    const [outermost] = this.#stack
    if (outermost) this.#endConditions(outermost, i)
  }

  #open(frame: Frame, i: number): void {
    const isQuery = begins.has(this.#wordAt(i + 1))
    const query = isQuery ? this.#begin(frame.query) : frame.query
    if (frame.isQuery && frame.state === 'ref') {
      frame.state = 'refs'
      query.isTable = true
      const { query: outer, isLeft: isOptional } = frame
      outer.refs.push({
        query: outer,
        name: '',
        alias: '',
        by: null,
        inner: query,
        isOptional,
        on: null,
      })
    }
    const opened = openFrame(frame, query, isQuery)
    opened.isUncertain = !isQuery && (this.#wordAt(i - 1) === 'not' || frame.cases > 0)
    this.#stack.push(opened)
  }

  #close(frame: Frame, i: number): void {
    this.#stack.pop()
    if (frame.isQuery) this.#endConditions(frame, i)
    const ref = this.#stack.at(-1)?.query.refs.at(-1)
    if (!ref?.inner || ref.alias !== '' || ref.inner !== frame.first) return
    ref.alias = this.#wordAt(this.#wordAt(i + 1) === 'as' ? i + 2 : i + 1)
    const star = this.#stars.get(frame.first) ?? ''
    const whole = frame.first.refs.find(({ alias }) => star === '*' || star === `${alias}.*`)
    ref.by = whole?.by ?? null
    if (whole !== undefined) this.wholes.set(ref, whole)
  }

  #readWord(frame: Frame, word: string, i: number): void {
    const { query, state } = frame
    const next = this.#wordAt(i + 1)
    if (state === 'ref' && isName(word) && word !== 'only' && word !== 'lateral') {
      this.#addTable(frame, word, i)
      frame.state = 'refs'
    } else if (state === 'into' && isName(word)) {
      this.tables.push({ at: i, name: word, isAliased: false })
      frame.state = 'other'
    } else if (word === 'from' && this.#wordAt(i - 1) !== 'distinct') frame.state = 'ref'
    else if (word === 'update' && state === 'start') frame.state = 'ref'
    // The rows to insert are compared with nothing.
    else if (word === 'into' && state === 'start') frame.state = 'into'
    else if ((word === 'using' || word === ',') && state === 'refs') frame.state = 'ref'
    else if (word === 'set' && state === 'refs') frame.state = 'set'
    else if (joins.has(word) && (state === 'refs' || state === 'on')) {
      this.#endJoin(frame, i)
      if (word !== 'join') frame.isLeft = word === 'left'
      else if (!joins.has(this.#wordAt(i - 1))) frame.isLeft = false
      frame.state = word === 'join' ? 'ref' : 'refs'
    } else if (word === 'on' && state === 'refs') {
      const last = query.refs.at(-1)
      if (last) last.on = { from: i, to: -1 }
      frame.state = 'on'
    } else if (word === 'on' && next === 'conflict') this.#endConditions(frame, i)
    else if (word === 'where' && !frame.isEnded) {
      this.#endJoin(frame, i)
      query.where = i
      frame.state = 'where'
    } else if (ends.has(word) && state !== 'start') {
      this.#endConditions(frame, i)
      if (unions.has(word)) {
        const { outer, first } = frame
        this.#stack.pop()
        this.#stack.push({ ...openFrame(outer, this.#begin(query.outer), true), first })
      }
    }
  }

  #addTable({ query, isLeft }: Frame, name: string, i: number): void {
    const after = this.#wordAt(i + 1) === 'as' ? i + 2 : i + 1
    const word = this.#wordAt(after)
    const isCall = this.#wordAt(i + 1) === '('
    const place = isCall ? undefined : places[name]
    const isAliased = isName(word) && !notAnAlias.has(word)
    if (!isCall) this.tables.push({ at: i, name, isAliased })
    query.refs.push({
      query,
      name,
      alias: isAliased ? word : name,
      by: place?.with === 'owner' ? place.by : null,
      inner: null,
      isOptional: isLeft,
      on: null,
    })
  }

  #endJoin({ query }: Frame, i: number): void {
    const last = query.refs.at(-1)
    if (last?.on && last.on.to === -1) last.on.to = i
  }

  #endConditions(frame: Frame, i: number): void {
    this.#endJoin(frame, i)
    if (!frame.isEnded) frame.query.end = i
    frame.isEnded = true
    frame.state = 'other'
  }
}

export const parse = (sql: string): ParsedStatement => {
  const pieces = sql.match(pattern) ?? []
  const words = pieces.flatMap((piece, i) => (piece.trim() === '' ? [] : [i]))
  const wordAt = (i: number): string => (pieces[words[i] ?? -1] ?? '').toLowerCase()
  const parser = new StatementParser(wordAt)
  for (const i of words.keys()) parser.read(i)
  parser.finish(words.length)
  const { queries, frameOf, isCondition, wholes, tables } = parser
  const isCertain = (i: number, query: QueryPart): boolean => {
    if (!isCondition[i]) return false
    for (let frame = frameOf[i] ?? null; frame !== null; frame = frame.outer) {
      if (frame.isUncertain) return false
      if (frame.isQuery && frame.query === query) return true
    }
    return false
  }
  const queryOf = (i: number): QueryPart | null => frameOf[i]?.query ?? null
  return { pieces, words, wordAt, queryOf, isCertain, queries, tables, wholes }
}
