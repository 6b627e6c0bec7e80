/** Styles of the account's frame: a bar with a menu, the parts at the side, the page beside them. */

export const frameStyles = `
.skip { position: absolute; inset-inline-start: var(--room); inset-block-start: -4rem; z-index: 9; padding: var(--near) var(--room); border-radius: var(--round); background: var(--surface) }
.skip:focus { inset-block-start: var(--snug) }
body.account {
  display: grid;
  grid-template-columns: minmax(var(--room), 1fr) 12.5rem minmax(0, 57.5rem) minmax(var(--room), 1fr);
  grid-template-rows: auto 1fr;
  max-inline-size: none;
  padding: 0;
}
.account > * { grid-column: 3 }
.account > .brand {
  position: relative;
  z-index: 3;
  grid-column: 1 / -1;
  min-block-size: 3.5rem;
  margin-block: 0;
  padding-inline: max(var(--room), calc((100% - 70rem) / 2));
  border-block-end: 1px solid var(--rule);
  background: var(--surface);
}
.account > nav { grid-column: 2 }
.account > :is(nav, main) { grid-row: 2; padding-block: var(--apart) }
.account > main { inline-size: 100%; padding-inline: var(--apart) 0; border: 0; background: none; box-shadow: none }
.account > footer, .account > .on-paper { margin-inline-start: var(--apart); padding-block-end: var(--apart) }
.parts ul { display: grid; gap: var(--hair); margin: 0; padding: 0; list-style: none }
.parts li { padding: 0 }
.parts a {
  display: flex;
  align-items: center;
  min-block-size: var(--press);
  padding-block: var(--tight);
  padding-inline: var(--near);
  border-inline-start: 3px solid transparent;
  border-radius: var(--round);
  color: var(--ink);
  font-weight: 500;
  text-decoration: none;
}
.parts a:hover { background: var(--rule) }
.parts a[aria-current] { border-color: var(--accent); background: var(--accent-wash); color: var(--accent); font-weight: 650 }
.menu { position: relative; margin-inline-start: auto }
.menu > summary { padding-inline: var(--snug); border-radius: var(--round); color: var(--ink) }
.menu > summary:hover { background: var(--sunken); text-decoration: none }
.owner { max-inline-size: 16rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.menu > div {
  position: absolute;
  inset-block-start: calc(100% + var(--tight));
  inset-inline-end: 0;
  inline-size: min(18rem, calc(100vw - 2 * var(--room)));
  padding: var(--snug);
  border: 1px solid var(--rule);
  border-radius: calc(var(--round) * 1.5);
  background: var(--surface);
  box-shadow: 0 12px 32px -8px var(--shade), 0 2px 6px var(--shade);
  color: var(--ink);
  font-size: 1rem;
  font-weight: 400;
}
.menu p { margin: 0 0 var(--snug); padding: var(--tight) var(--near) var(--near); border-block-end: 1px solid var(--rule) }
.menu form { margin: 0 }
.menu button { justify-content: start; inline-size: 100%; border-color: transparent; font-weight: 500 }
.icon.turns:dir(rtl) { transform: scaleX(-1) }
@media (min-width: 60.01rem) {
  .menu nav { display: none }
}
@media (max-width: 60rem) {
  body.account { grid-template-columns: var(--room) minmax(0, 1fr) var(--room) }
  .account > * { grid-column: 2 }
  .account > nav { display: none }
  .account > main { padding-inline: 0 }
  .account > footer, .account > .on-paper { margin-inline-start: 0 }
  .menu nav { margin-block-end: var(--snug); padding-block-end: var(--snug); border-block-end: 1px solid var(--rule) }
}
@media (max-width: 40rem) {
  .owner { position: absolute; inline-size: 1px; block-size: 1px; clip-path: inset(50%) }
}
@media (forced-colors: active) {
  .menu > div { border: 1px solid }
}
`
