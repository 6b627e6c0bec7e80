/** The demo's clients, as `post` takes them. */
export const photoPrinter = ['photo-printer', 'photo-printer-secret'] as const
export const houseApp = ['house-app', 'house-app-secret'] as const
export const nightlyReport = ['nightly-report', 'nightly-report-secret'] as const
export const helper = ['helper', 'helper-secret'] as const
export const latchkeyAdmin = ['latchkey-admin', 'latchkey-admin-secret'] as const
