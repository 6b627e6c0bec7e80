/** Words of the playground: single claims, stronger logins, pairwise subjects, and signed requests. */
import { defineWords } from '../../pages/catalog.ts'

export const moreLoginWords = defineWords(
  {
    'register-claims': {
      title: 'Let the operator add a client',
      text: 'By the admin API. It is a new one each time, so you are asked each time.',
    },
    'ask-claims': {
      title: 'Ask for two claims',
      text: 'The claims parameter names a telephone number for userinfo, and an e-mail address for the ID token. The consent page has a row for each. Untick the telephone number.',
    },
    'told-claims': {
      title: 'Ask for the claims',
      text: 'Without your tick there is no telephone number here. The rest of that row is missing in any case, because nobody asked for it.',
    },
    'claims-inside': {
      title: 'Read the ID token',
      text: 'The e-mail address is inside, if you allowed it. Essential is a wish and no order: the owner may untick it too.',
    },
    'broken-claims': {
      title: 'Send no JSON',
      text: 'The claims parameter is a bare word.',
      meaning: 'The client hears invalid_request. Nothing is guessed.',
    },
    'wider-claims': {
      title: 'Ask for more at a refresh',
      text: 'The client refreshes with the word address in the scope. The owner did not allow it.',
      meaning: 'A refresh never reaches further than the approval. The refresh token still works.',
    },
    'ask-fresh': {
      title: 'Ask for a fresh and strong login',
      text: 'By max_age=0, the owner types the password again, logged in or not. By acr_values=2, a second factor is asked for where the owner has one. Log in as alice, password wonderland.',
    },
    'check-strength': {
      title: 'See how strong it was',
      text: 'auth_time is the new login. alice has no second factor, so acr is 1. The client decides whether that is enough.',
    },
    'ask-strong': {
      title: 'Insist on a second factor',
      text: 'The claims parameter calls the acr essential. The service must not answer with less.',
    },
    'arrive-unmet': {
      title: 'Come back with an error',
      text: 'alice cannot reach it, so the client hears unmet_authentication_requirements.',
    },
    'ask-silently': {
      title: 'Ask without a page',
      text: 'By prompt=none, nobody is asked anything. Gallery has no secret, and any program on this device might answer at its address.',
    },
    'arrive-silent': {
      title: 'Come back with another error',
      text: 'The owner has to be asked each time, so the answer is interaction_required.',
    },
    'silent-stranger': {
      title: 'Ask silently without a login',
      text: 'The same for Photo Printer, in a browser that is not logged in.',
      meaning: 'The client hears login_required. No page is shown.',
    },
    'silent-and-loud': {
      title: 'Ask for a page and for none',
      text: 'The prompt is none and login at once.',
      meaning: 'That is a contradiction, so the request is refused.',
    },
    'register-pairwise': {
      title: 'Let the operator add two clients',
      text: 'By the admin API. Both are to get subjects of their own.',
    },
    'ask-first': {
      title: 'Log in at the first',
      text: 'Log in as alice, password wonderland.',
    },
    'ask-second': {
      title: 'Log in at the second',
      text: 'The same owner, in the same browser.',
    },
    'arrive-second': {
      title: 'Come back to the second',
      text: 'The code is for the second client.',
    },
    'exchange-second': {
      title: 'Exchange the second code',
      text: 'The second client gets its tokens.',
    },
    'two-subjects': {
      title: 'Compare the subjects',
      text: 'Each client asks userinfo. The sub is another one for each, and stays the same at the next login.',
    },
    'many-hosts': {
      title: 'Register for several hosts',
      text: 'A client has redirect URIs on two hosts, so it is unclear whom it belongs to.',
      meaning:
        'Without a sector_identifier_uri that lists both, the registration is refused. No client can join the sector of another.',
    },
    'register-signer': {
      title: 'Let the operator add a client',
      text: 'By the admin API. The registration has the public key of the client, and every request has to be signed with it. Then the client signs one.',
    },
    'ask-signed': {
      title: 'Send the signed request',
      text: 'The whole request is one JWT. Parameters outside would count for nothing.',
    },
    'unsigned-request': {
      title: 'Set alg to none',
      text: 'An attacker takes the signature away. Try it before coming back.',
      meaning: 'An object without a signature is refused, whatever it asks for.',
    },
    'changed-request': {
      title: 'Change the object',
      text: 'An attacker makes it last a year longer. Try it before coming back.',
      meaning: 'The signature does not fit any more, so the request is refused.',
    },
    'plain-request': {
      title: 'Ask without an object',
      text: 'An attacker sends the same parameters without a signature.',
      meaning: 'The client registered that all of its requests are signed. This one is not.',
    },
  },
  {
    'register-claims': {
      title: '由运营者添加客户端',
      text: '通过管理 API。每次都是新的，所以每次都会询问您。',
    },
    'ask-claims': {
      title: '请求两个声明',
      text: 'claims 参数指明在 userinfo 中要电话号码，在 ID 令牌中要电子邮件地址。授权页各有一行。请取消勾选电话号码。',
    },
    'told-claims': {
      title: '查询声明',
      text: '没有您的勾选，这里就没有电话号码。同一行的其他内容也不会有，因为没有人请求。',
    },
    'claims-inside': {
      title: '读取 ID 令牌',
      text: '如果您允许，其中有电子邮件地址。essential 只是愿望，不是命令：所有者也可以取消勾选。',
    },
    'broken-claims': {
      title: '不发送 JSON',
      text: 'claims 参数只是一个词。',
      meaning: '客户端得到 invalid_request。服务不作任何猜测。',
    },
    'wider-claims': {
      title: '刷新时要求更多',
      text: '客户端刷新时在 scope 中加上 address，而所有者没有允许。',
      meaning: '刷新不能超出所允许的范围。刷新令牌仍然有效。',
    },
    'ask-fresh': {
      title: '要求新的、强的登录',
      text: 'max_age=0 要求所有者再次输入密码，无论是否已登录。acr_values=2 在所有者有第二因素时要求使用它。请以 alice（密码 wonderland）登录。',
    },
    'check-strength': {
      title: '看看登录有多强',
      text: 'auth_time 是这次新的登录。alice 没有第二因素，所以 acr 为 1。由客户端决定是否足够。',
    },
    'ask-strong': {
      title: '坚持要求第二因素',
      text: 'claims 参数把 acr 标为 essential，服务不得以更弱的登录回答。',
    },
    'arrive-unmet': {
      title: '带着错误返回',
      text: 'alice 达不到，所以客户端得到 unmet_authentication_requirements。',
    },
    'ask-silently': {
      title: '不显示页面的请求',
      text: 'prompt=none 表示什么也不问。Gallery 没有密钥，这台设备上的任何程序都可能在它的地址应答。',
    },
    'arrive-silent': {
      title: '带着另一个错误返回',
      text: '每次都必须询问所有者，所以回答是 interaction_required。',
    },
    'silent-stranger': {
      title: '未登录时不显示页面',
      text: 'Photo Printer 在未登录的浏览器里发出同样的请求。',
      meaning: '客户端得到 login_required，不显示任何页面。',
    },
    'silent-and-loud': {
      title: '既要页面又不要页面',
      text: 'prompt 同时是 none 和 login。',
      meaning: '这自相矛盾，所以请求被拒绝。',
    },
    'register-pairwise': {
      title: '由运营者添加两个客户端',
      text: '通过管理 API。两者都将得到各自的主体标识。',
    },
    'ask-first': {
      title: '在第一个登录',
      text: '请以 alice（密码 wonderland）登录。',
    },
    'ask-second': {
      title: '在第二个登录',
      text: '同一位所有者，同一个浏览器。',
    },
    'arrive-second': {
      title: '返回第二个',
      text: '授权码是给第二个客户端的。',
    },
    'exchange-second': {
      title: '兑换第二个授权码',
      text: '第二个客户端得到它的令牌。',
    },
    'two-subjects': {
      title: '比较主体标识',
      text: '两个客户端各自查询 userinfo。sub 各不相同，下次登录时保持不变。',
    },
    'many-hosts': {
      title: '为多个主机注册',
      text: '一个客户端的重定向 URI 在两个主机上，不清楚它属于谁。',
      meaning: '没有列出两者的 sector_identifier_uri，注册就被拒绝。没有客户端能加入别人的范围。',
    },
    'register-signer': {
      title: '由运营者添加客户端',
      text: '通过管理 API。注册中有客户端的公钥，每个请求都必须用它签名。随后客户端签署一个请求。',
    },
    'ask-signed': {
      title: '发送签名的请求',
      text: '整个请求就是一个 JWT，外面的参数不起作用。',
    },
    'unsigned-request': {
      title: '把 alg 设为 none',
      text: '攻击者去掉签名。请在返回之前尝试。',
      meaning: '没有签名的对象一律被拒绝，无论它请求什么。',
    },
    'changed-request': {
      title: '改动对象',
      text: '攻击者让它多有效一年。请在返回之前尝试。',
      meaning: '签名不再相符，所以请求被拒绝。',
    },
    'plain-request': {
      title: '不用对象请求',
      text: '攻击者不带签名发送同样的参数。',
      meaning: '客户端注册过它的所有请求都有签名，而这个没有。',
    },
  },
)
