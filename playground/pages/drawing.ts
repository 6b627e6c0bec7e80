/** The four parties of RFC 6749 section 1.1 and the arrows between them, as an SVG with its own text. */
import { html, type Markup } from '../../src/paper/markup.ts'
import type { PlaygroundWords } from '../words/words.ts'
import type { Exchanged, Party, Way } from './exchanged.ts'

interface Box {
  readonly x: number
  readonly y: number
}

const width = 112
const height = 64

/** The browser and its people above, programs below; servers at the end of the line. */
const boxes: Readonly<Record<Party, Box>> = {
  owner: { x: 2, y: 2 },
  server: { x: 206, y: 2 },
  client: { x: 2, y: 164 },
  api: { x: 206, y: 164 },
}

type Point = readonly [x: number, y: number]

const middle = ({ x, y }: Box): Point => [x + width / 2, y + height / 2]

/** Where a line from the middle of a box to that of another one leaves the first, with some air. */
const edgeTowards = (from: Party, to: Party): Point => {
  const [x, y] = middle(boxes[from])
  const [towardsX, towardsY] = middle(boxes[to])
  const [dx, dy] = [towardsX - x, towardsY - y]
  const share = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : (width / 2 + 5) / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : (height / 2 + 5) / Math.abs(dy),
  )
  return [x + dx * share, y + dy * share]
}

/** Beside the straight line, so that an answer does not lie upon its question. */
const aside = ([x, y]: Point, [dx, dy]: Point, by: number): Point => {
  const length = Math.hypot(dx, dy)
  return [x - (dy / length) * by, y + (dx / length) * by]
}

const rounded = (value: number): number => Math.round(value * 10) / 10

const line = (from: Point, to: Point, kind: 'asks' | 'answers'): Markup =>
  html`<path class="${kind}" d="M${rounded(from[0])} ${rounded(from[1])}L${rounded(to[0])} ${rounded(to[1])}" marker-end="url(#${kind})"/>`

interface Arrow {
  readonly way: Way
  /** Which of the requests take this way, from 1. */
  readonly numbers: readonly number[]
  readonly answered: boolean
  readonly refused: boolean
}

/** Nothing came of it. */
const cross = ([x, y]: Point): Markup =>
  html`<g class="cross" transform="translate(${rounded(x)} ${rounded(y)})"><circle r="13"/><path d="M-5 -5 5 5M5 -5-5 5"/></g>`

const arrow = (
  { way: [from, to], numbers, answered, refused }: Arrow,
  numbered: boolean,
): Markup => {
  const [start, end] = [edgeTowards(from, to), edgeTowards(to, from)]
  const along: Point = [end[0] - start[0], end[1] - start[1]]
  const by = answered ? -6 : 0
  const between: Point = [start[0] + along[0] / 2, start[1] + along[1] / 2]
  const [x, y] = aside(between, along, by - (refused ? 30 : 15))
  return html`${line(aside(start, along, by), aside(end, along, by), 'asks')}
${answered ? line(aside(end, along, -by), aside(start, along, -by), 'answers') : null}
${numbered ? html`<text class="number" x="${rounded(x)}" y="${rounded(y + 4)}" text-anchor="middle">${numbers.join(', ')}</text>` : null}
${refused ? cross(between) : null}`
}

/** An error, on its own or in the address that a browser is sent to. */
const isRefused = ({ response }: Exchanged): boolean =>
  response !== null &&
  (/^HTTP\/1\.1 [45]/.test(response.start) ||
    response.headers.some(([name, value]) => name === 'Location' && /[?&#]error=/.test(value)))

const isCrossed = (exchanged: Exchanged, { crosses }: Pick<Drawing, 'crosses'>): boolean =>
  crosses === 'all' || (crosses === 'refused' && isRefused(exchanged))

const arrowsOf = (drawing: Drawing): readonly Arrow[] => {
  const arrows = new Map<string, Arrow>()
  for (const [at, exchanged] of drawing.exchanges.entries()) {
    const { ways, response } = exchanged
    for (const way of ways) {
      const before = arrows.get(way.join())
      arrows.set(way.join(), {
        way,
        numbers: [...(before?.numbers ?? []), at + 1],
        answered: response !== null || (before?.answered ?? false),
        refused: isCrossed(exchanged, drawing) || (before?.refused ?? false),
      })
    }
  }
  return [...arrows.values()]
}

export interface Drawing {
  readonly exchanges: readonly Exchanged[]
  /** Who it is, under the name of the party. */
  readonly names: Readonly<Record<Party, string>>
  /** Who has no part in the flow. */
  readonly absent: readonly Party[]
  /** Crossed out: in an attack the `refused` requests, or `all` if the client throws the answer away. */
  readonly crosses: 'refused' | 'all' | null
  readonly words: PlaygroundWords
}

const box = (party: Party, { names, absent, words, exchanges }: Drawing): Markup => {
  const { x, y } = boxes[party]
  const lines = words.party[party].split(' ')
  const top = y + (lines.length === 1 ? 28 : 22)
  const busy = exchanges.some(({ ways }) => ways.flat().includes(party))
  const state = absent.includes(party) ? 'absent' : busy ? 'busy' : 'idle'
  const across = x + width / 2
  return html`<g class="${state}"><rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10"/>
${lines.map((text, at) => html`<text x="${across}" y="${top + at * 15}" text-anchor="middle">${text}</text>`)}
<text class="who" x="${across}" y="${top + lines.length * 15 + 1}" text-anchor="middle">${names[party]}</text></g>`
}

const head = (kind: 'asks' | 'answers'): Markup =>
  html`<marker id="${kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="head ${kind}" d="M0.5 0.5 7.5 4 0.5 7.5Z"/></marker>`

const sentOn = ({ ways }: Exchanged, words: PlaygroundWords): string => {
  const [first, second] = ways
  if (first === undefined) return ''
  const [from, by] = first
  return second === undefined
    ? words.sends({ from: words.party[from], to: words.party[by] })
    : words.through({
        from: words.party[from],
        by: words.party[by],
        to: words.party[second[1]],
      })
}

const told = (exchanged: Exchanged, drawing: Drawing): string => {
  const { words } = drawing
  const sent = sentOn(exchanged, words)
  return isCrossed(exchanged, drawing) ? words.refused({ sent }) : sent
}

/** The drawing is for the eye: the caption says the same in words. */
export const renderDrawing = (drawing: Drawing): Markup => {
  const { exchanges } = drawing
  const numbered = exchanges.length > 1
  const parties = Object.keys(boxes) as readonly Party[]
  return html`<figure class="drawing">
<svg viewBox="0 0 320 230" aria-hidden="true" focusable="false"><defs>${head('asks')}${head('answers')}</defs>
${parties.map((party) => box(party, drawing))}
${arrowsOf(drawing).map((one) => arrow(one, numbered))}</svg>
<figcaption>${
    numbered
      ? html`<ol>${exchanges.map((one) => html`<li>${told(one, drawing)}</li>`)}</ol>`
      : html`${exchanges.map((one) => html`<p>${told(one, drawing)}</p>`)}`
  }</figcaption>
</figure>`
}
