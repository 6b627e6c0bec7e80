/** Styles of buttons, fields, choices, and disclosures. */

const pressed = ':is(button, .button, .confirm > summary)'

export const controlStyles = `
${pressed} {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  gap: var(--snug);
  min-block-size: var(--press);
  padding: var(--snug) var(--room);
  border: 1px solid var(--edge);
  border-radius: var(--round);
  background: var(--surface);
  color: var(--ink);
  font: inherit;
  font-weight: 600;
  line-height: 1.25;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
  transition: background-color 120ms, border-color 120ms, opacity 120ms;
}
${pressed}:hover { border-color: var(--accent); background: var(--accent-wash) }
${pressed}.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
${pressed}.primary:hover { background: color-mix(in srgb, var(--accent) 85%, var(--ink)) }
${pressed}.solid { border-color: var(--ink); background: var(--ink); color: var(--surface) }
${pressed}.solid:hover { background: color-mix(in srgb, var(--ink) 82%, var(--surface)) }
${pressed}.danger { border-color: color-mix(in srgb, var(--danger) 55%, var(--surface)); color: var(--danger) }
${pressed}.danger:hover { border-color: var(--danger); background: var(--danger-wash) }
${pressed}.danger.primary { border-color: var(--danger); background: var(--danger); color: var(--on-danger) }
${pressed}.danger.primary:hover { background: color-mix(in srgb, var(--danger) 85%, var(--ink)) }
button.plain { padding-inline: var(--snug); border-color: transparent; background: none; color: var(--accent) }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: var(--near); margin-block-start: var(--room) }
.actions > a:not(.button) { display: inline-flex; align-items: center; min-inline-size: var(--press); min-block-size: var(--press) }
body:is(.narrow, .middle) .actions > .primary { flex: 1 1 auto }
.stack form { margin: 0 }
.stack .actions, .stack p { margin: 0 }
.after { margin-block-start: var(--room) }
.after > a { padding-block: var(--near) }
.stack { display: grid; gap: var(--near); margin: 0 0 var(--near); padding: 0; list-style: none }
.stack :is(button, .button) { inline-size: 100% }
.or { display: flex; align-items: center; gap: var(--near); margin-block: var(--room); color: var(--quiet); font-size: var(--small) }
.or::before, .or::after { content: ""; flex: 1; border-block-start: 1px solid var(--rule) }

.field { display: block; margin-block-end: var(--room) }
.field > span:first-child, .field > label { display: block; margin-block-end: var(--tight); font-weight: 550 }
.field:has(> .beside) { display: grid; grid-template-columns: 1fr auto; column-gap: var(--near) }
.field:has(> .beside) > :not(label, .beside) { grid-column: 1 / -1 }
.field > .beside { margin: 0; font-size: var(--small) }
.field > .beside > a { margin-block: calc(-1 * var(--near)); padding-block: var(--near) }
.field :is(input:not([type=checkbox], [type=radio]), select), textarea {
  inline-size: 100%;
  min-block-size: var(--press);
  padding: var(--snug) var(--near);
  border: 1px solid var(--edge);
  border-radius: var(--round);
  background: var(--surface);
  color: inherit;
  font: inherit;
}
textarea[spellcheck=false] { font: 1rem/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace }
.field input[readonly] { border-color: var(--rule); background: var(--sunken) }
.field [aria-invalid=true] { border-color: var(--danger); box-shadow: inset 0 0 0 1px var(--danger) }
.field input.digits { min-block-size: 3.5rem; font: 600 var(--large)/1 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; letter-spacing: 0.35em; text-align: center; direction: ltr }
.hint { display: block; margin: var(--tight) 0 0; color: var(--quiet); font-size: var(--small); font-weight: 400 }
.hint.bad { color: var(--danger); font-weight: 550 }
.with { position: relative; display: block }
.field .with > input { padding-inline-end: 5rem }
.with > button { position: absolute; inset-block: 0; inset-inline-end: 0 }
input[type=checkbox], input[type=radio] {
  flex: none;
  inline-size: 1.25rem;
  block-size: 1.25rem;
  margin: 0.125rem 0;
  accent-color: var(--accent);
}
.tick:not(.switch) > input:disabled:checked { appearance: none; display: grid; place-items: center; border: 1px solid var(--accent); border-radius: 3px; background: var(--accent-wash) }
.tick:not(.switch) > input:disabled:checked::before { content: ""; inline-size: 0.75rem; block-size: 0.75rem; background: var(--accent); clip-path: polygon(10% 52%, 25% 37%, 41% 55%, 77% 15%, 92% 30%, 41% 85%) }
.tick { display: flex; align-items: start; gap: var(--near); min-block-size: var(--press); padding-block: 0.625rem }
div.tick > :is([type=checkbox], [type=radio]) { inline-size: 1.5rem; block-size: 1.5rem; margin: 0 }
.tick:has(input:enabled) { cursor: pointer }
fieldset { margin-inline: 0; padding: 0; border: 0; min-inline-size: 0 }
legend, caption { padding: 0 0 var(--tight); font-weight: 600; text-align: start }
.choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(4rem, 1fr)); border: 1px solid var(--edge); border-radius: var(--round) }
.choices label { position: relative; display: grid; place-items: center; min-block-size: var(--press); padding: var(--tight); font-size: var(--small); line-height: 1.2; text-align: center; cursor: pointer }
.choices label + label { border-inline-start: 1px solid var(--rule) }
.choices input { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; margin: 0; opacity: 0; cursor: pointer }
.choices label:has(:checked) { border-radius: calc(var(--round) - 1px); background: var(--sunken); box-shadow: inset 0 0 0 2px var(--ink); font-weight: 650 }
.choices label:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: var(--round) }

summary { display: flex; align-items: center; gap: var(--snug); inline-size: fit-content; min-block-size: var(--press); list-style: none; color: var(--accent); font-weight: 550; cursor: pointer }
summary::-webkit-details-marker { display: none }
summary:not(.confirm > summary)::after { content: ""; flex: none; inline-size: 0.5rem; block-size: 0.5rem; margin-block-end: var(--tight); border: solid currentColor; border-width: 0 2px 2px 0; transform: rotate(45deg); transition: transform 120ms }
[open] > summary:not(.confirm > summary)::after { margin-block-end: calc(-1 * var(--tight)); transform: rotate(225deg) }
summary:hover { text-decoration: underline }
.confirm > summary:hover { text-decoration: none }
.confirm[open] > summary { border-color: var(--edge); background: var(--sunken) }
.confirm > :not(summary) { margin-block-start: var(--near); padding: var(--room); border: 1px solid color-mix(in srgb, var(--danger) 40%, var(--surface)); border-radius: var(--round); background: var(--danger-wash) }
.confirm > :not(summary) > p:not(:last-child) { margin-block-end: var(--near) }
.confirm > :not(summary) > :last-child { margin-block-end: 0 }
@media (forced-colors: active) {
  ${pressed}:is(.primary, .solid) { border: 2px solid }
  .tick:not(.switch) > input:disabled:checked { appearance: auto }
  .tick:not(.switch) > input:disabled:checked::before { content: none }
  .choices label:has(:checked) { outline: 3px solid Highlight; outline-offset: -3px }
}
`
