/** Words of the playground: what each flow is. */
import { defineWords } from '../../pages/catalog.ts'

export const flowWords = defineWords(
  {
    code: {
      title: 'Authorization code',
      text: 'A web application with a secret asks for access, the owner decides, and the application exchanges a code for tokens.',
    },
    pkce: {
      title: 'Authorization code with PKCE',
      text: 'The same for an application that cannot keep a secret: in a browser, on a telephone, on a desktop.',
    },
    implicit: {
      title: 'Implicit',
      text: 'The token comes through the browser at once. Kept for old applications; new ones use PKCE.',
    },
    password: {
      title: 'Password',
      text: 'The owner’s password, traded for tokens. For the operator’s own, trusted applications alone.',
    },
    'client-credentials': {
      title: 'Client credentials',
      text: 'A service acts for itself: no owner, no browser, no refresh token.',
    },
    refresh: {
      title: 'Refresh with rotation',
      text: 'A new pair of tokens for the old refresh token, a lost answer asked for again, and a thief found out.',
    },
    extension: {
      title: 'Extension grant',
      text: 'A grant type of your own, in one file.',
    },
    api: {
      title: 'Read and write',
      text: 'The resource server with its three ways to send a token, and versions that keep changes apart.',
    },
    introspection: {
      title: 'Introspection',
      text: 'What may this token do right now? Who may ask?',
    },
    revocation: {
      title: 'Revocation',
      text: 'A client gives its tokens back, and they are over on the next request.',
    },
    expiry: {
      title: 'Expiry',
      text: 'A token that lives for three seconds, before and after.',
    },
    pause: {
      title: 'Pause and resume',
      text: 'An application that can do nothing for a while and loses nothing.',
    },
    audience: {
      title: 'APIs elsewhere',
      text: 'One approval for two APIs on hosts of their own, and a token for each that the other cannot use.',
    },
    'forward-auth': {
      title: 'Forward auth',
      text: 'A proxy asks about each request before it lets it through to an API.',
    },
    registration: {
      title: 'Dynamic registration',
      text: 'A client introduces itself, changes what it said, and leaves.',
    },
    'open-registration': {
      title: 'Open registration',
      text: 'An editor on a desktop registers itself as a stranger, with a scheme of its own, and asks an owner.',
    },
    document: {
      title: 'Client ID metadata document',
      text: 'A client without any registration: its client_id is the URL of a document about it.',
    },
    metadata: {
      title: 'Metadata',
      text: 'From the bare address of a resource to everything a client has to know.',
    },
    login: {
      title: 'Log in with OpenID Connect',
      text: 'An application learns who its user is: an ID token, read and checked, and claims that the owner allows.',
    },
    hybrid: {
      title: 'Hybrid, and a form',
      text: 'An ID token comes at once, beside the code or in a form, and proves what came with it.',
    },
    claims: {
      title: 'Claims, one by one',
      text: 'An application asks for a telephone number by name. The owner unticks it, and nobody learns it.',
    },
    'step-up': {
      title: 'Step up',
      text: 'A login as fresh and as strong as the application needs, or an error that says why not.',
    },
    logout: {
      title: 'Log out',
      text: 'An application logs its user out everywhere, and hears of a logout by a signed token.',
    },
    jwt: {
      title: 'JWT access token',
      text: 'An API reads the token by itself, and hears at once that it was revoked.',
    },
    pairwise: {
      title: 'Pairwise subjects',
      text: 'Two applications know the same owner by two names, and cannot compare them.',
    },
    'signed-request': {
      title: 'Signed request',
      text: 'The application signs its request, so nobody can change it on the way.',
    },
  },
  {
    code: {
      title: '授权码',
      text: '有密钥的网站应用请求访问，所有者决定，应用再用授权码换取令牌。',
    },
    pkce: {
      title: '授权码加 PKCE',
      text: '同样的流程，用于无法保守密钥的应用：浏览器、手机或桌面应用。',
    },
    implicit: {
      title: '隐式授权',
      text: '令牌直接经由浏览器到达。为旧应用保留；新应用请用 PKCE。',
    },
    password: {
      title: '密码',
      text: '用所有者的密码换取令牌。仅限运营者自己的可信应用。',
    },
    'client-credentials': {
      title: '客户端凭据',
      text: '服务代表自己行事：没有所有者，没有浏览器，没有刷新令牌。',
    },
    refresh: {
      title: '刷新与轮换',
      text: '用旧的刷新令牌换一对新令牌，找回丢失的回答，并识破窃贼。',
    },
    extension: {
      title: '扩展授权',
      text: '您自己的授权类型，只需一个文件。',
    },
    api: {
      title: '读取与写入',
      text: '资源服务器，发送令牌的三种方式，以及互不覆盖的版本。',
    },
    introspection: {
      title: '内省',
      text: '这个令牌此刻有什么效力？谁可以知道？',
    },
    revocation: {
      title: '撤销',
      text: '客户端交还令牌，下一次请求即告失效。',
    },
    expiry: {
      title: '过期',
      text: '只有三秒有效期的令牌，过期之前与之后。',
    },
    pause: {
      title: '暂停与恢复',
      text: '应用暂时什么也做不了，但什么也不会失去。',
    },
    audience: {
      title: '别处的 API',
      text: '一次允许两个位于别处的 API，每个 API 得到各自的令牌，对方无法使用。',
    },
    'forward-auth': {
      title: '转发认证',
      text: '代理在放行每个请求之前先来询问。',
    },
    registration: {
      title: '动态注册',
      text: '客户端自我介绍、修改说明，然后离开。',
    },
    'open-registration': {
      title: '开放注册',
      text: '桌面编辑器以陌生人的身份自行注册，使用自己的协议，然后向所有者提出请求。',
    },
    document: {
      title: '客户端说明文档',
      text: '无需注册的客户端：它的 client_id 就是一份关于它的文档的 URL。',
    },
    metadata: {
      title: '元数据',
      text: '从一个资源的地址出发，得知客户端需要知道的一切。',
    },
    login: {
      title: '用 OpenID Connect 登录',
      text: '应用得知用户是谁：读取并核对 ID 令牌，取得所有者允许的声明。',
    },
    hybrid: {
      title: '混合流程与表单',
      text: 'ID 令牌立刻到达，与授权码一起或在表单中，并证明同来的内容。',
    },
    claims: {
      title: '逐个请求声明',
      text: '应用逐个请求电话号码。所有者取消勾选，就没有人得知。',
    },
    'step-up': {
      title: '更强的登录',
      text: '足够新、足够强的登录，或者说明原因的错误。',
    },
    logout: {
      title: '退出登录',
      text: '应用让用户在各处退出，并通过签名的令牌得知退出。',
    },
    jwt: {
      title: 'JWT 访问令牌',
      text: 'API 自己读取令牌，并立刻得知它被撤销。',
    },
    pairwise: {
      title: '成对的主体标识',
      text: '两个应用以两个名字认识同一位所有者，无法相互比对。',
    },
    'signed-request': {
      title: '签名的请求',
      text: '应用给请求签名，途中没有人能改动它。',
    },
  },
)

export type FlowName = keyof (typeof flowWords)['en']
