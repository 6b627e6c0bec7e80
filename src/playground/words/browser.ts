/** Words of the playground: the steps that go through the owner's browser. */
import { defineWords } from '../../pages/catalog.ts'

export const browserWords = defineWords(
  {
    ask: {
      title: 'Ask the owner',
      text: 'The client sends the browser to the authorization server with its wishes. Log in as alice, password wonderland, and untick the permissions that it should not get. Earlier permissions are not asked again.',
    },
    arrive: {
      title: 'Come back with a code',
      text: 'The authorization server sends the browser to the redirect URI. The client compares state with the one it gave out, and iss with the server it asked, before it believes the rest.',
    },
    exchange: {
      title: 'Exchange the code',
      text: 'The client posts the code, its own secret and the same redirect URI to the token endpoint. The browser never sees this. A code lives for one minute and works once.',
    },
    read: {
      title: 'Read the photos',
      text: 'The client shows the access token to the resource server. Each request looks at the authorization anew, so what the owner takes back on the account page is gone on the next request.',
    },
    'forged-state': {
      title: 'Forge the state',
      text: 'An attacker sends your browser to the redirect URI with the attacker’s code. The client would then use the attacker’s things under your name.',
      meaning:
        'The state is not this client’s, so the client stops here. It throws the code away and never asks the token endpoint. That is the client’s part (RFC 6749 section 10.12).',
    },
    'changed-redirect': {
      title: 'Change one character of the redirect URI',
      text: 'An attacker asks to be answered at an address that is almost the registered one.',
      meaning:
        'The address is compared character by character. The refusal is shown on a page and never sent there: otherwise this service would send people anywhere. In the demo the page marks the characters that differ.',
    },
    'other-redirect': {
      title: 'Redeem at another redirect URI',
      text: 'A thief of the code names another redirect URI than the first request. Try it between coming back and exchanging the code.',
      meaning:
        'The code states where it was sent. It is not used up by this: whoever is in the right may still exchange it within its minute.',
    },
    replay: {
      title: 'Replay the code',
      text: 'Somebody found the code in a log and redeems it a second time.',
      meaning:
        'One of the two is a thief and nobody knows which, so all tokens of the code have ended. Introspection says active: false, and the resource server refuses the token. The owner’s authorization itself stays.',
    },
    'ask-with-challenge': {
      title: 'Ask with a challenge',
      text: 'A browser application has no secret. So it makes one up for this request alone, the verifier, and sends only its SHA-256: the challenge.',
    },
    'exchange-with-verifier': {
      title: 'Exchange code and verifier',
      text: 'Now the client shows the verifier. Its SHA-256 is the challenge of the beginning, so both requests come from the same client. A code lives for one minute.',
    },
    'wrong-verifier': {
      title: 'Guess the verifier',
      text: 'A thief has the code but not the verifier. Try it between coming back and exchanging the code.',
      meaning:
        'The wrong verifier is refused and uses the code up: there is one guess, not many. So the right verifier comes too late as well.',
    },
    'no-challenge': {
      title: 'Leave PKCE out',
      text: 'An attacker removes the challenge from the request, hoping that the code is then given to anybody.',
      meaning:
        'A client without a secret has to send a challenge. The refusal goes back to the client’s own redirect URI, with its state; no owner is asked.',
    },
    'ask-token': {
      title: 'Ask for a token at once',
      text: 'The implicit grant answers with the access token itself, without an exchange. New applications use the code with PKCE instead: a token in an address is easily seen by others.',
    },
    'arrive-fragment': {
      title: 'Come back with a fragment',
      text: 'The token is behind the # of the address, and browsers send that part to no server. Only a script on the client’s page can read it. Without scripts, paste the whole address of your browser here.',
    },
    'token-not-registered': {
      title: 'Ask for it as another client',
      text: 'An attacker changes response_type=code to token for Photo Printer, so that the token comes through the address.',
      meaning:
        'A client gets only the response types it registered. Photo Printer is told so at its own redirect URI; no owner is asked.',
    },
  },
  {
    ask: {
      title: '向所有者提出请求',
      text: '客户端把浏览器送到授权服务器，说明它想要什么。请以 alice（密码 wonderland）登录，并选择允许的内容；取消勾选的权限它不会得到。以前允许过的，不会再问。',
    },
    arrive: {
      title: '带着授权码返回',
      text: '授权服务器把浏览器送到重定向 URI。客户端先核对 state 是否是自己发出的、iss 是否是自己询问的服务器，然后才相信其余内容。',
    },
    exchange: {
      title: '兑换授权码',
      text: '客户端把授权码、自己的密钥和同一个重定向 URI 发送到令牌端点，浏览器看不到这一步。授权码有效期一分钟，只能用一次。',
    },
    read: {
      title: '读取照片',
      text: '客户端向资源服务器出示访问令牌。每次请求都会重新查看授权，因此所有者在账户页收回的权限，下一次请求就失效。',
    },
    'forged-state': {
      title: '伪造 state',
      text: '攻击者带着自己的授权码把您的浏览器送到重定向 URI，想让客户端以您的名义操作攻击者的内容。',
      meaning:
        'state 不是这个客户端发出的，所以客户端到此为止：丢弃授权码，根本不会询问令牌端点。这是客户端的职责（RFC 6749 第 10.12 节）。',
    },
    'changed-redirect': {
      title: '把重定向 URI 改一个字符',
      text: '攻击者要求把结果送到一个与注册地址几乎相同的地址。',
      meaning:
        '地址逐字符比较。拒绝只显示在页面上，绝不发送到那个地址，否则本服务就会把人送到任何地方。演示中，页面会标出不同的字符。',
    },
    'other-redirect': {
      title: '用另一个重定向 URI 兑换',
      text: '有人拿到了授权码，却说出了另一个重定向 URI。请在返回之后、兑换之前尝试。',
      meaning: '授权码记载着它被送往哪里。这次失败不会消耗它：真正的客户端在一分钟内仍可兑换。',
    },
    replay: {
      title: '重放授权码',
      text: '有人在日志里发现了授权码，第二次拿来兑换。',
      meaning:
        '两者之中有一个是窃贼，但无从分辨，所以这个授权码换来的一切都已终止：内省回答 active: false，资源服务器拒绝该令牌。所有者的授权本身保留。',
    },
    'ask-with-challenge': {
      title: '带着质询提出请求',
      text: '浏览器应用没有密钥，所以它为这次请求临时造一个秘密（verifier），只发送它的 SHA-256，即 challenge。',
    },
    'exchange-with-verifier': {
      title: '兑换授权码和 verifier',
      text: '现在客户端出示 verifier。它的 SHA-256 就是开始时的 challenge，所以现在来的人就是当初来的人。授权码有效期一分钟。',
    },
    'wrong-verifier': {
      title: '猜测 verifier',
      text: '窃贼有授权码，但没有 verifier。请在返回之后、兑换之前尝试。',
      meaning:
        '错误的 verifier 被拒绝，并且授权码随之作废：只有一次机会。因此随后正确的 verifier 也来迟了。',
    },
    'no-challenge': {
      title: '去掉 PKCE',
      text: '攻击者从请求中去掉 challenge，希望授权码因此谁都能用。',
      meaning:
        '没有密钥的客户端必须发送 challenge。拒绝带着 state 回到客户端自己的重定向 URI，不会询问所有者。',
    },
    'ask-token': {
      title: '直接请求令牌',
      text: '隐式授权直接返回访问令牌，没有兑换这一步。新应用应改用授权码加 PKCE：地址里的令牌很容易被别人看到。',
    },
    'arrive-fragment': {
      title: '带着片段返回',
      text: '令牌在地址的 # 之后，浏览器不会把这部分发送给任何服务器，只有客户端页面上的脚本能读到。没有脚本时，请把浏览器里的完整地址粘贴到这里。',
    },
    'token-not-registered': {
      title: '冒充另一个客户端请求',
      text: '攻击者把 Photo Printer 的 response_type=code 改成 token，想让令牌经由地址送出。',
      meaning:
        '客户端只能得到它注册过的响应类型。拒绝送回 Photo Printer 自己的重定向 URI，不会询问所有者。',
    },
  },
)
