/** Styles of the account's sections: lines with a name, a state and actions. */

export const entryStyles = `
.card.entries { padding: 0 }
.codes { columns: 2 14rem; column-gap: var(--apart) }
.codes li { break-inside: avoid }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); gap: 0 var(--room) }
.entries > h2 { margin: 0; padding: var(--room) var(--room) var(--near) }
.entries > ul { margin: 0; padding: 0; list-style: none }
.entries > ul > li { display: flex; flex-wrap: wrap; align-items: center; gap: var(--snug) var(--room); padding: var(--near) var(--room); border-block-start: 1px solid var(--rule) }
.entries > ul:first-child > li:first-child { border: 0 }
.entries > ul > li > div:first-child { flex: 1 1 14rem; min-inline-size: 0 }
.entries > ul > li p { margin: 0 }
.entries > ul > li > p { flex: 1 1 100%; font-size: var(--small) }
.entries .end { display: flex; flex-wrap: wrap; gap: var(--snug) }
.entries .end > form { margin: 0 }
.entries .end:has(> .confirm[open]) { flex: 1 1 100% }
.entries .confirm[open] { flex: 1 1 100% }
.entries > .inside { margin: 0; padding: var(--room); border-block-start: 1px solid var(--rule) }
.entries > .inside form { margin-block-start: 0 }
.entries > .foot { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--snug) var(--room); margin: 0; padding: var(--near) var(--room); border-block-start: 1px solid var(--rule) }
.entries li:has(.this-one) { box-shadow: inset 3px 0 var(--accent) }
:dir(rtl) .entries li:has(.this-one) { box-shadow: inset -3px 0 var(--accent) }
`
