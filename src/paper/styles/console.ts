/** Styles of the console: wider than the account, with a search field in its bar and tables. */

/** Each event as a few lines, where columns would be too narrow. */
const stackedIn = (scope: string): string => `
${scope} .happened thead { position: absolute; inline-size: 1px; block-size: 1px; clip-path: inset(50%) }
${scope} .happened :is(tbody, tr, td, th) { display: block }
${scope} .flush .happened tr { padding: var(--near) var(--room); border-block-end: 1px solid var(--rule) }
${scope} .flush .happened tr:last-child { border: 0 }
${scope} .flush .happened tr > * { padding: 0; border: 0 }
${scope} .happened :is(.aside, td:empty) { display: none }
`

export const consoleStyles = `
body.console { grid-template-columns: minmax(var(--room), 1fr) 12.5rem minmax(0, 80rem) minmax(var(--room), 1fr) }
.console > .brand { padding-inline: max(var(--room), calc((100% - 92.5rem) / 2)) }
.console .find { flex: 0 1 24rem; margin: 0; padding-block: var(--tight) }
.console .menu { margin-inline-start: 0 }
.find input {
  inline-size: 100%;
  min-block-size: var(--press);
  padding-inline: var(--near);
  border: 1px solid var(--edge);
  border-radius: var(--round);
  background: var(--surface);
  color: var(--ink);
  font: inherit;
  font-weight: 400;
}
.parts h2 { margin: var(--room) 0 var(--tight); padding-inline: var(--near); color: var(--quiet); font-size: var(--small); font-weight: 550 }
.menu a.plain { justify-content: start; inline-size: 100%; border-color: transparent; font-weight: 500 }
.console .filters { display: flex; flex-wrap: wrap; align-items: end; gap: var(--near); margin-block: 0 var(--room) }
.console .filters .field { flex: 1 1 10rem; margin: 0 }
.console .flush { padding: 0 }
.console .flush > h2 { margin: 0; padding: var(--room) var(--room) var(--near) }
.console .flush > :is(p, form) { margin: 0; padding: var(--near) var(--room) }
.console .flush table { margin: 0 }
.console .flush :is(th, td) { padding: var(--near) var(--room) }
.console .flush tbody tr:last-child > * { border: 0 }
.console td form { margin: 0 }
.console .sides { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); gap: var(--apart); align-items: start }
.console .pages { display: flex; flex-wrap: wrap; gap: var(--near); margin-block: var(--near) }
.tabs { display: flex; flex-wrap: wrap; gap: var(--near); margin: 0 0 var(--room); padding: 0; border-block-end: 1px solid var(--rule); list-style: none }
.tabs a { display: flex; align-items: center; min-block-size: var(--press); border-block-end: 3px solid transparent; color: var(--quiet); text-decoration: none }
.tabs [aria-current] { border-color: var(--accent); color: var(--accent) }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr)); gap: var(--near); margin: 0 0 var(--room); padding: 0; list-style: none }
.tiles > li { padding: var(--room); border: 1px solid var(--rule); border-radius: var(--round); background: var(--surface) }
.tiles span { display: block; color: var(--quiet); font-size: var(--small) }
.tiles b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; line-height: 1.3 }
.board { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: var(--room); margin-block-end: var(--room) }
.board > .card { margin: 0 }
.key { display: flex; flex-wrap: wrap; gap: var(--tight) var(--near); margin: 0 0 var(--near); padding: 0; color: var(--quiet); font-size: var(--smaller); list-style: none }
.key i { display: inline-block; inline-size: 0.625rem; block-size: 0.625rem; margin-inline-end: 0.3em; border-radius: 0.125rem; forced-color-adjust: none }
.key :is(.reads, .low) { background: var(--accent) }
.key :is(.refused, .top) { background: var(--warning) }
.plot { display: grid; grid-template: "y shapes" auto ". x" auto / auto minmax(0, 1fr); gap: var(--tight) var(--near); color: var(--quiet); font-size: var(--smaller); line-height: 1.2 }
.plot ol { display: flex; justify-content: space-between; margin: 0; padding: 0; list-style: none; font-variant-numeric: tabular-nums }
.plot .y { grid-area: y; flex-direction: column; text-align: end }
.plot .x { grid-area: x }
.plot svg { grid-area: shapes; display: block; inline-size: 100%; block-size: 9rem }
:is(.plot svg, .share):dir(rtl) { transform: scaleX(-1) }
.plot .grid { fill: none; stroke: var(--rule); vector-effect: non-scaling-stroke }
.plot .base { fill: none; stroke: var(--edge); vector-effect: non-scaling-stroke }
:is(.plot, .share) .reads { fill: var(--accent) }
:is(.plot, .share) .refused { fill: var(--warning) }
.plot .line { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke }
.plot .line.low { stroke: var(--accent) }
.plot .line.top { stroke: var(--warning); stroke-dasharray: 4 3 }
.share { display: block; inline-size: 100%; block-size: 0.5rem; border-radius: 4px; overflow: hidden; background: var(--rule) }
.bars, .funnel { display: grid; gap: var(--near); margin: 0; padding: 0; list-style: none; font-size: var(--small) }
.bars span { display: flex; justify-content: space-between; gap: var(--near) }
.bars code { overflow-wrap: anywhere }
.bars b, .funnel b { font-variant-numeric: tabular-nums }
.funnel li { display: grid; grid-template-columns: 6rem minmax(0, 1fr) 6rem; align-items: center; gap: var(--near) }
.console .wide { overflow-x: auto }
.happened td:first-child, .happened td:nth-child(4) { min-inline-size: 9rem }
${stackedIn('.sides')}
@media (max-width: 60rem) {
  ${stackedIn('.console')}
  body.console { grid-template-columns: var(--room) minmax(0, 1fr) var(--room) }
  .console .sides { grid-template-columns: minmax(0, 1fr); gap: 0 }
}
@media (max-width: 40rem) {
  .console > .brand { flex-wrap: wrap }
  .console .find { order: 1; flex: 1 1 100% }
  .console .aside { display: none }
}
`
