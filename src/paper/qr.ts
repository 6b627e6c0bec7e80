/** QR codes, drawn dark on light in either colour scheme: cameras take no other. */
import { encode } from 'uqr'
import { html, type Markup } from './markup.ts'

export const renderQr = (text: string, title: string): Markup => {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" width="208" height="208" role="img" aria-label="${title}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${squares.join('')}"/></svg>`
}
