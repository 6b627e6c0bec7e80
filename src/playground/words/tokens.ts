/** Words of the playground: introspection, revocation, and tokens that run out. */
import { defineWords } from '../../pages/catalog.ts'

export const tokenWords = defineWords(
  {
    introspect: {
      title: 'Ask about the access token',
      text: 'Tokens are opaque, so an API asks the server about each one. The answer holds for this moment.',
    },
    revoke: {
      title: 'Revoke the refresh token',
      text: 'The client has no more use for its tokens, for instance because its user logged out. Revoking the refresh token ends the whole family, access tokens included.',
    },
    'after-revocation': {
      title: 'See that it is over',
      text: 'Introspection says active: false, and the resource server refuses the access token on the next request. Nothing has to expire first.',
    },
    'foreign-revocation': {
      title: 'Revoke a token of another client',
      text: 'Nightly Report found House App’s access token and tries to end it.',
      meaning:
        'Only the client to which a token was issued may revoke it. The token is still active, as its own client sees.',
    },
    'unknown-revocation': {
      title: 'Revoke a token that does not exist',
      text: 'Somebody tries out which tokens there are.',
      meaning:
        'The answer is the same as for a token that was revoked, so it tells nothing. For the client the goal is reached: the token does not work.',
    },
    'introspect-refresh': {
      title: 'Ask about the refresh token',
      text: 'A refresh token is told about to its own client only; a resource server has no use for it.',
    },
    'introspect-unknown': {
      title: 'Ask about a token that does not exist',
      text: 'Unknown, expired, revoked and not yours all look the same: active: false and nothing more.',
    },
    'foreign-introspection': {
      title: 'Ask about a token of another client',
      text: 'Nightly Report found House App’s access token and would like to know whose it is.',
      meaning:
        'It learns nothing: active: false, as for a token that does not exist. Resource servers are allowed to ask about all tokens by the operator.',
    },
    'public-introspection': {
      title: 'Ask without a secret',
      text: 'Gallery is a public client: anybody can say that they are Gallery.',
      meaning: 'Only an authenticated client may ask, so nobody can try out tokens here.',
    },
    'short-client': {
      title: 'Let the operator make a client',
      text: 'By the admin API: a client whose access tokens live for three seconds. First the operator’s own token, then the client.',
    },
    'short-token': {
      title: 'Get a token and use it at once',
      text: 'Three seconds are enough for this.',
    },
    expired: {
      title: 'Use it three seconds later',
      text: 'Count to three, then send. The token is refused, and it is told why: a client now gets itself a new one.',
    },
  },
  {
    introspect: {
      title: '查询访问令牌',
      text: '令牌是不透明的，拿到的人要向服务器询问它的效力。回答反映的是此刻的状态。',
    },
    revoke: {
      title: '撤销刷新令牌',
      text: '客户端不再需要令牌，例如用户已退出登录。撤销刷新令牌会终止整个家族，包括访问令牌。',
    },
    'after-revocation': {
      title: '确认已经结束',
      text: '内省回答 active: false，资源服务器拒绝访问令牌：下一次请求就生效，不必等任何东西过期。',
    },
    'foreign-revocation': {
      title: '撤销另一个客户端的令牌',
      text: 'Nightly Report 捡到了 House App 的访问令牌，想要终止它。',
      meaning: '只有获得令牌的客户端才能撤销它。令牌仍然有效，它自己的客户端可以看到。',
    },
    'unknown-revocation': {
      title: '撤销不存在的令牌',
      text: '有人在试探有哪些令牌。',
      meaning: '回答与撤销成功时相同，所以什么也没有透露。对客户端来说目的已达到：这个令牌不能用。',
    },
    'introspect-refresh': {
      title: '查询刷新令牌',
      text: '刷新令牌的情况只告诉它自己的客户端；资源服务器用不到它。',
    },
    'introspect-unknown': {
      title: '查询不存在的令牌',
      text: '未知、过期、已撤销、不属于您，看起来都一样：active: false，别无其他。',
    },
    'foreign-introspection': {
      title: '查询另一个客户端的令牌',
      text: 'Nightly Report 捡到了 House App 的访问令牌，想知道它属于谁。',
      meaning:
        '它什么也得不到：active: false，与不存在的令牌一样。资源服务器由运营者许可查询所有令牌。',
    },
    'public-introspection': {
      title: '没有密钥也来查询',
      text: 'Gallery 是公开客户端：任何人都可以自称 Gallery。',
      meaning: '只有能证明身份的客户端才可以查询，这样没有人能在这里试探令牌。',
    },
    'short-client': {
      title: '由运营者创建客户端',
      text: '通过管理 API 创建一个访问令牌只有三秒有效期的客户端。先取得运营者自己的令牌，再创建客户端。',
    },
    'short-token': {
      title: '获取令牌并立即使用',
      text: '三秒钟足够了。',
    },
    expired: {
      title: '三秒后再使用',
      text: '数到三再发送。令牌被拒绝，并说明原因：客户端现在应获取新的令牌。',
    },
  },
)
