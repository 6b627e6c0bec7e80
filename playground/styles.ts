/** Styles of the demo's first page and of the playground, served in the demo only. */

export const playgroundStyles = `
body.full { max-inline-size: 76rem }

.flows { margin: 0; padding: 0; list-style: none }
.groups:not(.short) > section > .flows {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr));
  gap: var(--s3);
}
.groups.short { display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)); gap: var(--s5) }
.short h3 { padding-block-end: var(--s2); border-block-end: 1px solid var(--rule) }
.short li { padding: 0 }
.short .flows a { display: flex; align-items: center; min-block-size: 2.25rem; color: var(--quiet); font-size: var(--small); font-weight: 400; line-height: 1.25 }
.short .flows a:hover { color: var(--accent); text-decoration: underline }
.groups:not(.short) .flows a::after { content: ""; position: absolute; inset: 0 }
.groups:not(.short) .flows a:focus-visible { outline: none }
.groups:not(.short) .flows li:has(a:focus-visible) { outline: var(--ring); outline-offset: 2px }
.groups:not(.short) .flows > li {
  position: relative;
  padding: var(--s4);
  border: 1px solid var(--rule);
  border-radius: var(--round);
  transition: border-color 120ms, background-color 120ms;
}
.groups:not(.short) .flows > li:hover { border-color: var(--accent); background: var(--accent-wash) }
.flows a { font-weight: 650; text-decoration: none }
.flows p { margin: var(--s1) 0 0; color: var(--quiet); font-size: var(--small); line-height: 1.5 }

.stepper { display: flex; flex-wrap: wrap; gap: var(--s1); margin: var(--s5) 0; padding: 0; list-style: none; counter-reset: step }
.stepper a {
  display: flex;
  align-items: center;
  gap: var(--s2);
  padding-block: var(--s1);
  padding-inline: var(--s1) var(--s3);
  border: 1px solid var(--rule);
  border-radius: 2rem;
  color: var(--quiet);
  font-size: var(--small);
  text-decoration: none;
}
.stepper a::before {
  counter-increment: step;
  content: counter(step);
  display: grid;
  place-items: center;
  flex: none;
  inline-size: 1.625rem;
  block-size: 1.625rem;
  border-radius: 50%;
  background: var(--ground);
  font-size: var(--note);
  font-weight: 650;
}
.stepper .done a::before { content: "✓"; background: var(--accent-wash); color: var(--accent) }
.stepper a:hover { border-color: var(--accent); color: var(--ink) }
.stepper a[aria-current] { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600 }
.stepper a[aria-current]::before { background: var(--paper); color: var(--accent) }

.run { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s5) }
.step > h2 { margin-block-start: 0 }
.step .actions .primary { flex: 0 1 auto; min-inline-size: 10rem }
.attacks > h2 { margin-block-start: 0; color: var(--danger) }
.attacks ul { margin: 0; padding: 0; list-style: none }
.attacks a {
  display: block;
  margin-block-end: var(--s1);
  padding: var(--s2) var(--s3);
  border: 1px solid var(--rule);
  border-inline-start: 3px solid var(--danger);
  border-radius: var(--s1);
  color: var(--ink);
  font-size: var(--small);
  text-decoration: none;
}
.attacks a:hover { background: var(--danger-wash) }
.attacks a[aria-current] { border-color: var(--danger); background: var(--danger-wash); font-weight: 600 }
.attacks .done a::after { content: " ✓"; color: var(--danger) }
.held { border-inline-start-color: var(--accent) }
.held h3 { margin-block: 0 var(--s1); font-size: var(--text) }
.held p { margin: 0 }

.drawing { margin: 0; padding: var(--s4); border: 1px solid var(--rule); border-radius: var(--rounder); background: var(--ground) }
.drawing svg { display: block; inline-size: 100%; max-inline-size: 22rem; margin-inline: auto; direction: ltr; overflow: visible }
.drawing rect { fill: var(--paper); stroke: var(--rule); stroke-width: 1.5 }
.drawing .busy rect { stroke: var(--accent); stroke-width: 2 }
.drawing .absent { opacity: 0.55 }
.drawing .absent rect { stroke-dasharray: 4 4 }
.drawing text { fill: var(--ink); font-size: 13px; font-weight: 600 }
.drawing .who { fill: var(--quiet); font-size: 11px; font-weight: 400 }
.drawing .number { fill: var(--accent); font-size: 12px; font-weight: 700 }
.drawing path { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linecap: round }
.drawing path.answers { stroke: var(--quiet); stroke-dasharray: 1 5 }
.drawing path.head { fill: var(--accent); stroke: none }
.drawing path.head.answers { fill: var(--quiet) }
.drawing .cross circle { fill: var(--paper); stroke: var(--danger); stroke-width: 2 }
.drawing .cross path { stroke: var(--danger); stroke-width: 3 }
.drawing figcaption { margin-block-start: var(--s3); color: var(--quiet); font-size: var(--small); text-align: center }
.drawing figcaption p { margin: 0 }
.drawing figcaption ol { display: inline-block; margin: 0; padding-inline-start: var(--s5); text-align: start }
@media (prefers-reduced-motion: no-preference) {
  .drawing path.asks:not(.head) { stroke-dasharray: 10 6; animation: flow 1.2s linear infinite }
  @keyframes flow { to { stroke-dashoffset: -32 } }
}

.checks ul { list-style: none; padding: 0; margin: 0; font-size: var(--small) }
.checks .fails strong { color: var(--danger) }
.message { margin-block: var(--s5) }
.message > h3, .step > h3 { margin-block: 0 var(--s1); font-size: var(--small); color: var(--quiet); font-weight: 650 }
.message > pre { margin-block-end: var(--s1); border-inline-start: 3px solid var(--edge); font-size: var(--note) }
.message.sent > pre { border-inline-start-color: var(--accent) }
.message.received > pre > strong { color: var(--accent) }
.message.refused > pre { border-inline-start-color: var(--danger) }
.message.refused > pre > strong { color: var(--danger) }
.message pre b { font-weight: 600; color: var(--accent) }
.shown { margin: 0 0 var(--s2); border: 1px solid var(--danger-rule); border-radius: var(--rounder); background: var(--paper); overflow: clip }
.shown > figcaption { padding: var(--s2) var(--s4); border-block-end: 1px solid var(--danger-rule); background: var(--danger-wash); color: var(--danger); font-size: var(--note); font-weight: 550 }
.shown > div { max-inline-size: var(--read); margin-inline: auto; padding: var(--s4); font-size: var(--small) }
.shown p { margin: 0 0 var(--s2) }
.shown .is-h1 { font-size: var(--lead); font-weight: 650 }
.shown .is-h2 { margin-block-start: var(--s4); font-weight: 650 }
.shown .is-dt { margin: 0; color: var(--quiet) }
.shown :is(.is-dd, .is-pre) { font-family: var(--fixed); font-size: var(--note) }
.shown .is-pre { padding: var(--s2) var(--s3); border-radius: var(--round); background: var(--sunken) }
div.curl { margin-block-end: var(--s4) }
.curl pre { margin-block-end: var(--s1); font-size: var(--note) }
.curl button { min-block-size: 2rem; padding: 2px var(--s3); font-size: var(--small) }
.fields dl { margin: 0; font-size: var(--small) }
.fields dl > div { padding-block: var(--s2); border-block-start: 1px solid var(--rule) }
.fields dt { flex: 0 0 11rem; color: var(--ink); font-weight: 600 }
.fields dd > code { color: var(--quiet) }
.place { font-size: var(--note) }

.poster.double { grid-template-columns: minmax(0, 10fr) minmax(0, 13fr) }
.live {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr));
  gap: var(--s3);
  padding: var(--s5);
  border-radius: var(--rounder);
  background: var(--ground);
}
.live > :is(.ask, .has) { padding: var(--s4); border: 1px solid var(--rule); border-radius: var(--rounder); background: var(--paper); box-shadow: var(--lift) }
.live p { margin: 0; font-size: var(--small) }
.live .who { margin-block-end: var(--s2); font-weight: 650 }
.live .says { color: var(--quiet) }
.live .tick { gap: var(--s2); min-block-size: 2.25rem; padding-block: var(--s2); font-size: var(--small); line-height: 1.4 }
.live .tick > input { margin: 0 }
.wire { grid-column: 1 / -1; margin: 0; padding: var(--s3) var(--s4); border-radius: var(--rounder); background: #16211f; color: #d9e5e1; list-style: none; direction: ltr; font-size: var(--note) }
.wire li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 var(--s3); padding: 2px 0; font-family: var(--fixed) }
.wire code { font: inherit }
.wire .ok { color: #7fdcc4 }
.wire .no { color: #ffa79f }
.wire .halt { color: #f0c479 }
.live .note { grid-column: 1 / -1; max-inline-size: none; text-align: center }
.live :is(.no, .halt, .none) { display: none }
.live:not(:has(.a:checked)) .if-a, .live:not(:has(.b:checked)) .if-b, .live:not(:has(.c:checked)) .if-c { display: none }
.live:not(:has(.a:checked)) .no-a, .live:not(:has(.b:checked)) .no-b, .live:not(:has(.c:checked)) .no-c { display: inline }
.live:not(:has(.ask :checked)) .none { display: inline }
.live:has(.p:checked) :is(.ok, .no, .on) { display: none }
.live:has(.p:checked) .halt { display: inline }
.doors { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: var(--s5) var(--s7); margin: 0; padding: var(--s6) 0; border-block: 1px solid var(--rule); list-style: none }
.doors > li { display: flex; flex-direction: column; align-items: flex-start; gap: var(--s1); padding: 0 }
.doors .tile { inline-size: var(--press); block-size: var(--press) }
.doors h2 { margin: var(--s2) 0 0 }
.doors p { margin: 0 0 var(--s3); color: var(--quiet); font-size: var(--small) }
.doors .button { margin-block-start: auto }
.part { padding-block-start: var(--s6) }
.part > h2 { margin-block-start: 0 }
.people { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s6); padding: 0; list-style: none }
@media (max-width: 62rem) {
  .poster.double { grid-template-columns: minmax(0, 1fr) }
  .groups.short { grid-template-columns: repeat(3, minmax(0, 1fr)) }
}
@media (max-width: 46rem) {
  .live { padding: var(--s4) }
  .doors > li { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 var(--s4) }
  .doors .tile { grid-row: span 3 }
  .doors h2 { margin: 0 }
  .doors .button { justify-self: start }
  .groups.short { grid-template-columns: repeat(2, minmax(0, 1fr)) }
}
@media (min-width: 60rem) {
  .run { grid-template-columns: 20rem minmax(0, 1fr); grid-template-rows: auto 1fr; column-gap: var(--s6) }
  .scene { grid-area: 1 / 1 }
  .step { grid-area: 1 / 2 / span 2 }
  .run > .breaks { grid-area: 2 / 1 }
}
@media (forced-colors: active) {
  .stepper a, .attacks a, .flows > li { border: 1px solid }
}
`
