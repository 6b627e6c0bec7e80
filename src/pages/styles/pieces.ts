/** Styles of what pages are made of: notices, fields, buttons, tables, lists of facts. */

export const pieceStyles = `
.head { display: flex; flex-wrap: wrap; align-items: start; justify-content: space-between; gap: var(--near); margin-block-end: var(--near) }
.head form { margin: 0 }
.asker { display: flex; align-items: center; gap: var(--room); margin-block-end: var(--near) }
.asker h1 { margin: 0 }
.portrait {
  flex: none;
  display: grid;
  place-items: center;
  inline-size: 3rem;
  block-size: 3rem;
  border-radius: 0.75rem;
  background: var(--accent-wash);
  color: var(--accent);
  font-size: 1.375rem;
  font-weight: 650;
  object-fit: contain;
}
.notice {
  padding: var(--near) var(--room);
  border: 1px solid transparent;
  border-inline-start: 4px solid var(--accent);
  border-radius: var(--tight);
  background: var(--accent-wash);
}
.notice a { color: inherit }
.warning { border-inline-start-color: var(--warning); background: var(--warning-wash) }
.warning strong:first-child { color: var(--warning) }
.problem { border-inline-start-color: var(--danger); background: var(--danger-wash); color: var(--danger) }
.field { display: block; margin-block-end: var(--room) }
.field > span { display: block; margin-block-end: var(--tight); font-weight: 550 }
.field > :is(input, select) {
  inline-size: 100%;
  min-block-size: var(--press);
  padding: var(--snug) var(--near);
  border: 1px solid var(--edge);
  border-radius: var(--round);
  background: var(--surface);
  color: inherit;
  font: inherit;
}
textarea {
  inline-size: 100%;
  padding: var(--snug) var(--near);
  border: 1px solid var(--edge);
  border-radius: var(--round);
  background: var(--surface);
  color: inherit;
  font: 0.9em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
input[type=checkbox], input[type=radio] {
  flex: none;
  inline-size: 1.25rem;
  block-size: 1.25rem;
  margin: 0.15rem 0 0;
  accent-color: var(--accent);
}
.tick { display: flex; align-items: start; gap: 0.625rem; min-block-size: 1.5rem; padding-block: var(--tight) }
.tick:has(input:enabled) { cursor: pointer }
fieldset { margin-inline: 0; padding: 0; border: 0; min-inline-size: 0 }
fieldset:has(> .tick > [type=radio]) {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr));
  gap: var(--snug);
  margin-block-end: var(--apart);
}
fieldset > .tick:has(> [type=radio]) {
  padding: 0.625rem var(--near);
  border: 1px solid var(--rule);
  border-radius: var(--round);
}
fieldset > .tick:hover { border-color: var(--edge) }
fieldset > .tick:has(> :checked) { border-color: var(--accent); background: var(--accent-wash) }
legend, caption { padding: 0 0 var(--tight); font-weight: 600; text-align: start }
.actions { display: flex; flex-wrap: wrap; gap: var(--near); margin-block-start: var(--apart) }
.equal > button { flex: 1 1 8rem }
button {
  min-block-size: var(--press);
  padding: var(--snug) var(--inset);
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
button[aria-disabled=true] { border-color: var(--rule); background: var(--surface); color: var(--quiet); cursor: default }
.primary { flex: 1 1 auto; border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
.primary:hover { background: var(--ink); border-color: var(--ink); color: var(--surface) }
.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-block-size: var(--press);
  padding: var(--snug) var(--inset);
  border: 1px solid var(--edge);
  border-radius: var(--round);
  color: var(--ink);
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  transition: background-color 120ms, border-color 120ms;
}
.button.primary { flex: 0 1 auto; color: var(--on-accent) }
.button.primary:hover { color: var(--surface) }
.danger { color: var(--danger) }
.danger:hover { border-color: var(--danger); background: var(--danger-wash) }
table { inline-size: 100%; border-collapse: collapse }
th, td { padding-block: var(--snug); padding-inline: 0 var(--near); border-block-end: 1px solid var(--rule); text-align: start; vertical-align: top }
thead th { color: var(--quiet); font-size: var(--small); font-weight: 550 }
tbody th { font-weight: 600 }
.permissions { margin-block-end: var(--apart); table-layout: fixed }
.permissions thead th:first-child { inline-size: 22% }
.permissions :is(th, td) { padding-block: var(--tight) }
.permissions tbody th { padding-block-start: var(--near) }
.permissions td > span { display: block; padding-block: var(--tight) }
.about { margin-block-end: var(--apart) }
.about > span { display: block; padding-block: var(--tight) }
.tag {
  display: inline-block;
  padding-inline: var(--snug);
  border: 1px solid var(--rule);
  border-radius: 1rem;
  color: var(--quiet);
  font-size: var(--smaller);
}
.command { margin-block-end: var(--tight); font-size: var(--smaller) }
.scroll { overflow-x: auto; margin-block-end: var(--near) }
.scroll table { min-inline-size: 36rem; overflow-wrap: break-word }
dl > div { display: flex; flex-wrap: wrap; gap: 0 var(--near); padding-block: var(--hair) }
dt { flex: 0 0 8rem; color: var(--quiet) }
dd { flex: 1 1 12rem; margin: 0 }
@media (max-width: 34rem) {
  .permissions thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%) }
  .permissions :is(tbody, caption) { display: block }
  .permissions tr { display: block; padding-block: var(--tight); border-block-end: 1px solid var(--rule) }
  .permissions :is(th, td) { display: block; padding: 0; border: 0 }
  .permissions tbody th { padding-block-start: var(--tight) }
  .permissions td > span.quiet { display: inline }
  .permissions td:has(> .quiet)::before { content: attr(data-column) " – "; color: var(--quiet) }
  .actions > button { flex: 1 1 100% }
  .asker { align-items: start; gap: var(--near) }
  .portrait { inline-size: 2.5rem; block-size: 2.5rem; border-radius: var(--round); font-size: 1.125rem }
}
@media (forced-colors: active) {
  .notice, .tag, .primary, .button, .portrait { border: 1px solid }
  .notice { border-inline-start-width: 4px }
  mark { border: 1px solid; background: Mark; color: MarkText }
}
`
