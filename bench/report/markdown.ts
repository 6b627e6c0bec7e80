/** Tables in Markdown that read as well on a terminal. */

export const whole = (value: number): string => Math.round(value).toLocaleString('en-US')

/** Lines of cells, each column as wide as its widest cell; all but the first flush right. */
export const renderTable = (lines: readonly (readonly string[])[]): string => {
  const widths = (lines[0] ?? []).map((_, i) =>
    Math.max(...lines.map((line) => line[i]?.length ?? 0)),
  )
  const cells = (line: readonly string[]): string =>
    `| ${line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`
  const [head = [], ...rest] = lines
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [cells(head), rule, ...rest.map(cells)].join('\n')
}
