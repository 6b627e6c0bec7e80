/** The ring of strength: an arc for each protection, filled where the protection is set up. */
import { html, type Markup } from './markup.ts'

const center = 60
const radius = 52
/** Between two arcs, in radians. */
const gap = 0.31

const findPoint = (angle: number): string =>
  [Math.sin(angle), -Math.cos(angle)].map((part) => (center + radius * part).toFixed(1)).join(' ')

/** The key, in the middle. */
const glyph = 'M62 58 80 40m-5 5 6 6m-12 0 4 4M65 66a10 10 0 1 1-20 0 10 10 0 0 1 20 0Z'

/** @param label says the same in words */
export const drawStrength = (reached: number, of: number, label: string): Markup => {
  const turn = (2 * Math.PI) / of
  const arcs = Array.from({ length: of }, (_, index) => {
    const [from, to] = [index * turn + gap / 2, (index + 1) * turn - gap / 2]
    const path = `M${findPoint(from)}A${radius} ${radius} 0 0 1 ${findPoint(to)}`
    return html`<path${index < reached ? html` class="on"` : null} d="${path}"/>`
  })
  const isWeak = reached * 2 < of
  return html`<svg class="ring${isWeak ? ' weak' : ''}" viewBox="0 0 120 120" role="img" aria-label="${label}">${arcs}<path class="glyph" d="${glyph}"/></svg>`
}
