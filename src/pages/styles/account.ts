/** Styles of the account: switches, what is folded away, and the list of events. */

export const accountStyles = `
.switch > input {
  appearance: none;
  inline-size: 2.25rem;
  border: 1px solid var(--edge);
  border-radius: 1rem;
  background: var(--surface);
  transition: background-color 120ms;
}
.switch > input::before {
  content: "";
  display: block;
  inline-size: 0.875rem;
  block-size: 0.875rem;
  margin: var(--hair);
  border-radius: 50%;
  background: var(--edge);
}
.switch > input:checked { border-color: var(--accent); background: var(--accent) }
.switch > input:checked::before { margin-inline-start: var(--inset); background: var(--on-accent) }
.more { margin-block: var(--apart); padding-block-start: var(--near); border-block-start: 1px solid var(--rule) }
.more > summary { padding-block: var(--tight); color: var(--accent); font-weight: 550; cursor: pointer }
.more input[type=date] { min-block-size: 2.5rem; padding: 0.25rem var(--near); border: 1px solid var(--edge); border-radius: var(--round); background: var(--surface); color: inherit; font: inherit }
.events.card { padding: 0 }
.events > li { list-style: none; padding: var(--near) var(--inside); border-block-end: 1px solid var(--rule) }
.events > li:last-child { border: 0 }
.events p { margin: 0 }
.lines.card { padding: 0 }
.lines > li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--near); list-style: none; padding: var(--near) var(--inside); border-block-end: 1px solid var(--rule) }
.lines > li:last-child { border: 0 }
.lines > li > div { flex: 1 1 16rem }
.lines :is(p, form) { margin: 0 }
.lines h2 { margin: 0; font-size: 1rem }
@media (forced-colors: active) {
  .switch > input, .switch > input::before { forced-color-adjust: none }
  .switch > input { border-color: ButtonText; background: ButtonFace }
  .switch > input::before { background: ButtonText }
  .switch > input:checked { background: Highlight }
  .switch > input:checked::before { background: HighlightText }
}
`
