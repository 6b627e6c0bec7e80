/** Words of an explanation of a refused request: the value expected, and the remedy. */
import { limits } from '../../config/limits.ts'
import { redirectUriFaults } from '../../requests/redirect-uri.ts'
import { defineWords } from '../catalog.ts'

export const mistakeWords = defineWords(
  {
    expected: {
      once: ({ parameter }: { parameter: string }) => `${parameter} once`,
      clientId: 'client_id, under which the application is registered here',
      registeredClient: 'the client_id of a client that is registered here',
      enabledClient: 'a client that is not disabled',
      registeredRedirectUri: 'a redirect_uri that is registered; this client has none',
      encodedParameters: `parameters in the form application/x-www-form-urlencoded, in UTF-8, at most ${limits.parameters} of them and ${limits.authorizationRequestCharacters} characters`,
      document: 'the URL of a client metadata document that can be fetched and follows the rules',
      requestObject:
        'a request object that the client signed with one of its registered keys, for this service',
    },
    remedies: {
      sendOnce: ({ parameter }: { parameter: string }) =>
        `Send ${parameter} once, as in this request with the first of them.`,
      addClientId: 'Add client_id to the request. This lists the clients that are registered.',
      registerClient:
        'Look for a slip of the pen. If this is a new application that you know, register it; check its name and address first.',
      keepSecret: 'The answer shows its secret this once.',
      keepId: 'The answer shows the client_id to send. No client can have the received one.',
      keepSecretAndId:
        'The answer shows its secret this once, and the client_id to send. No client can have the received one.',
      enableClient: 'The operator has disabled this client. This enables it again.',
      cannotRegister: ({ fault }: { fault: string }) => `It ${fault}, so it cannot be registered.`,
      registerOwn: 'Register where the application takes answers, in place of the example.',
      sendRegistered: 'Send one that is registered, as in this request.',
      sendExactly:
        'Send one that is registered, character by character (the port of a loopback address may differ).',
      registerToo:
        'Only if you know this address to be the application’s own, register it too: codes of its owners will be sent there.',
      noRoom: 'No other can be added: the client has as many as it may have.',
      useLibrary: 'Let a library write the request, which encodes each value.',
      answerFetch:
        'The host of the document has to answer this service within eight seconds. The operator can register the client by hand instead.',
      documentsOff:
        'LATCHKEY_REGISTRATION is off, so no documents are fetched. The operator can register this client by hand.',
      mendDocument:
        'The host of the document has to mend it. The operator can register the client by hand instead.',
      mendObject: 'The application has to mend it, or to send the parameters as they are.',
    },
    faults: redirectUriFaults,
  },
  {
    expected: {
      once: ({ parameter }) => `${parameter} 只出现一次`,
      clientId: '该应用在此注册的 client_id',
      registeredClient: '在此注册的某个客户端的 client_id',
      enabledClient: '未被停用的客户端',
      registeredRedirectUri: '已登记的 redirect_uri；此客户端没有登记任何一个',
      encodedParameters: `application/x-www-form-urlencoded 格式、UTF-8 编码的参数，最多 ${limits.parameters} 个、${limits.authorizationRequestCharacters} 个字符`,
      document: '客户端元数据文档的 URL，该文档须能取得并符合规则',
      requestObject: '由客户端用其已登记的密钥为本服务签名的请求对象',
    },
    remedies: {
      sendOnce: ({ parameter }) =>
        `请只发送一次 ${parameter}，如下面的请求所示，其中保留了第一个。`,
      addClientId: '请在请求中加上 client_id。以下命令列出已注册的客户端。',
      registerClient:
        '请检查是否有笔误。如果这是您知道的新应用，请注册它；注册前请核对它的名称和地址。',
      keepSecret: '回答中有它的密钥，只显示这一次。',
      keepId: '回答中有它应当发送的 client_id：收到的那个不能分配给任何客户端。',
      keepSecretAndId:
        '回答中有它的密钥（只显示这一次）和它应当发送的 client_id：收到的那个不能分配给任何客户端。',
      enableClient: '运营者停用了此客户端。以下命令将其重新启用。',
      cannotRegister: ({ fault }) => `它${fault}，因此不能登记。`,
      registerOwn: '请登记该应用接收回答的地址，用它替换示例地址。',
      sendRegistered: '请发送已登记的地址，如下面的请求所示。',
      sendExactly: '请发送已登记的地址，逐个字符都要一致（回环地址的端口可以不同）。',
      registerToo: '只有在您确知这个地址属于该应用时，才把它也登记上：所有者的授权码会被送到那里。',
      noRoom: '不能再添加：此客户端的地址已达到上限。',
      useLibrary: '请使用程序库来生成请求，它会对每个值进行编码。',
      answerFetch: '文档所在的主机须在八秒内答复本服务。运营者也可以手动注册此客户端。',
      documentsOff:
        'LATCHKEY_REGISTRATION 为 off，因此不获取任何文档。运营者可以手动注册此客户端。',
      mendDocument: '需要由文档所在的主机修正。运营者也可以手动注册此客户端。',
      mendObject: '需要由该应用修正，或者由它直接发送各参数。',
    },
    faults: {
      tooLong: '太长',
      fragment: '含有片段（# 及其后的部分）',
      badCharacter: '含有重定向 URI 中不允许的字符',
      notAbsolute: '不是绝对 URI',
      userName: '含有用户名',
      notHttpsForm: '不是 https://host/path 的形式',
      notLoopback: '使用 http，却不是回环地址',
      badScheme: '的方案既不是 https，也不是应用专用的方案',
      noSlash: '的方案后缺少斜杠',
    },
  },
)
