/** Words of the playground: people who log in to an application. */
import { defineWords } from '../../pages/catalog.ts'

export const loginWords = defineWords(
  {
    'ask-login': {
      title: 'Send the owner to log in',
      text: 'The word openid in the scope asks for a login, profile and email for claims. The nonce is a random word that comes back inside the ID token. Log in as alice, password wonderland.',
    },
    'exchange-login': {
      title: 'Exchange the code',
      text: 'The answer has an ID token beside the access token. It is a signed JWT about the login of the owner.',
    },
    'check-id-token': {
      title: 'Check the ID token',
      text: 'The client fetches the keys of the service. It checks the signature, and then the claims. By at_hash, the ID token belongs to the access token beside it.',
    },
    userinfo: {
      title: 'Ask for the claims',
      text: 'Userinfo tells what the owner allows at this moment. The client compares sub with the one of the ID token.',
    },
    'refresh-login': {
      title: 'Refresh',
      text: 'A refresh brings a new ID token about the same login. auth_time stays, and there is no nonce, because nobody has logged in.',
    },
    'other-nonce': {
      title: 'Bring it to another login',
      text: 'An attacker brings this ID token to a browser that has begun a login of its own. Its nonce is another one.',
      meaning:
        'The signature is good, and the nonce is of another request. The client throws the ID token away. This check is its own duty.',
    },
    'no-nonce': {
      title: 'Bring one without nonce',
      text: 'The attacker has the ID token of a refresh, and offers it as the answer to a login.',
      meaning:
        'A client that sent a nonce believes no ID token without one. It is not the answer to its request.',
    },
    'id-token-for-access': {
      title: 'Use the ID token for access',
      text: 'The ID token is shown to userinfo and to the API of the photos.',
      meaning:
        'An ID token says who logged in, and allows nothing. Signature and issuer do not change that.',
    },
    'foreign-code': {
      title: 'Redeem the code as another client',
      text: 'Gallery has found the code of Photo Printer. Try it between coming back and exchanging the code.',
      meaning: 'A code is for the client that asked for it, so there is no ID token for another.',
    },
    'register-hybrid': {
      title: 'Let the operator add a client',
      text: 'By the admin API. The registration says which response types the client uses, and that its ID tokens are signed with ES256.',
    },
    'ask-hybrid': {
      title: 'Ask for a code and an ID token',
      text: 'The response type is code id_token. So the client knows at once who comes back, and still gets its tokens by the code.',
    },
    'arrive-hybrid': {
      title: 'Come back with both',
      text: 'Both are behind the # of the address, so no server sees them. Without scripts, paste the whole address of your browser here.',
    },
    'check-front': {
      title: 'Check the ID token before the code',
      text: 'c_hash is half of the hash of the code. So the client knows that nobody swapped the code on the way.',
    },
    'exchange-hybrid': {
      title: 'Exchange the code',
      text: 'The access token comes from the token endpoint and never passes through the browser. Userinfo answers it.',
    },
    'ask-form-post': {
      title: 'Ask for an ID token in a form',
      text: 'The response type is id_token alone, and form_post the way back. This is the implicit flow for clients with a server.',
    },
    'arrive-form': {
      title: 'Come back with a form',
      text: 'A page of the service makes the browser post the answer to the redirect URI. It stands in no address and in no history.',
    },
    'check-posted': {
      title: 'Check the ID token',
      text: 'There is no access token, so the claims of the scope are inside the ID token.',
    },
    'swapped-code': {
      title: 'Swap the code',
      text: 'An attacker puts a code of their own beside the ID token of alice.',
      meaning: 'The hash of that code is another one. The client stops before it redeems anything.',
    },
    'hybrid-without-nonce': {
      title: 'Leave the nonce out',
      text: 'An attacker hopes that the ID token can then be used again.',
      meaning:
        'An ID token that passes through the browser needs a nonce. The refusal goes back to the client.',
    },
    'type-not-registered': {
      title: 'Ask for a further token',
      text: 'The client asks for code id_token token. It registered only the other two.',
      meaning: 'A client gets the response types that it registered, and no others.',
    },
    'mode-query': {
      title: 'Ask for it in the query',
      text: 'An attacker asks for response_mode=query, because queries stay in logs.',
      meaning: 'No token ever goes to the query. The refusal itself comes in the fragment.',
    },
  },
  {
    'ask-login': {
      title: '请所有者登录',
      text: 'scope 中的 openid 请求登录，profile 和 email 请求声明。nonce 是一个随机词，会在 ID 令牌中返回。请以 alice（密码 wonderland）登录。',
    },
    'exchange-login': {
      title: '兑换授权码',
      text: '回答中除了访问令牌还有 ID 令牌：一个签名的 JWT，说明谁在何时以何种方式登录。',
    },
    'check-id-token': {
      title: '核对 ID 令牌',
      text: '客户端取得服务的公钥，先核对签名，再核对声明。at_hash 把 ID 令牌和同来的访问令牌连在一起。',
    },
    userinfo: {
      title: '查询声明',
      text: 'userinfo 告知所有者此刻允许的内容。客户端把 sub 与 ID 令牌中的相比较。',
    },
    'refresh-login': {
      title: '刷新',
      text: '刷新带来一个关于同一次登录的新 ID 令牌。auth_time 不变，也没有 nonce，因为没有人登录。',
    },
    'other-nonce': {
      title: '把它带到另一次登录',
      text: '攻击者把这个 ID 令牌带到另一个已经开始登录的浏览器，那里的 nonce 不同。',
      meaning: '签名没有问题，但 nonce 属于另一个请求。客户端丢弃这个 ID 令牌。这是客户端的职责。',
    },
    'no-nonce': {
      title: '带来一个没有 nonce 的',
      text: '攻击者拿到了刷新得来的 ID 令牌，把它当作登录的回答。',
      meaning: '发送过 nonce 的客户端不相信没有 nonce 的 ID 令牌：它不是对那次请求的回答。',
    },
    'id-token-for-access': {
      title: '用 ID 令牌访问',
      text: '向 userinfo 和照片 API 出示 ID 令牌。',
      meaning: 'ID 令牌只说明谁登录了，不允许任何事。签名和签发者都改变不了这一点。',
    },
    'foreign-code': {
      title: '以另一个客户端兑换',
      text: 'Gallery 得到了 Photo Printer 的授权码。请在返回之后、兑换之前尝试。',
      meaning: '授权码只属于提出请求的客户端，别的客户端得不到 ID 令牌。',
    },
    'register-hybrid': {
      title: '由运营者添加客户端',
      text: '通过管理 API。注册说明客户端使用哪些响应类型，以及它的 ID 令牌用 ES256 签名。',
    },
    'ask-hybrid': {
      title: '请求授权码和 ID 令牌',
      text: '响应类型是 code id_token。客户端立刻知道是谁回来了，而令牌仍然用授权码换取。',
    },
    'arrive-hybrid': {
      title: '带着两者返回',
      text: '两者都在地址的 # 之后，没有服务器看得到。没有脚本时，请把浏览器里的完整地址粘贴到这里。',
    },
    'check-front': {
      title: '先核对 ID 令牌',
      text: 'c_hash 是授权码哈希的一半。客户端由此知道途中没有人换掉授权码。',
    },
    'exchange-hybrid': {
      title: '兑换授权码',
      text: '访问令牌来自令牌端点，从不经过浏览器。userinfo 回答它。',
    },
    'ask-form-post': {
      title: '请求用表单送来 ID 令牌',
      text: '响应类型只是 id_token，以 form_post 返回。这是给有服务器的客户端用的隐式流程。',
    },
    'arrive-form': {
      title: '带着表单返回',
      text: '服务的页面让浏览器把回答提交到重定向 URI。它不在任何地址里，也不在历史记录里。',
    },
    'check-posted': {
      title: '核对 ID 令牌',
      text: '没有访问令牌，所以 scope 的声明就在 ID 令牌里。',
    },
    'swapped-code': {
      title: '换掉授权码',
      text: '攻击者把自己的授权码放在 alice 的 ID 令牌旁边。',
      meaning: '那个授权码的哈希不同。客户端在兑换之前就停下。',
    },
    'hybrid-without-nonce': {
      title: '去掉 nonce',
      text: '攻击者希望这样 ID 令牌就能再次使用。',
      meaning: '经过浏览器的 ID 令牌必须有 nonce。拒绝送回客户端。',
    },
    'type-not-registered': {
      title: '再多要一个令牌',
      text: '客户端请求 code id_token token，但它只注册了另外两种。',
      meaning: '客户端只能得到它注册过的响应类型。',
    },
    'mode-query': {
      title: '要求放在查询参数中',
      text: '攻击者要求 response_mode=query，因为查询参数会留在日志里。',
      meaning: '令牌绝不会进入查询参数。拒绝本身放在片段中。',
    },
  },
)
