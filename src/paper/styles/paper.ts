/** Styles of a page on paper: a receipt of what was chosen, without anything to press. */

export const paperStyles = `
@page { margin: 2cm }
@media print {
  :root { color-scheme: only light }
  body, body.wide, body.account { display: block; max-inline-size: none; min-block-size: 0; padding: 0; background: none; font-size: 11pt }
  .brand { margin-block: 0 var(--room); padding-block-end: var(--snug); border-block-end: 2px solid var(--accent) }
  main, .card { padding: 0; border: 0; border-radius: 0; background: none; box-shadow: none }
  .card { margin-block-end: var(--apart); padding-block-end: var(--near); border-block-end: 1px solid var(--rule) }
  .card, tr, dl > div, fieldset { break-inside: avoid }
  h1, h2, caption, legend { break-after: avoid }
  button, nav, .menu, .skip, .back, .tools, .pick, .picked, .confirm, .apps > li > .icon, footer ul, .actions, [role=status], details:not([open]), .tick:has(input:not(:checked)), .choices label:not(:has(:checked)), .decide > div { display: none !important }
  input, .swatch { print-color-adjust: exact; -webkit-print-color-adjust: exact }
  a { color: inherit; text-decoration: none }
  .off-paper { display: none !important }
  .on-paper { display: block }
  footer { padding-block-start: var(--room); font-size: 9pt }
}
`
