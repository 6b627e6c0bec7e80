/** Words of the playground: logouts. */
import { defineWords } from '../../pages/catalog.ts'

export const logoutWords = defineWords(
  {
    'register-logout': {
      title: 'Let the operator add a client',
      text: 'By the admin API. The registration names an address for the browser after a logout, and one for messages about logouts. Here that is a sample receiver of the demo.',
    },
    'ask-openid': {
      title: 'Send the owner to log in',
      text: 'The client asks for nothing but the login. Log in as alice, password wonderland.',
    },
    'log-out': {
      title: 'Send the owner to log out',
      text: 'The ID token proves that the request is about the session of this browser, so no page asks. After this you are logged out here.',
    },
    'arrive-logged-out': {
      title: 'Come back logged out',
      text: 'The browser comes to the registered address, with the state of the client. There is no code and no iss.',
    },
    'logout-token': {
      title: 'Read the logout token',
      text: 'The service has posted a signed token to every client of the session. The client ends its own session with this sid. If there is no token yet, send it again.',
    },
    'logout-by-link': {
      title: 'Log somebody out by a link',
      text: 'Any page can make a browser go to the logout, here without an ID token.',
      meaning:
        'A page asks whoever is logged in. A link alone logs nobody out, and nothing is sent anywhere.',
    },
    'foreign-return': {
      title: 'Send the browser elsewhere',
      text: 'An attacker names an address that the client did not register.',
      meaning:
        'The addresses after a logout are compared like redirect URIs. The refusal is a page, and nobody is logged out.',
    },
    'logout-token-as-login': {
      title: 'Use the logout token as an ID token',
      text: 'Both are signed by the same key, for the same client, about the same owner.',
      meaning: 'The header says which kind of JWT it is. A logout token never logs anybody in.',
    },
    'forged-logout-token': {
      title: 'Forge a logout token',
      text: 'An attacker posts a token without a signature to the receiver, to log people out.',
      meaning: 'The receiver checks the signature first, and believes nothing before.',
    },
  },
  {
    'register-logout': {
      title: '由运营者添加客户端',
      text: '通过管理 API。注册指明退出登录后浏览器去往的地址，以及接收退出消息的地址；这里后者是演示中的示例接收者。',
    },
    'ask-openid': {
      title: '请所有者登录',
      text: '客户端只请求登录。请以 alice（密码 wonderland）登录。',
    },
    'log-out': {
      title: '请所有者退出登录',
      text: 'ID 令牌证明请求针对的正是这个浏览器的会话，所以没有页面询问。此后您在这里已退出登录。',
    },
    'arrive-logged-out': {
      title: '退出后返回',
      text: '浏览器带着客户端的 state 来到注册的地址。没有授权码，也没有 iss。',
    },
    'logout-token': {
      title: '读取退出令牌',
      text: '服务把签名的令牌发送给该会话的每个客户端，客户端据此结束具有这个 sid 的会话。如果还没有令牌，请再次发送。',
    },
    'logout-by-link': {
      title: '用链接让别人退出',
      text: '任何页面都能让浏览器去往退出地址，这里没有 ID 令牌。',
      meaning: '页面会询问已登录的人。单凭链接不能让任何人退出，也不会向任何地方发送消息。',
    },
    'foreign-return': {
      title: '把浏览器送往别处',
      text: '攻击者指明一个客户端没有注册过的地址。',
      meaning: '退出后的地址像重定向 URI 一样比较。拒绝只显示在页面上，没有人退出登录。',
    },
    'logout-token-as-login': {
      title: '把退出令牌当作 ID 令牌',
      text: '两者由同一密钥签名，给同一客户端，关于同一所有者。',
      meaning: '头部说明这是哪一种 JWT。退出令牌绝不能让任何人登录。',
    },
    'forged-logout-token': {
      title: '伪造退出令牌',
      text: '攻击者向接收者提交没有签名的令牌，想让别人退出登录。',
      meaning: '接收者先核对签名，在此之前什么也不相信。',
    },
  },
)
