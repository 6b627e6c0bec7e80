/** Words of the playground: clients that bring themselves. */
import { defineWords } from '../../pages/catalog.ts'

export const strangerWords = defineWords(
  {
    'read-document': {
      title: 'Publish a document',
      text: 'The client is not registered anywhere. It publishes a document about itself, and the URL of the document is its client_id. The demo serves this one itself; elsewhere the URL has to be https.',
    },
    'ask-by-document': {
      title: 'Ask with the URL as client_id',
      text: 'The authorization server fetches the document. Log in as alice, password wonderland. The consent page shows the host of the client, and when the service first saw it.',
    },
    'exchange-by-document': {
      title: 'Exchange the code',
      text: 'The client has no secret, so it shows the verifier. The document is not fetched again: the token endpoint uses the stored copy.',
    },
    'borrowed-document': {
      title: 'Publish a copy of another document',
      text: 'An attacker copies the document of Travelling Agent to another URL.',
      meaning:
        'The client_id in a document has to be its own URL, character by character. So nobody can publish the document of somebody else as their own.',
    },
    'no-redirects': {
      title: 'Leave out the redirect URIs',
      text: 'The document does not say where answers may be sent.',
      meaning:
        'Without redirect_uris any address would do. The refusal is shown on a page, and nothing is sent to the redirect URI of the request.',
    },
    'page-for-document': {
      title: 'Answer with a page',
      text: 'The host of the document answers programs with a page, for instance to keep robots out.',
      meaning:
        'A page is no document. The client is not stored, so the next request fetches the document anew.',
    },
    'secret-in-document': {
      title: 'Put a secret into the document',
      text: 'The document has a client_secret, for everyone to read.',
      meaning:
        'A document is public, so a secret in it proves nothing. The service refuses it before a developer relies on it.',
    },
    'register-native': {
      title: 'Register as a stranger',
      text: 'An application on a desktop registers itself without any token. Its redirect URIs have schemes of its own. Compare the answer with the request: what the service does not know is dropped.',
    },
    'ask-native': {
      title: 'Ask the owner',
      text: 'Log in as alice, password wonderland. The consent page says that this client registered itself, and suggests one month. The answer comes to the loopback address, which this browser can follow.',
    },
    'exchange-native': {
      title: 'Exchange code and verifier',
      text: 'A client on a desktop cannot keep a secret, so it has none. The verifier proves that both requests come from the same client.',
    },
    'one-bad-redirect': {
      title: 'Register one bad redirect URI among good ones',
      text: 'The second redirect URI is plain http on another machine. Anybody on the way could read the code.',
      meaning:
        'The whole registration is refused, and the description names the bad URI. Nothing is left out in silence.',
    },
    'wildcard-redirect': {
      title: 'Register a wildcard',
      text: 'The redirect URI is to match every host below a domain.',
      meaning: 'Redirect URIs are compared as text, so a pattern is refused at registration.',
    },
    'other-native-redirect': {
      title: 'Ask for another address of the same scheme',
      text: 'The scheme is registered, the rest of the address is not.',
      meaning:
        'The whole address counts, also behind a scheme of the application’s own. The refusal is shown on a page.',
    },
  },
  {
    'read-document': {
      title: '发布说明文档',
      text: '客户端没有在任何地方注册。它发布一份关于自己的文档，文档的 URL 就是它的 client_id。演示自己提供这份文档；在其他地方，URL 必须是 https。',
    },
    'ask-by-document': {
      title: '以 URL 作为 client_id 提出请求',
      text: '授权服务器取回文档。请以 alice（密码 wonderland）登录。授权页会显示客户端的主机，以及服务首次见到它的时间。',
    },
    'exchange-by-document': {
      title: '兑换授权码',
      text: '客户端没有密钥，所以出示 verifier。令牌端点使用保存的副本，不会再次取回文档。',
    },
    'borrowed-document': {
      title: '发布别人文档的副本',
      text: '攻击者把 Travelling Agent 的文档复制到另一个 URL。',
      meaning:
        '文档中的 client_id 必须逐字符等于它自己的 URL，所以没有人能把别人的文档当作自己的发布。',
    },
    'no-redirects': {
      title: '不写重定向 URI',
      text: '文档没有说明回答可以送往何处。',
      meaning:
        '没有 redirect_uris，任何地址都行得通。拒绝只显示在页面上，不会向请求中的重定向 URI 发送任何内容。',
    },
    'page-for-document': {
      title: '用网页代替文档',
      text: '文档所在的主机给程序返回一个网页，例如为了阻挡机器人。',
      meaning: '网页不是文档。客户端不会被保存，下一个请求会重新取回文档。',
    },
    'secret-in-document': {
      title: '在文档中写入密钥',
      text: '文档里有 client_secret，人人可读。',
      meaning: '文档是公开的，其中的密钥什么也证明不了。服务会在开发者依赖它之前拒绝。',
    },
    'register-native': {
      title: '以陌生人的身份注册',
      text: '桌面应用无需任何令牌就自行注册，重定向 URI 使用它自己的协议。请对照请求和回答：服务不认识的内容已被去掉。',
    },
    'ask-native': {
      title: '向所有者提出请求',
      text: '请以 alice（密码 wonderland）登录。授权页说明这个客户端是自行注册的，并建议期限为一个月。回答送往回环地址，这个浏览器可以跟随。',
    },
    'exchange-native': {
      title: '兑换授权码和 verifier',
      text: '桌面应用无法保守密钥，所以没有密钥。verifier 证明两个请求来自同一个客户端。',
    },
    'one-bad-redirect': {
      title: '在好的重定向 URI 中混入一个坏的',
      text: '第二个重定向 URI 是另一台机器上的普通 http，途中任何人都能读到授权码。',
      meaning: '整个注册被拒绝，说明中指出坏的 URI。不会悄悄去掉任何内容。',
    },
    'wildcard-redirect': {
      title: '注册通配符',
      text: '想让重定向 URI 匹配某个域名下的所有主机。',
      meaning: '重定向 URI 按文本比较，所以模式在注册时就被拒绝。',
    },
    'other-native-redirect': {
      title: '同一协议的另一个地址',
      text: '协议注册过，地址的其余部分没有。',
      meaning: '即使是应用自己的协议，也要比较整个地址。拒绝显示在页面上。',
    },
  },
)
