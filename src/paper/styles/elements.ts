/** Styles of the page itself: its frame, its text, links and focus. */

export const elementStyles = `
*, ::before, ::after { box-sizing: border-box }
[hidden] { display: none !important }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-block: var(--gulf) }
body {
  display: flex;
  flex-direction: column;
  margin: 0 auto;
  padding: clamp(0.75rem, 4vh, 2.5rem) clamp(1rem, 4vw, 2rem) var(--apart);
  max-inline-size: 30rem;
  min-block-size: 100vh;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
body.middle { max-inline-size: 38rem }
body.wide { max-inline-size: 48rem }
:lang(zh) body {
  font-family: system-ui, -apple-system, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif;
  line-height: 1.6;
}
.brand {
  display: flex;
  align-items: center;
  gap: var(--snug);
  min-block-size: var(--press);
  margin-block-end: var(--near);
  color: var(--accent);
  font-size: 1.0625rem;
  font-weight: 650;
}
.brand > * { flex: none }
.brand > span { flex: 1; min-inline-size: 0 }
.logo { block-size: 2rem; inline-size: auto; max-inline-size: 9rem; object-fit: contain }
.icon { flex: none; inline-size: 1.25rem; block-size: 1.25rem; vertical-align: -0.25rem }
main, .card {
  padding: var(--inside);
  border: 1px solid var(--rule);
  border-radius: var(--rounder);
  background: var(--surface);
  box-shadow: 0 1px 2px var(--shade), 0 12px 32px -16px var(--shade);
}
main > :first-child, .card > :first-child { margin-block-start: 0 }
main > :last-child, .card > :last-child { margin-block-end: 0 }
main:has(.card) { padding: 0; border: 0; background: none; box-shadow: none }
.card { margin-block: 0 var(--apart) }
p.zone { margin-block: var(--near); font-size: var(--small) }
footer { margin-block-start: auto; padding-block-start: var(--apart); color: var(--quiet); font-size: var(--small) }
footer ul { display: flex; flex-wrap: wrap; gap: 0 var(--near); margin: 0; padding: 0; list-style: none }
footer a { display: inline-flex; align-items: center; min-inline-size: var(--press); min-block-size: var(--press); color: inherit }
h1, h2, h3 { line-height: 1.25; font-weight: 650; text-wrap: balance }
h1 { margin-block: 0 var(--snug); font-size: var(--large); letter-spacing: -0.01em }
h2 { margin-block: var(--far) var(--near); font-size: var(--larger) }
h3 { margin-block: 0 var(--snug); font-size: 1rem }
:lang(zh) :is(h1, h2, h3) { letter-spacing: normal }
p, form, table, fieldset, dl, pre, figure { margin-block: 0 var(--near) }
p { text-wrap: pretty }
:is(ul, ol) { margin-block: 0 var(--near); padding-inline-start: 1.375rem }
li { padding-block: var(--hair) }
li::marker { color: var(--quiet) }
form { margin-block-start: var(--room) }
form > :last-child { margin-block-end: 0 }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.2em }
a:hover { text-decoration-thickness: 2px }
strong, b { font-weight: 650 }
code, pre { direction: ltr; unicode-bidi: isolate; font: 0.9em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace }
pre {
  padding: var(--near);
  border: 1px solid var(--rule);
  border-radius: var(--round);
  background: var(--sunken);
  white-space: pre-wrap;
}
mark { padding-inline: 0.1em; border-block-end: 2px solid var(--warning); background: var(--warning-wash); color: var(--ink) }
.quiet { color: var(--quiet) }
.small { font-size: var(--small) }
.mail { white-space: pre-wrap; overflow-wrap: anywhere }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.on-paper { display: none }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px }
:is(input, button, select, .button):focus-visible { border-radius: var(--round) }
@media (max-width: 40rem) {
  body:is(.narrow, .middle) { padding: 0; background: var(--surface) }
  body:is(.narrow, .middle) > .brand { margin: 0; padding-inline: var(--room); min-block-size: 3.25rem; border-block-end: 1px solid var(--rule) }
  body:is(.narrow, .middle) > main { padding: var(--room); border: 0; border-radius: 0; background: none; box-shadow: none; --inside: var(--room) }
  body:is(.narrow, .middle) > footer { padding: var(--room) }
  body:is(.narrow, .middle) > main:has(.card) { padding: var(--room) }
}
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after { transition: none !important; animation: none !important; scroll-behavior: auto !important }
}
@media (prefers-contrast: more) {
  :root { --quiet: var(--ink); --rule: var(--edge) }
}
`
