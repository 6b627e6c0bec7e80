/** What went wrong, in one sentence for a table or a note. */
export const sayFault = (fault: unknown): string => {
  if (!(fault instanceof Error)) return String(fault)
  const { message, cause } = fault
  return cause instanceof Error ? `${message}: ${cause.message}` : message
}
