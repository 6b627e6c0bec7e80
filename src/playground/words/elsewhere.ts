/** Words of the playground: APIs elsewhere and their audiences, and the question of a proxy. */
import { defineWords } from '../../pages/catalog.ts'

export const elsewhereWords = defineWords(
  {
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
  },
  {
    'add-apis': {
      title: '由运营者添加两个 API',
      text: '通过管理 API 添加 Orders 和 Tools，它们各有自己的主机。每个 API 的 uri 就是其令牌的受众，它的服务器只能查询这些令牌。',
    },
    'register-agent': {
      title: '注册客户端',
      text: '客户端自行注册，之后可以向所有者请求任何已有的 API。',
    },
    'ask-two': {
      title: '同时请求两个 API',
      text: '客户端用两个 resource 参数分别指明两个 API。请以 alice（密码 wonderland）登录。授权页会显示每个 API 所在的主机。',
    },
    'one-token-each': {
      title: '为每个 API 取得一个令牌',
      text: '令牌请求只指明已允许的其中一个 API，所以令牌只对它有效；刷新时再指明另一个。拿到第一个 API 的令牌，在第二个 API 毫无用处。',
    },
    'apis-ask': {
      title: '每个 API 查询自己的令牌',
      text: '内省回答双方，aud 指明令牌所针对的唯一 API。',
    },
    'remove-apis': {
      title: '移除两个 API',
      text: '运营者移除这两个 API，它们的权限随之结束：令牌立即失效。客户端也随之离开。',
    },
    'passed-on': {
      title: '转用令牌',
      text: 'Orders 的服务器把收到的令牌拿到 Tools 去用，Tools 向授权服务器查询它。',
      meaning: '令牌只针对 Orders，所以 Tools 得到 active: false。API 无法把访问者的令牌用在别处。',
    },
    'built-in-with-it': {
      title: '用它读取照片',
      text: '把同一个令牌出示给照片 API。',
      meaning: '令牌不是针对这个受众的，所以像未知的令牌一样被拒绝。',
    },
    'unknown-audience': {
      title: '请求未知的 API',
      text: 'Photo Printer 请求一个没有人添加过的 API 的令牌。',
      meaning: '客户端在重定向 URI 收到 invalid_target，其中列出已知的 API。不会询问所有者。',
    },
    'wider-audience': {
      title: '刷新时换成另一个 API',
      text: '所有者允许了 Orders 和 Tools，客户端却请求照片的令牌。',
      meaning: '刷新不能超出所允许的范围。什么也没有消耗：刷新令牌仍然有效。',
    },
    'proxy-asks': {
      title: '代理询问',
      text: '一个带令牌的请求来到 nginx 之类的代理。代理放行之前，先带着同样的 Authorization 头到这里询问。回答是一个状态码和四个头。',
    },
    'proxy-lets-in': {
      title: '请求继续',
      text: '得到 200 之后，代理把请求转给后面的 API，这里是照片 API。这样的 API 自己不需要任何 OAuth 代码。',
    },
    'proxy-no-token': {
      title: '不带令牌',
      text: '请求没有 Authorization 头。',
      meaning: '代理得到 401，把请求挡在外面，并把质询交给客户端，其中有元数据的地址。',
    },
    'proxy-write': {
      title: '用只读令牌写入',
      text: '代理在这个路径上要求 photos:write，而令牌只允许 photos:read。',
      meaning: '代理得到 403，质询指出所需的权限。',
    },
    'proxy-other-api': {
      title: '把令牌用于另一个 API',
      text: '同一个令牌来到联系人 API 的代理。',
      meaning: '令牌不是针对这个 API 的：401，与未知的令牌一样。',
    },
    'proxy-unknown-api': {
      title: '配置未知的 API',
      text: '代理的配置指明了一个本服务不认识的 API。令牌本身没有问题。',
      meaning: '回答是 400，而代理只在 200 之后放行。所以错误的配置不会打开任何门。',
    },
  },
)
