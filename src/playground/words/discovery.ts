/** Words of the playground: registration and metadata. */
import { defineWords } from '../../pages/catalog.ts'

export const discoveryWords = defineWords(
  {
    register: {
      title: 'Register',
      text: 'A client introduces itself and gets its id, its secret and a token to manage the registration. Each is shown this once. Open in the demo; elsewhere the operator gives out a token for it.',
    },
    'read-registration': {
      title: 'Read the registration',
      text: 'With the registration token the client sees what is kept of it. The secret is not among it: only its digest is kept.',
    },
    'change-registration': {
      title: 'Change it',
      text: 'The whole registration is sent again, with another name.',
    },
    'delete-registration': {
      title: 'Delete it',
      text: 'The client goes, and with it every authorization and token that it had.',
    },
    'script-redirect': {
      title: 'Register a script as redirect URI',
      text: 'An attacker would like the browser to run a script instead of going somewhere.',
      meaning:
        'Redirect URIs are https, http on a loopback address, or a scheme of the application’s own. Nothing else can be registered.',
    },
    'self-trust': {
      title: 'Register as trusted',
      text: 'A client asks for the password grant and calls itself trusted.',
      meaning: 'Trust is given by an operator. What a client says about it is not even read.',
    },
    'foreign-registration': {
      title: 'Read another client’s registration',
      text: 'The registration token of this client, shown for Photo Printer.',
      meaning:
        'A registration token opens one registration. The answer is the same for a client that does not exist.',
    },
    challenge: {
      title: 'Start from a resource alone',
      text: 'A client knows only the address of the photos. It asks without a token, and the challenge tells where to read on.',
    },
    'resource-metadata': {
      title: 'Read the resource’s metadata',
      text: 'Its scopes, the ways to send a token, and its authorization server.',
    },
    'server-metadata': {
      title: 'Read the authorization server’s metadata',
      text: 'Every endpoint and everything that is really switched on. A client needs to be told nothing but the issuer.',
    },
  },
  {
    register: {
      title: '注册',
      text: '客户端自我介绍，得到标识、密钥和管理注册信息的令牌，各只显示这一次。演示中对所有人开放；在其他环境由运营者发放注册令牌。',
    },
    'read-registration': {
      title: '读取注册信息',
      text: '客户端凭注册令牌查看所保存的信息。其中没有密钥：服务只保存它的摘要。',
    },
    'change-registration': {
      title: '修改注册信息',
      text: '重新发送全部注册信息，换一个名称。',
    },
    'delete-registration': {
      title: '删除注册',
      text: '客户端消失，它的所有授权和令牌也随之消失。',
    },
    'script-redirect': {
      title: '把脚本注册为重定向 URI',
      text: '攻击者想让浏览器执行脚本，而不是前往某处。',
      meaning: '重定向 URI 只能是 https、回环地址上的 http，或应用自己的方案。其他一律不能注册。',
    },
    'self-trust': {
      title: '自称可信',
      text: '客户端申请密码授权，并自称可信。',
      meaning: '信任由运营者给予。客户端自己的说法根本不会被读取。',
    },
    'foreign-registration': {
      title: '读取另一个客户端的注册信息',
      text: '用这个客户端的注册令牌查看 Photo Printer。',
      meaning: '注册令牌只能打开一份注册信息。对不存在的客户端，回答也相同。',
    },
    challenge: {
      title: '只从资源开始',
      text: '客户端只知道照片的地址。它不带令牌请求，质询会告诉它接下来读什么。',
    },
    'resource-metadata': {
      title: '读取资源的元数据',
      text: '有哪些权限、令牌可以怎样发送、由哪个授权服务器发放。',
    },
    'server-metadata': {
      title: '读取授权服务器的元数据',
      text: '所有端点和真正开启的一切。只需告诉客户端签发者的地址。',
    },
  },
)
