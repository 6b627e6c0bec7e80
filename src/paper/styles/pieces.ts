/** Styles of what pages are made of: tiles, notices, tags, tables, lists of facts. */

export const pieceStyles = `
.head { display: flex; flex-wrap: wrap; align-items: start; justify-content: space-between; gap: var(--near); margin-block-end: var(--near) }
.head form { margin: 0 }
.asks { display: flex; align-items: center; gap: var(--room); margin-block-end: var(--near) }
.asks h1 { margin: 0 }
.asks p { margin: var(--hair) 0 0; color: var(--quiet); font-size: var(--small) }
.who { display: flex; align-items: center; gap: var(--snug) }
.tile {
  position: relative;
  flex: none;
  display: grid;
  place-items: center;
  inline-size: 2.25rem;
  block-size: 2.25rem;
  overflow: clip;
  border-radius: var(--round);
  font-weight: 700;
  line-height: 1;
  box-shadow: inset 0 0 0 1px color-mix(in srgb, currentColor 12%, transparent);
}
.tile.big { inline-size: 3rem; block-size: 3rem; border-radius: var(--rounder); font-size: var(--large) }
.tile.little { inline-size: 1.5rem; block-size: 1.5rem; border-radius: 0.375rem; font-size: var(--smaller) }
.tile.person { border-radius: 50% }
.tile.unknown { border: 1.5px dashed var(--quiet); background: var(--surface); color: var(--quiet); box-shadow: none }
.tile > img { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; background: var(--surface); object-fit: contain }
.notice {
  position: relative;
  margin-block: 0 var(--room);
  padding: var(--near) var(--room);
  border: 1px solid color-mix(in srgb, var(--accent) 30%, var(--surface));
  border-radius: var(--round);
  background: var(--accent-wash);
}
.notice > :last-child { margin-block-end: 0 }
.notice a { color: inherit }
.notice:has(> .icon) { padding-inline-start: var(--gulf) }
.notice > .icon { position: absolute; inset-block-start: 0.875rem; inset-inline-start: var(--room) }
.warning { border-color: color-mix(in srgb, var(--warning) 40%, var(--surface)); background: var(--warning-wash) }
.warning > .icon, .warning strong:first-of-type { color: var(--warning) }
.problem { border-color: color-mix(in srgb, var(--danger) 40%, var(--surface)); background: var(--danger-wash); color: var(--danger) }
table { inline-size: 100%; border-collapse: collapse }
th, td { padding-block: var(--snug); padding-inline: 0 var(--near); border-block-end: 1px solid var(--rule); text-align: start; vertical-align: top }
thead th { color: var(--quiet); font-size: var(--small); font-weight: 550 }
tbody th { font-weight: 600 }
.cause { padding: var(--near); border-radius: var(--round); background: var(--sunken); color: var(--quiet); font-size: var(--small) }
.tag {
  display: inline-flex;
  align-items: center;
  gap: 0.25em;
  padding: 0.0625rem var(--snug);
  border: 1px solid var(--rule);
  border-radius: 1rem;
  background: var(--surface);
  color: var(--quiet);
  font-size: var(--smaller);
  font-weight: 550;
  line-height: 1.4;
}
strong.danger { color: var(--danger) }
.tag.good { border-color: transparent; background: var(--accent-wash); color: var(--ink) }
.tag.warn { border-color: transparent; background: var(--warning-wash); color: var(--warning) }
.tag.bad { border-color: currentColor; color: var(--danger) }
.tag > .icon { inline-size: 0.875rem; block-size: 0.875rem; vertical-align: 0 }
.reference > code { user-select: all }
.command { margin-block-end: var(--tight); font-size: var(--smaller) }
.scroll { overflow-x: auto; margin-block-end: var(--near) }
.scroll table { min-inline-size: 36rem; overflow-wrap: break-word }
dl > div { display: flex; flex-wrap: wrap; gap: 0 var(--near); padding-block: var(--hair) }
dt { flex: 0 0 8rem; color: var(--quiet) }
dd { flex: 1 1 12rem; margin: 0; min-inline-size: 0 }
.facts { font-size: var(--small) }
.facts dt { flex-basis: 7rem }
@media (max-width: 34rem) {
  .asks { align-items: start; gap: var(--near) }
  .tile.big { inline-size: 2.5rem; block-size: 2.5rem; font-size: var(--larger) }
}
@media (forced-colors: active) {
  .notice, .tag, .tile { border: 1px solid }
  mark { border: 1px solid; background: Mark; color: MarkText }
}
`
