/** Words of the playground: JWT access tokens and the feed of revocations. */
import { defineWords } from '../../pages/catalog.ts'

export const jwtWords = defineWords(
  {
    'add-jwt-api': {
      title: 'Let the operator add an API and a client',
      text: 'By the admin API. access_token_format is jwt, so the API can read its tokens by itself. Its server is Nightly Report.',
    },
    'jwt-token': {
      title: 'Get a token',
      text: 'The client gets a token for itself. To the client it is as opaque as any other.',
    },
    'check-jwt': {
      title: 'Read it, as the API does',
      text: 'The API fetches the keys once, and then makes no call for a request. By typ, iss and aud it knows an access token for itself.',
    },
    'follow-feed': {
      title: 'Follow the feed',
      text: 'Introspection knows the token too. For revocations the API polls the feed. The answer says where to go on.',
    },
    'revoke-jwt': {
      title: 'Revoke it',
      text: 'The client revokes its token. Introspection says active: false at once. The next poll brings a signed event with the jti of the token.',
    },
    'remove-jwt-api': {
      title: 'Remove both',
      text: 'The operator removes the API and the client.',
    },
    'unsigned-jwt': {
      title: 'Set alg to none',
      text: 'An attacker takes the signature away and says so in the header.',
      meaning: 'The token is inactive: there is no algorithm called none here.',
    },
    'changed-jwt': {
      title: 'Change a claim',
      text: 'An attacker adds a year to exp and keeps the signature.',
      meaning: 'The signature fits the old claims only, so the token is inactive.',
    },
    'jwt-elsewhere': {
      title: 'Use it at another API',
      text: 'The token is genuine, and is shown to the API of the photos.',
      meaning: 'Its audience is the reports. It allows nothing here.',
    },
  },
  {
    'add-jwt-api': {
      title: '由运营者添加 API 和客户端',
      text: '通过管理 API。access_token_format 为 jwt，所以 API 可以自己读取令牌。它的服务器是 Nightly Report。',
    },
    'jwt-token': {
      title: '获取令牌',
      text: '客户端为自己获取令牌。对客户端来说，它与别的令牌一样不透明。',
    },
    'check-jwt': {
      title: '像 API 那样读取它',
      text: 'API 取一次公钥，之后每个请求都不必再询问。typ、iss 和 aud 告诉它这是给本 API 的访问令牌。',
    },
    'follow-feed': {
      title: '跟踪撤销消息',
      text: '内省也认识这个令牌。API 通过查询消息得知撤销，回答会指明从哪里继续。',
    },
    'revoke-jwt': {
      title: '撤销它',
      text: '客户端撤销令牌。内省立刻回答 active: false，下一次查询带来签名的事件，其中有令牌的 jti。',
    },
    'remove-jwt-api': {
      title: '移除两者',
      text: '运营者移除 API 和客户端。',
    },
    'unsigned-jwt': {
      title: '把 alg 设为 none',
      text: '攻击者去掉签名，并在头部如此声明。',
      meaning: '令牌无效：这里没有名为 none 的算法。',
    },
    'changed-jwt': {
      title: '改动一个声明',
      text: '攻击者把 exp 延长一年，签名保持不变。',
      meaning: '签名只适合原来的声明，所以令牌无效。',
    },
    'jwt-elsewhere': {
      title: '用在另一个 API',
      text: '令牌是真的，被出示给照片 API。',
      meaning: '它的受众是报告 API，在这里什么也不允许。',
    },
  },
)
