/** Words of the playground: the resource server. */
import { defineWords } from '../../src/paper/catalog.ts'

export const apiWords = defineWords('playground.api', {
  'api-tokens': {
    title: 'Get two tokens',
    text: 'One token may read and write alice’s photos. The other may only read them, for a later attack.',
  },
  'by-header': {
    title: 'Read, token in the header',
    text: 'The way to do it: headers stay out of logs, caches and the history of a browser.',
  },
  'by-query': {
    title: 'Read, token in the query',
    text: 'For places that can only make addresses. The request has to carry Cache-Control: no-store, so that nothing on the way keeps an address with a token in it.',
  },
  'by-body': {
    title: 'Read, token in the body',
    text: 'A form that carries nothing but the token reads, as GET would.',
  },
  create: {
    title: 'Write: add a photo',
    text: 'A JSON object becomes an item. Location is its URL, ETag its version.',
  },
  change: {
    title: 'Write: change it',
    text: 'If-Match names the version that the change is meant for. Had somebody else changed it since, the answer would be 412, and nobody’s work would be lost.',
  },
  delete: {
    title: 'Write: delete it',
    text: 'Needs photos:write as well. The answer has no body.',
  },
  'write-with-read': {
    title: 'Write with a read token',
    text: 'The second token may only read. Use it to add a photo.',
    meaning:
      'Nothing was written. The challenge names a sufficient scope, so the client can ask its owner for it.',
  },
  'two-ways': {
    title: 'Send the token twice',
    text: 'In the header and in the query at once.',
    meaning:
      'A request must not use more than one way: a proxy that checks one token while the service believes the other would be fooled.',
  },
  'query-kept': {
    title: 'Let the token be cached',
    text: 'The token in the query, without Cache-Control: no-store.',
    meaning:
      'Refused before the token is looked at: a cache on the way could keep the answer and hand it to others.',
  },
  'no-token': {
    title: 'Come without a token',
    text: 'Just ask.',
    meaning:
      'The challenge names the scheme and the URL of the metadata. There is no error code, because the client may not have known that it needs a token.',
  },
})
