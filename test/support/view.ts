/** The view of a page as a service at the root of its host has it, in each language. */
import type { View } from '../../src/pages/view.ts'

export const english: View = {
  base: '',
  language: 'en',
  zone: null,
  carried: '',
  at: 1_790_000_000,
  brand: { name: 'Latchkey', hasLogo: false, loginText: null, links: [] },
}

export const chinese: View = { ...english, language: 'zh' }
