/** Words of the playground: the checks of a client that reads a JWT. */
import { defineWords } from '../../pages/catalog.ts'

export const checkWords = defineWords(
  {
    signature: 'A key of /jwks made the signature.',
    exp: 'It has not run out.',
    typ: 'It is of the kind that belongs here.',
    iss: 'It is from the server that the client asked.',
    aud: 'It is for this client, or this API.',
    nonce: 'It is the answer to this very request.',
    at_hash: 'It belongs to this access token.',
    c_hash: 'It belongs to this code.',
    sid: 'It is about the session that the client knows.',
    events: 'It tells of a logout.',
    no_nonce: 'It has no nonce, so it is no answer to a login.',
  },
  {
    signature: '签名由 /jwks 中的密钥作出。',
    exp: '它尚未过期。',
    typ: '它的种类适合用在这里。',
    iss: '它来自客户端所询问的服务器。',
    aud: '它是给这个客户端或这个 API 的。',
    nonce: '它正是对这次请求的回答。',
    at_hash: '它属于这个访问令牌。',
    c_hash: '它属于这个授权码。',
    sid: '它所说的正是客户端知道的会话。',
    events: '它告知一次退出登录。',
    no_nonce: '它没有 nonce，所以不是登录的回答。',
  },
)

export type CheckName = keyof (typeof checkWords)['en']
