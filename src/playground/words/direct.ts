/** Words of the playground: the steps of the grants without a browser. */
import { defineWords } from '../../pages/catalog.ts'

export const directWords = defineWords(
  {
    password: {
      title: 'Send the owner’s password',
      text: 'The owner types name and password into the client, which sends them on. Only for a client that the operator has set trusted; everybody else sends the owner to the login page.',
    },
    'untrusted-password': {
      title: 'Ask with a client that is not trusted',
      text: 'Photo Printer has collected alice’s password and tries the same.',
      meaning:
        'The client may not use this grant, whatever the password is. The password was not even checked.',
    },
    credentials: {
      title: 'Get a token for the client itself',
      text: 'No owner takes part: the client shows its secret and gets a token for what is its own. There is no refresh token, because it can simply ask again.',
    },
    'own-write': {
      title: 'Write something of its own',
      text: 'The client keeps an item under a name that it chose. The items belong to the client; no owner’s things are in reach of this token.',
    },
    'own-read': {
      title: 'Read it again',
      text: 'Only what the client itself has written is there: not one of alice’s appointments.',
    },
    'wrong-secret': {
      title: 'Guess the client’s secret',
      text: 'Somebody knows the client’s name and guesses its secret.',
      meaning:
        'The answer is the same for a wrong secret and for a client that does not exist. Further guesses from this address are slowed down.',
    },
    'operator-scope': {
      title: 'Ask for more than was registered',
      text: 'The client asks for the scope of the operator’s own interface.',
      meaning:
        'A client gets at most what it was registered for. Unknown names are left out, and here none remains.',
    },
    'first-tokens': {
      title: 'Get a first pair of tokens',
      text: 'By the password grant of the trusted House App, so that this page needs no browser trip. The refresh token would be the same after a code.',
    },
    refresh: {
      title: 'Refresh',
      text: 'The client trades the refresh token for a new pair. The old refresh token is used up: it was the first generation of its family, this is the second.',
    },
    'lost-answer': {
      title: 'Ask again, as after a lost answer',
      text: 'The network broke before the answer arrived, so the client asks once more with the old token. Within 30 seconds it gets the same refresh token again: compare.',
    },
    'refresh-again': {
      title: 'Refresh once more',
      text: 'The third generation. Now the first token is two generations old, and no honest client has a reason to send it again.',
    },
    'stolen-refresh': {
      title: 'Use a stolen refresh token',
      text: 'A thief copied the first refresh token long ago and uses it now.',
      meaning:
        'A token that was replaced twice comes back only if a thief has it, or has its successor. So the family ends: its access token is inactive, and its newest refresh token is refused as well.',
    },
    'foreign-refresh': {
      title: 'Refresh as another client',
      text: 'Photo Printer found House App’s refresh token.',
      meaning:
        'A refresh token belongs to one client. The refusal tells nothing about the token, and House App’s tokens go on working.',
    },
    'register-extension': {
      title: 'Register a client for it',
      text: 'A client is registered for the grant types that were added to this service.',
    },
    extension: {
      title: 'Redeem by your own grant',
      text: 'One parameter a line, name=value, as your grant type wants them. The token endpoint authenticates the client and mints the token; your grant says what was earned.',
    },
  },
  {
    password: {
      title: '发送所有者的密码',
      text: '所有者把用户名和密码交给客户端，由客户端转交。只有运营者设为可信的客户端才可以；其他客户端都应把所有者送到登录页。',
    },
    'untrusted-password': {
      title: '用不可信的客户端请求',
      text: 'Photo Printer 收集了 alice 的密码，也来试一试。',
      meaning: '无论密码是什么，这个客户端都不能使用这种授权。密码甚至没有被检查。',
    },
    credentials: {
      title: '为客户端自己获取令牌',
      text: '没有所有者参与：客户端出示密钥，得到只涉及它自己内容的令牌。没有刷新令牌，因为它可以随时再请求。',
    },
    'own-write': {
      title: '写入自己的内容',
      text: '客户端以自选的名称保存一个条目。条目属于客户端；这个令牌接触不到任何所有者的内容。',
    },
    'own-read': {
      title: '再读出来',
      text: '这里只有客户端自己写入的内容，没有 alice 的任何日程。',
    },
    'wrong-secret': {
      title: '猜测客户端密钥',
      text: '有人知道客户端的名称，猜测它的密钥。',
      meaning: '密钥错误和客户端不存在，得到的回答相同。继续猜测的人会按地址被放慢。',
    },
    'operator-scope': {
      title: '请求超出注册范围的权限',
      text: '客户端请求运营者接口的权限。',
      meaning: '客户端最多得到它注册过的权限。它没有的会被略去，这里就什么也不剩了。',
    },
    'first-tokens': {
      title: '获取第一对令牌',
      text: '使用可信的 House App 的密码授权，这样本页就不需要经过浏览器。经由授权码得到的刷新令牌也是一样的。',
    },
    refresh: {
      title: '刷新',
      text: '客户端用刷新令牌换取新的一对。旧的刷新令牌随之用尽：它是家族的第一代，这是第二代。',
    },
    'lost-answer': {
      title: '像回答丢失后那样再问一次',
      text: '回答到达之前网络断了，于是客户端用旧令牌再问一次。30 秒之内它会得到完全相同的刷新令牌：请对比。',
    },
    'refresh-again': {
      title: '再刷新一次',
      text: '第三代。现在第一个令牌已经旧了两代，诚实的客户端没有理由再发送它。',
    },
    'stolen-refresh': {
      title: '使用被盗的刷新令牌',
      text: '窃贼早先复制了最初的刷新令牌，现在拿来使用。',
      meaning:
        '已被替换两次的令牌再次出现，只可能来自窃贼，或者来自令牌已落入窃贼之手的客户端。所以整个家族终止：访问令牌失效，最新的刷新令牌也被拒绝。',
    },
    'foreign-refresh': {
      title: '冒充另一个客户端刷新',
      text: 'Photo Printer 捡到了 House App 的刷新令牌。',
      meaning: '刷新令牌只属于一个客户端。拒绝不透露令牌的任何信息，House App 的令牌照常工作。',
    },
    'register-extension': {
      title: '为它注册一个客户端',
      text: '注册一个客户端，用于本服务新增的授权类型。',
    },
    extension: {
      title: '用您自己的授权类型兑换',
      text: '每行一个参数，写成 name=value，按您的授权类型的要求填写。令牌端点认证客户端并签发令牌；您的授权类型只说明挣得了什么。',
    },
  },
)
