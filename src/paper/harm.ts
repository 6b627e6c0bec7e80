/** What is hard to undo, marked where somebody decides about it. */
import type { Language } from '../model/language.ts'
import type { Harm } from '../model/resource.ts'
import { drawIcon } from './icon.ts'
import { html, type Markup } from './markup.ts'
import { phrases } from './words/phrases.ts'

const icons = { delete: 'trash', spend: 'coin', other: 'warning' } as const

export const renderHarm = (harm: Harm, language: Language): Markup =>
  html`<strong class="tag bad">${drawIcon(icons[harm])}${phrases(language).harm[harm]}</strong>`
