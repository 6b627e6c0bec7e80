/**
 * The one stylesheet, served at `/assets/latchkey.css`. One name per colour and per space, each with
 * its light and its dark value; logical properties, so that it also reads from right to left.
 */
export const stylesheet = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f3f5f6, #12171b);
  --surface: light-dark(#ffffff, #1a2127);
  --ink: light-dark(#1a242b, #e6ecef);
  --quiet: light-dark(#52616b, #a3b1ba);
  --rule: light-dark(#d9e0e4, #313c44);
  --edge: light-dark(#74838d, #82929d);
  --accent: light-dark(#0b6352, #6fd6bd);
  --on-accent: light-dark(#ffffff, #08241d);
  --accent-wash: light-dark(#e7f3f0, #18312c);
  --warning: light-dark(#8a5300, #f0c479);
  --warning-wash: light-dark(#fdf4e3, #2f2718);
  --danger: light-dark(#a8231c, #ff9d94);
  --danger-wash: light-dark(#fdeeec, #371f1e);
  --tight: 0.375rem;
  --near: 0.75rem;
  --apart: 1.5rem;
  --far: 2.5rem;
  --round: 0.5rem;
}
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body {
  margin: 0 auto;
  padding: var(--apart) clamp(1rem, 4vw, 2rem) var(--far);
  max-inline-size: 27rem;
  min-block-size: 100vh;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
body.wide { max-inline-size: 48rem }
.brand {
  display: flex;
  align-items: center;
  gap: var(--tight);
  margin-block: var(--near) var(--apart);
  color: var(--accent);
  font-weight: 650;
  letter-spacing: 0.01em;
}
main, .card {
  padding: clamp(1.125rem, 5vw, 2rem);
  border: 1px solid var(--rule);
  border-radius: calc(var(--round) * 1.5);
  background: var(--surface);
}
main > :first-child, .card > :first-child { margin-block-start: 0 }
main > :last-child, .card > :last-child { margin-block-end: 0 }
main:has(.card) { padding: 0; border: 0; background: none }
.card { margin-block: 0 var(--apart) }
h1 { margin-block: 0 var(--near); font-size: 1.5rem; line-height: 1.25; font-weight: 650; text-wrap: balance }
h2 { margin-block: var(--apart) var(--tight); font-size: 1.1875rem; line-height: 1.3; font-weight: 650 }
p, form, table, fieldset, dl, pre { margin-block: 0 var(--near) }
form { margin-block-start: var(--apart) }
form > :last-child { margin-block-end: 0 }
a { color: var(--accent); text-underline-offset: 0.15em }
code, pre { font: 0.9em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace }
pre {
  padding: var(--near);
  border: 1px solid var(--rule);
  border-radius: var(--round);
  background: var(--ground);
  white-space: pre-wrap;
}
.quiet { color: var(--quiet) }
.head { display: flex; flex-wrap: wrap; align-items: start; justify-content: space-between; gap: var(--near); margin-block-end: var(--near) }
.head form { margin: 0 }
.parts ul { display: flex; flex-wrap: wrap; gap: var(--tight) var(--apart); margin: 0 0 var(--apart); padding: 0; list-style: none; border-block-end: 1px solid var(--rule) }
.parts a { display: block; padding-block: var(--near); color: var(--quiet); font-weight: 550; text-decoration: none }
.parts a:hover { color: var(--accent) }
.parts a[aria-current] { color: var(--ink); box-shadow: inset 0 -3px var(--accent) }
.notice {
  padding: var(--near);
  border-inline-start: 4px solid var(--accent);
  border-radius: var(--tight);
  background: var(--accent-wash);
}
.warning { border-color: var(--warning); background: var(--warning-wash) }
.warning strong:first-child { color: var(--warning) }
.problem { border-color: var(--danger); background: var(--danger-wash); color: var(--danger) }
.field { display: block; margin-block-end: var(--near) }
.field > span { display: block; margin-block-end: var(--tight); font-weight: 550 }
.field > input {
  inline-size: 100%;
  min-block-size: 2.75rem;
  padding: 0.5rem var(--near);
  border: 1px solid var(--edge);
  border-radius: var(--round);
  background: var(--surface);
  color: inherit;
  font: inherit;
}
input[type=checkbox], input[type=radio] {
  flex: none;
  inline-size: 1.25rem;
  block-size: 1.25rem;
  margin: 0.15rem 0 0;
  accent-color: var(--accent);
}
.tick { display: flex; align-items: start; gap: 0.625rem; padding-block: var(--tight) }
fieldset { margin-inline: 0; padding: 0; border: 0; min-inline-size: 0 }
legend, caption { padding: 0 0 var(--tight); font-weight: 600; text-align: start }
table { inline-size: 100%; border-collapse: collapse }
th, td { padding: var(--tight) var(--near) var(--tight) 0; border-block-end: 1px solid var(--rule); text-align: start; vertical-align: top }
thead th { color: var(--quiet); font-size: 0.875rem; font-weight: 550 }
tbody th { font-weight: 600 }
.permissions { margin-block-end: var(--apart); table-layout: fixed }
.permissions thead th:first-child { inline-size: 22% }
.permissions :is(th, td) { padding: var(--tight) var(--near) var(--tight) 0 }
.permissions tbody th { padding-block-start: 0.75rem }
.permissions td > span { display: block; padding-block: var(--tight) }
.tag {
  display: inline-block;
  padding: 0 0.4rem;
  border: 1px solid var(--rule);
  border-radius: 1rem;
  color: var(--quiet);
  font-size: 0.8125rem;
  white-space: nowrap;
}
.scroll { overflow-x: auto; margin-block-end: var(--near) }
.scroll table { min-inline-size: 36rem; overflow-wrap: break-word }
.actions { display: flex; flex-wrap: wrap; gap: var(--near); margin-block-start: var(--apart) }
.equal > button { flex: 1 1 8rem }
button {
  min-block-size: 2.75rem;
  padding: 0.5rem 1.125rem;
  border: 1px solid var(--edge);
  border-radius: var(--round);
  background: var(--surface);
  color: var(--ink);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
  transition: background-color 120ms, border-color 120ms;
}
button:hover { border-color: var(--accent); background: var(--accent-wash) }
.primary { flex: 1 1 auto; border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
.primary:hover { background: var(--ink); color: var(--surface) }
.danger { color: var(--danger) }
.danger:hover { border-color: var(--danger); background: var(--danger-wash) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px }
input:focus-visible, button:focus-visible { border-radius: var(--round) }
dl > div { display: flex; flex-wrap: wrap; gap: 0 var(--near); padding-block: 0.125rem }
dt { flex: 0 0 8rem; color: var(--quiet) }
dd { flex: 1 1 12rem; margin: 0 }
mark { padding-inline: 0.1em; border-block-end: 2px solid var(--warning); background: var(--warning-wash); color: var(--ink) }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media (max-width: 34rem) {
  .permissions thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%) }
  .permissions :is(tbody, caption) { display: block }
  .permissions tr { display: block; padding-block: var(--tight); border-block-end: 1px solid var(--rule) }
  .permissions :is(th, td) { display: block; padding: 0; border: 0 }
  .permissions tbody th { padding-block-start: var(--tight) }
  .permissions td > span.quiet { display: none }
  .actions > button { flex: 1 1 100% }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important } }
@media print {
  :root { color-scheme: light }
  body { max-inline-size: none; background: none }
  main, .card { border: 0; padding: 0; break-inside: avoid }
  button { display: none }
}
`
