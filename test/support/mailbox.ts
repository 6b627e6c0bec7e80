/** Reads the mailbox of the demo, as a person would. */
import assert from 'node:assert/strict'
import type { Reachable } from './browser.ts'

interface ShownMail {
  readonly subject: string
  readonly to: string
  readonly text: string
  /** The first link of the mail. */
  readonly link: string
}

const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&amp;', '&')
    .trim()

const found = (pattern: RegExp, html: string): string => plain(pattern.exec(html)?.[1] ?? '')

/** All mails, the latest first. */
export const mailsIn = async (service: Reachable): Promise<readonly ShownMail[]> => {
  const { status, text } = await service.ask('/mailbox')
  assert.equal(status, 200)
  return [...text.matchAll(/<article[^>]*>([\s\S]*?)<\/article>/g)].map(([, mail = '']) => ({
    subject: found(/<h2>([\s\S]*?)<\/h2>/, mail),
    to: found(/<bdi[^>]*>([\s\S]*?)<\/bdi>/, mail),
    text: found(/<p class="mail">([\s\S]*?)<\/p>/, mail),
    link: found(/href="([^"]*)"/, mail),
  }))
}

/** The link of the latest mail. */
export const lastLink = async (service: Reachable): Promise<string> => {
  const [mail] = await mailsIn(service)
  assert.ok(mail, 'there is no mail')
  return mail.link
}
