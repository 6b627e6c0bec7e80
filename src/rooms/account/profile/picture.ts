/** `/account/picture`: an owner sets, replaces or removes the own picture. `/pictures/:name` serves it. */

import { makeSecret } from '../../../crypto/digest.ts'
import { answerPicture } from '../../../http/answer.ts'
import { readBytes } from '../../../http/body.ts'
import type { Exchange } from '../../../http/exchange.ts'
import { pictureNameCharacters } from '../../../model/picture.ts'
import { parsePlainPicture, pictureLimits } from '../../../model/plain/picture.ts'
import { defineWords } from '../../../paper/catalog.ts'
import { hide } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { getPicturePath, renderTile } from '../../../paper/tile.ts'
import { pageUrl } from '../../../paper/view.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import { asset, page } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import { parseOwnUpload } from '../../form.ts'
import { answerDone, identify, type OwnerVisit } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage, renderWayBack } from '../frame.ts'
import type { OpenPage } from '../needs.ts'

const pictureWords = defineWords('picture', {
  title: 'Your picture',
  heading: {
    none: 'Choose a picture of you',
    some: 'This is your picture',
  },
  about: 'It stands beside your name here. Applications see nothing of it.',
  file: 'A PNG, JPEG or WebP of at most 200 KB',
  stripped: 'Place, camera and comments are taken out of the file.',
  save: 'Save picture',
  remove: 'Remove picture',
  bad: 'This file cannot be used. Choose a PNG, JPEG or WebP of at most 200 KB, and 4096 points a side.',
})

/** The body also has the names of the fields, and a boundary around each. */
const formBytes = pictureLimits.bytes + 4096

export interface PicturePage extends AccountPageGiven {
  readonly isRefused: boolean
}

export const renderPicture = (given: PicturePage): string => {
  const { view, csrf, owner } = given
  const words = pictureWords(view.language)
  const shown = getPicturePath(view, owner.pictureName)
  const name = owner.name === '' ? owner.username : owner.name
  const action = pageUrl(view, '/account/picture')
  const form = (content: Markup): Markup =>
    html`<form method="post" action="${action}" enctype="multipart/form-data">${hide('csrf', csrf)}${content}</form>`
  return renderAccountPage(given, {
    part: 'profile',
    heading: null,
    title: words.title,
    problem: given.isRefused ? words.bad : null,
    head: html`${renderWayBack(view, 'profile')}
<div class="asks">${renderTile(name, shown, { size: 'big', isPerson: true })}<h1>${words.heading[shown === null ? 'none' : 'some']}</h1></div>`,
    main: html`<p class="lead">${words.about}</p>
${form(html`<div class="field"><label for="picture">${words.file}</label>
<input id="picture" name="picture" type="file" accept="image/png, image/jpeg, image/webp" required aria-describedby="picture-hint">
<p class="hint" id="picture-hint">${words.stripped}</p></div>
<p class="actions"><button class="primary" type="submit" name="action" value="set">${words.save}</button></p>`)}
${shown === null ? null : form(html`<p class="actions"><button class="plain" type="submit" name="action" value="remove">${words.remove}</button></p>`)}`,
  })
}

export const openPicture: OpenPage = (needs, { forOwner }) => {
  const { store, random } = needs

  const show = (visit: OwnerVisit, isRefused = false) => {
    const html = renderPicture({ ...pickGiven(visit), isRefused })
    return showPage(visit, html, isRefused ? { status: 400, reason: 'bad_picture' } : {})
  }

  const take = async (exchange: Exchange) => {
    const bytes = await readBytes(exchange.request, formBytes)
    return forOwner(async (visit) => {
      const form = parseOwnUpload(visit, bytes, needs)
      const isRemoved = form.get('action')?.toString('latin1') === 'remove'
      const plain = isRemoved ? null : parsePlainPicture(form.get('picture') ?? Buffer.of())
      if (!isRemoved && plain === null) return show(visit, true)
      const picture = plain && {
        name: makeSecret('', random).slice(0, pictureNameCharacters),
        type: plain.type,
        content: Buffer.from(plain.bytes).toString('base64'),
      }
      const isSet = await store.setOwnerPicture(identify(visit), picture, traceOf(visit, needs))
      const done = picture === null ? 'pictureRemoved' : 'pictureSaved'
      return answerDone(visit, '/account/profile', isSet ? done : 'nothing')
    })(exchange)
  }

  /** Anybody with the URL may see it, as with a picture in a mail. The name is replaced with the picture. */
  const serve = async ({ params }: Exchange) => {
    const found = await store.findOwnerPicture(params.name ?? '')
    if (found === null)
      throw new Refusal('not_found', 'no_owner_picture', 'there is no such picture')
    return answerPicture(found.type, Uint8Array.from(Buffer.from(found.content, 'base64')))
  }

  return [
    { ...page, method: 'GET', path: '/account/picture', handler: forOwner((visit) => show(visit)) },
    { ...page, method: 'POST', path: '/account/picture', handler: take },
    { ...asset, path: '/pictures/:name', handler: serve },
  ]
}
