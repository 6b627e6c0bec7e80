/** Styles of a decision: what is asked for, for how long, and the pair of buttons. */

export const consentStyles = `
.as { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--snug); padding-block-end: var(--snug); border-block-end: 1px solid var(--rule); font-size: var(--small) }
.as a { display: inline-flex; align-items: center; min-block-size: var(--press); margin-block: calc(-1 * var(--snug)); margin-inline-start: auto }
.may { margin: 0; padding: 0; list-style: none; border: 1px solid var(--rule); border-radius: var(--round); overflow: clip }
.may > li { padding: 0 }
.may > li + li { border-block-start: 1px solid var(--rule) }
.may > li > :is(.tick, .fixed) { display: flex; align-items: flex-start; gap: var(--near); min-block-size: var(--press); padding: 0.5625rem var(--near) }
.may.kept > li > :is(.tick, .fixed) { min-block-size: 0; padding-block: var(--tight); color: var(--quiet) }
.may .fixed { color: var(--quiet) }
.may .fixed > .icon { margin-block: var(--hair); color: var(--accent) }
.may > li > * > span { flex: 1; min-inline-size: 0 }
.may small { display: block; color: var(--quiet); font-size: var(--small); line-height: 1.4 }
.may small.beside { display: inline }
.may .destroys { background: var(--danger-wash) }
.may .destroys b { color: var(--danger) }
.may .destroys small { color: var(--ink) }
.may .tick:hover:has(:enabled) { background: var(--sunken) }
.may .destroys .tick:hover:has(:enabled) { background: none }
.group { font-size: var(--small); font-weight: 650; color: var(--ink) }
fieldset:has(> .kept) > .group { font-weight: 400; color: var(--quiet) }
.told { display: grid; grid-template-columns: fit-content(45%) 1fr; gap: 0 var(--near); line-height: 1.25 }
.told > * { overflow-wrap: anywhere }
.howlong { margin-block-end: var(--tight) }
.howlong > legend { font-size: var(--small) }
.decide {
  position: relative;
  z-index: 2;
  margin-inline: calc(-1 * var(--inside));
  padding: var(--near) var(--inside) var(--room);
  border-block-start: 1px solid var(--rule);
  border-end-start-radius: var(--rounder);
  border-end-end-radius: var(--rounder);
  background: var(--surface);
}
form > .decide:last-child { margin-block-end: calc(-1 * var(--inside)) }
.decide > div { display: grid; grid-template-columns: 1fr 1fr; gap: var(--near) }
.decide button { min-block-size: 3rem }
.decide > .early { margin: 0 0 var(--snug); color: var(--ink) }
.decide > .early:empty { display: none }
.decide > p:last-child { margin: var(--snug) 0 0; color: var(--quiet); font-size: var(--smaller); text-align: center }
@media (min-height: 30rem) {
  .decide { position: sticky; inset-block-end: 0 }
  html:has(.decide) { scroll-padding-block-end: 8rem }
}
@media (max-width: 40rem) {
  body:is(.narrow, .middle):has(.decide) > footer { margin-block-start: 0 }
  .decide { border-radius: 0; box-shadow: 0 -8px 24px -16px var(--shade) }
}
@media (forced-colors: active) {
  .may .destroys { outline: 1px solid; outline-offset: -1px }
}
`
