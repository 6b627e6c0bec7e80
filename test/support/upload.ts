/** The form with a picture, as browsers send it (RFC 7578). */
import { type Browser, formsOf, type Reachable } from './browser.ts'

const boundary = 'a-boundary'

const head = (name: string, more = ''): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`

export const makeUpload = (
  fields: Readonly<Record<string, string>>,
  file: Buffer | null,
): Buffer => {
  const texts = Object.entries(fields).map(([name, value]) => `${head(name)}${value}\r\n`)
  const start = head('picture', '; filename="me.png"\r\nContent-Type: image/png')
  const part = file === null ? [] : [Buffer.from(start), file, Buffer.from('\r\n')]
  return Buffer.concat([Buffer.from(texts.join('')), ...part, Buffer.from(`--${boundary}--\r\n`)])
}

export const sendUpload = (
  service: Reachable,
  { cookies }: Browser,
  body: Buffer,
  contentType = `multipart/form-data; boundary=${boundary}`,
) =>
  service.ask('/account/picture', {
    method: 'POST',
    body: new Uint8Array(body),
    headers: {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'content-type': contentType,
    },
  })

export const findUploadCsrf = async (browser: Browser): Promise<string> => {
  const forms = formsOf((await browser.go('/account/picture')).text)
  return forms.find(({ action }) => action === '/account/picture')?.fields.csrf?.[0] ?? ''
}
