/** The operator's name, logo, colours and links on the pages. */
import type { Text } from '../model/language.ts'
import { accentColor, defaultAccent } from './accent.ts'
import { type Logo, logoBytes, parseLogo } from './logo.ts'
import type { Setting, SettingRows } from './setting.ts'
import { shortText, webAddress } from './texts.ts'

/** What the operator says of itself on the pages. */
const operatorNameCharacters = 60
const loginTextCharacters = 500

const link = (
  name: 'help' | 'privacy' | 'terms',
  meaning: string,
  when: string,
): Setting<Text | null> => ({
  environment: `LATCHKEY_${name.toUpperCase()}_URL`,
  flag: `--${name}-url <url>`,
  parse: webAddress,
  fallback: null,
  fallbackText: 'no link',
  meaning,
  when,
  secret: false,
})

const color = (scheme: 'light' | 'dark', name: string): Setting<string> => ({
  environment: `LATCHKEY_${name.toUpperCase().replaceAll('-', '_')}`,
  flag: `--${name} <#rrggbb>`,
  parse: accentColor(scheme),
  fallback: defaultAccent[scheme],
  fallbackText: defaultAccent[scheme],
  meaning: `The colour of links and of the chief button on ${scheme} pages.`,
  when: `You have a colour of your own that is legible on ${scheme} pages.`,
  secret: false,
})

export const brandSettings: SettingRows<{
  operatorName: Text
  logo: Logo | null
  accentColor: string
  accentColorDark: string
  loginText: Text | null
  helpUrl: Text | null
  privacyUrl: Text | null
  termsUrl: Text | null
}> = {
  operatorName: {
    environment: 'LATCHKEY_OPERATOR_NAME',
    flag: '--operator-name <text>',
    parse: shortText(operatorNameCharacters),
    fallback: { en: 'Latchkey' },
    fallbackText: 'Latchkey',
    meaning: 'The name of the operator, at the head of every page and in its title.',
    when: 'Always outside a trial: people look for your name when they log in.',
    secret: false,
  },
  logo: {
    environment: 'LATCHKEY_LOGO',
    flag: '--logo <path>',
    parse: parseLogo,
    fallback: null,
    fallbackText: 'a key',
    meaning: `A PNG, SVG or WebP file of at most ${logoBytes / 1024} KiB, shown beside the name.`,
    when: 'You have a logo.',
    secret: false,
  },
  accentColor: color('light', 'accent-color'),
  accentColorDark: color('dark', 'accent-color-dark'),
  loginText: {
    environment: 'LATCHKEY_LOGIN_TEXT',
    flag: '--login-text <text>',
    parse: shortText(loginTextCharacters),
    fallback: null,
    fallbackText: 'nothing',
    meaning: 'A text beneath the form of the login page.',
    when: 'People need a hint before they log in.',
    secret: false,
  },
  helpUrl: link(
    'help',
    'The help page, linked at the foot of every page.',
    'You help people with their accounts.',
  ),
  privacyUrl: link(
    'privacy',
    'The privacy policy, linked at the foot of every page.',
    'The law asks for it.',
  ),
  termsUrl: link(
    'terms',
    'The terms of use, linked at the foot of every page.',
    'You have terms of use.',
  ),
}
