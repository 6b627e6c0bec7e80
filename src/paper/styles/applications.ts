/** Styles of the list of applications, and of the page of one. */

export const applicationStyles = `
.card.flush { padding: 0 }
.tabs { margin-block: var(--room); border-block-end: 1px solid var(--rule) }
.tabs ul { display: flex; flex-wrap: wrap; gap: 0 var(--apart); margin: 0 0 -1px; padding: 0; list-style: none }
.tabs li { padding: 0 }
.tabs a { display: inline-flex; align-items: center; min-inline-size: var(--press); min-block-size: var(--press); border-block-end: 3px solid transparent; color: var(--quiet); font-weight: 550; text-decoration: none }
.tabs a:hover { color: var(--ink); border-color: var(--edge) }
.tabs a[aria-current] { color: var(--accent); border-color: var(--accent) }
.tools { display: flex; flex-wrap: wrap; align-items: end; gap: var(--near); margin-block: 0 var(--room) }
.tools > .field { flex: 1 1 10rem; margin: 0 }
.tools > .long { flex: 3 1 14rem }
.tools > .field > span:first-child { color: var(--quiet); font-size: var(--small); font-weight: 400 }
.apps { margin: 0; padding: 0; list-style: none }
.apps > li {
  position: relative;
  display: grid;
  grid-template-columns: var(--press) 2.25rem minmax(0, 1fr) 9.5rem 10rem 1.25rem;
  align-items: center;
  gap: 0 var(--near);
  min-block-size: 3.5rem;
  padding-block: var(--tight);
  padding-inline: var(--snug) var(--room);
  border-block-start: 1px solid var(--rule);
  font-size: var(--small);
}
.apps.past { margin-block-end: var(--room) }
.past > li { grid-template-columns: 2.25rem minmax(0, 1fr) 9.5rem 10rem 1.25rem; padding-inline-start: var(--room) }
.apps > li:first-child { border-block-start: 0 }
.apps > li:hover { background: var(--sunken) }
.apps > li:has(:checked) { background: var(--accent-wash) }
.apps .pick { position: relative; z-index: 1; display: grid; place-items: center; inline-size: var(--press); min-block-size: var(--press); cursor: pointer }
.app a { color: var(--ink); font-size: 1rem; font-weight: 600; text-decoration: none }
.app a::after { content: ""; position: absolute; inset: 0 }
.app a:focus-visible { outline: none }
.apps > li:has(a:focus-visible) { outline: 3px solid var(--accent); outline-offset: -3px; border-radius: var(--round) }
.app .what { display: block; overflow: hidden; color: var(--quiet); line-height: 1.3; text-overflow: ellipsis; white-space: nowrap }
.apps .times { display: contents; color: var(--quiet) }
.apps .warn { color: var(--warning) }
.apps > li > .icon { color: var(--quiet) }
.picked { position: sticky; inset-block-end: 0; z-index: 2; display: none; padding: var(--near) var(--room); border-block-start: 1px solid var(--rule); border-end-start-radius: var(--rounder); border-end-end-radius: var(--rounder); background: var(--surface); box-shadow: 0 -8px 24px -12px var(--shade) }
.picked > .confirm { text-align: end }
.picked > .confirm > div { text-align: start }
.card:has(.apps :checked) .picked { display: block }
@supports not selector(:has(a)) { .picked { display: block } }
.pages { display: flex; flex-wrap: wrap; align-items: center; gap: var(--near); margin-block-end: var(--room) }
.pages > span { flex: 1 }
.back { display: inline-flex; align-items: center; min-inline-size: var(--press); min-block-size: var(--press); margin-inline-start: -0.25rem; font-size: var(--small); text-decoration: none }
.head > .asks { margin: 0 }
.status { display: inline-flex; align-items: center; gap: var(--snug); font-weight: 600 }
.status::before { content: ""; inline-size: 0.625rem; block-size: 0.625rem; border-radius: 50%; background: var(--accent); forced-color-adjust: none }
.status.off::before { border: 2px solid var(--edge); background: none }
.sides { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; gap: 0 var(--apart); align-items: start; margin: 0 }
.sides > .card { margin-block-end: var(--apart) }
.sides .facts dd { flex-basis: 6rem }
.stack > .confirm > summary { inline-size: 100% }
.end { margin-block-end: var(--near) }
.end input[type=date] { inline-size: 100%; min-block-size: var(--press); margin-block-start: var(--tight); padding: var(--snug) var(--near); border: 1px solid var(--edge); border-radius: var(--round); background: var(--surface); color: inherit; font: inherit }
.end .tick > span { flex: 1; min-inline-size: 0 }
details.card { padding-block: var(--snug) }
.ways { margin-block-end: var(--room); padding: 0; list-style: none }
.ways a { display: inline-block; padding-block: 0.625rem; margin-inline-end: var(--snug) }
.card > summary { color: var(--ink); font-size: var(--larger); font-weight: 650 }
@media (max-width: 60rem) {
  .sides { grid-template-columns: minmax(0, 1fr) }
}
@media (max-width: 46rem) {
  .apps > li { grid-template-columns: var(--press) 2.25rem minmax(0, 1fr) 1.25rem; gap: 0 var(--snug); padding-inline: var(--tight) var(--near) }
  .past > li { grid-template-columns: 2.25rem minmax(0, 1fr) 1.25rem; padding-inline-start: var(--room) }
  .app { line-height: 1.4 }
  .apps .times { display: flex; flex-wrap: wrap; grid-row: 2; grid-column: -3 / -1; gap: 0 var(--snug); line-height: 1.35 }
  .apps .none { display: none }
  .apps > li > .icon { grid-column: -2; grid-row: 1 }
  .apps :is(.pick, .tile) { grid-row: 1 / span 2 }
  .tools > .field { flex: 1 1 7rem }
}
`
