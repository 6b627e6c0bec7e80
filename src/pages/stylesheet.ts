/** The one stylesheet, served at `/assets/latchkey.css`. */
export const stylesheet = `:root { color-scheme: light dark }
`
