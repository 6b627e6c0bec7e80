/** Styles of the account: lists of lines, and the list of events. */

export const accountStyles = `
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
`
