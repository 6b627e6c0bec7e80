/** Styles of what an application did: the drawing of its days, and the ledger. */

export const useStyles = `
.uses { margin: 0 0 var(--near) }
.uses svg { display: block; inline-size: 100%; block-size: 4rem }
.uses:dir(rtl) svg { transform: scaleX(-1) }
.uses .ground { fill: none; stroke: var(--edge); stroke-width: 2; vector-effect: non-scaling-stroke }
.uses .reads { fill: var(--accent) }
.uses .writes { fill: var(--warning) }
.uses .checks { fill: var(--edge) }
.swatch:is(.reads, .writes, .checks) { display: inline-block; inline-size: 0.625rem; block-size: 0.625rem; margin-inline-end: 0.3em; border-radius: 0.125rem; forced-color-adjust: none }
.swatch.reads { background: var(--accent) }
.swatch.writes { background: var(--warning) }
.swatch.checks { background: var(--edge) }
.uses .ends { display: flex; justify-content: space-between; gap: var(--near); font-size: var(--smaller) }
.numbers { margin-block-end: var(--near) }
.numbers table { font-size: var(--smaller); font-variant-numeric: tabular-nums }
.numbers :is(th, td) { padding-block: var(--tight); padding-inline: 0 var(--tight) }
.numbers :is(td, thead th:not(:first-child)) { text-align: end }
.ledger :is(th, td):not(:nth-child(2)) { white-space: nowrap }
@media (max-width: 44rem) {
  .ledger thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%) }
  .ledger tbody { display: block }
  .ledger tr { display: block; padding-block: var(--near); border-block-end: 1px solid var(--rule) }
  .ledger td, .ledger td:not(:nth-child(2)) { display: block; padding: 0; border: 0; white-space: normal }
}
`
