/** Words of the playground: APIs elsewhere and their audiences, and the question of a proxy. */
import { defineWords } from '../../src/paper/catalog.ts'

export const elsewhereWords = defineWords('playground.elsewhere', {
  'add-apis': {
    title: 'Let the operator add two APIs',
    text: 'By the admin API: Orders and Tools, on hosts of their own. The uri of each is the audience of its tokens. Its server may ask about those tokens only.',
  },
  'register-agent': {
    title: 'Register the client',
    text: 'The client registers itself. It may then ask an owner for any API that there is.',
  },
  'ask-two': {
    title: 'Ask for both at once',
    text: 'The client names both APIs, each by a resource parameter. Log in as alice, password wonderland. The consent page shows the host of each API.',
  },
  'one-token-each': {
    title: 'Get a token for each API',
    text: 'The token request names one of the approved APIs, so the token is for that one alone. A refresh names the other one. A token of the first API is worth nothing to the second.',
  },
  'apis-ask': {
    title: 'Each API asks about its token',
    text: 'Introspection answers both, and aud names the one API that the token is for.',
  },
  'remove-apis': {
    title: 'Remove both APIs',
    text: 'The operator removes the two APIs. Their permissions end with them: the token is inactive at once. The client leaves as well.',
  },
  'passed-on': {
    title: 'Pass the token on',
    text: 'The server of Orders takes the token that it received, and uses it at Tools. Tools asks the authorization server about it.',
    meaning:
      'The token is for Orders alone, so Tools hears active: false. An API cannot use the tokens of its visitors elsewhere.',
  },
  'built-in-with-it': {
    title: 'Read the photos with it',
    text: 'The same token, shown to the API of the photos.',
    meaning: 'The token is not for this audience, so it is refused like an unknown one.',
  },
  'unknown-audience': {
    title: 'Ask for an unknown API',
    text: 'Photo Printer asks for a token for an API that nobody added.',
    meaning:
      'The client hears invalid_target at its redirect URI, with a list of the known APIs. No owner is asked.',
  },
  'wider-audience': {
    title: 'Refresh for another API',
    text: 'The owner approved Orders and Tools. The client asks for a token for the photos.',
    meaning:
      'A refresh never reaches further than the approval. Nothing was used up: the refresh token still works.',
  },
  'proxy-asks': {
    title: 'The proxy asks',
    text: 'A request comes to a proxy such as nginx, with a token. Before it lets the request through, it asks here with the same Authorization header. The answer is a status and four headers.',
  },
  'proxy-lets-in': {
    title: 'The request goes on',
    text: 'After a 200 the proxy passes the request on, here to the API of the photos. An API behind such a proxy needs no OAuth code.',
  },
  'proxy-no-token': {
    title: 'Come without a token',
    text: 'The request has no Authorization header.',
    meaning:
      'The proxy hears 401 and keeps the request out. It hands the challenge to the client, with the address of the metadata.',
  },
  'proxy-write': {
    title: 'Write with a token for reading',
    text: 'The proxy asks for photos:write on this path. The token allows photos:read.',
    meaning: 'The proxy hears 403, and the challenge names the needed permission.',
  },
  'proxy-other-api': {
    title: 'Use the token at another API',
    text: 'The same token comes to the proxy of the contacts.',
    meaning: 'The token is not for this API: 401, as for an unknown token.',
  },
  'proxy-unknown-api': {
    title: 'Configure an unknown API',
    text: 'The configuration of the proxy names an API that this service does not know. The token is good.',
    meaning:
      'The answer is 400, and a proxy lets nothing through but after a 200. A wrong configuration so opens no door.',
  },
})
