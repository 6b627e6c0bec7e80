/** Styles of the page itself: its frame, its text, links and focus. */

export const elementStyles = `
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body {
  display: flex;
  flex-direction: column;
  margin: 0 auto;
  padding: clamp(0.75rem, 4vh, 2.5rem) clamp(1rem, 4vw, 2rem) var(--apart);
  max-inline-size: 27rem;
  min-block-size: 100vh;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
body.wide { max-inline-size: 48rem }
:lang(zh) body {
  font-family: system-ui, -apple-system, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif;
  line-height: 1.7;
}
.brand {
  display: flex;
  align-items: center;
  gap: var(--snug);
  min-block-size: 2rem;
  margin-block: var(--near) var(--apart);
  color: var(--accent);
  font-size: 1.0625rem;
  font-weight: 650;
}
.brand > * { flex: none }
.brand > span { flex: 1; min-inline-size: 0 }
nav.parts { margin-block: 0 var(--apart); border-block-end: 1px solid var(--rule) }
.parts ul { display: flex; flex-wrap: wrap; gap: 0 var(--apart); margin: 0 0 -1px; padding: 0; list-style: none }
.parts li { padding: 0 }
.parts a {
  display: inline-block;
  min-inline-size: 1.5rem;
  padding-block: var(--snug);
  border-block-end: 3px solid transparent;
  color: var(--quiet);
  font-weight: 550;
  text-decoration: none;
}
.parts a:hover { color: var(--ink); border-color: var(--edge) }
.parts a[aria-current] { color: var(--accent); border-color: var(--accent) }
.logo { block-size: 2rem; inline-size: auto; max-inline-size: 9rem; object-fit: contain }
main, .card {
  padding: var(--inside);
  border: 1px solid var(--rule);
  border-radius: calc(var(--round) * 1.5);
  background: var(--surface);
  box-shadow: 0 1px 2px var(--shade), 0 12px 32px -16px var(--shade);
}
main > :first-child, .card > :first-child { margin-block-start: 0 }
main > :last-child, .card > :last-child { margin-block-end: 0 }
main:has(.card) { padding: 0; border: 0; background: none; box-shadow: none }
.card { margin-block: 0 var(--apart) }
p.zone { margin-block: var(--near); font-size: var(--small) }
footer { margin-block-start: auto; padding-block-start: var(--apart); color: var(--quiet); font-size: var(--small) }
footer ul { display: flex; flex-wrap: wrap; gap: 0 var(--apart); margin: 0; padding: 0; list-style: none }
footer a { display: inline-block; min-inline-size: 1.5rem; padding-block: var(--tight); color: inherit }
h1 { margin-block: 0 var(--near); font-size: 1.5rem; line-height: 1.3; font-weight: 650; letter-spacing: -0.01em; text-wrap: balance }
h2 { margin-block: var(--far) var(--near); font-size: 1.1875rem; line-height: 1.35; font-weight: 650 }
:lang(zh) :is(h1, h2) { letter-spacing: normal }
p, form, table, fieldset, dl, pre { margin-block: 0 var(--near) }
p { text-wrap: pretty }
:is(ul, ol) { margin-block: 0 var(--near); padding-inline-start: 1.375rem }
li { padding-block: var(--hair) }
li::marker { color: var(--quiet) }
form { margin-block-start: var(--apart) }
form > :last-child { margin-block-end: 0 }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.2em }
a:hover { text-decoration-thickness: 2px }
code, pre { direction: ltr; unicode-bidi: isolate; font: 0.9em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace }
pre {
  padding: var(--near);
  border: 1px solid var(--rule);
  border-radius: var(--round);
  background: var(--ground);
  white-space: pre-wrap;
}
mark { padding-inline: 0.1em; border-block-end: 2px solid var(--warning); background: var(--warning-wash); color: var(--ink) }
summary { inline-size: fit-content; padding-block: var(--tight); color: var(--quiet); font-size: var(--small); font-weight: 550; cursor: pointer }
summary:hover { color: var(--accent) }
.quiet { color: var(--quiet) }
.mail { white-space: pre-wrap; overflow-wrap: anywhere }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.on-paper { display: none }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px }
:is(input, button, select):focus-visible { border-radius: var(--round) }
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after { transition: none !important; animation: none !important; scroll-behavior: auto !important }
}
`
