/** Words of the playground: the resource server. */
import { defineWords } from '../../pages/catalog.ts'

export const apiWords = defineWords(
  {
    'api-tokens': {
      title: 'Get two tokens',
      text: 'One token may read and write alice’s photos. The other may only read them, for a later attack.',
    },
    'by-header': {
      title: 'Read, token in the header',
      text: 'The way to do it: headers stay out of logs, caches and the history of a browser.',
    },
    'by-query': {
      title: 'Read, token in the query',
      text: 'For places that can only make addresses. The request has to carry Cache-Control: no-store, so that nothing on the way keeps an address with a token in it.',
    },
    'by-body': {
      title: 'Read, token in the body',
      text: 'A form that carries nothing but the token reads, as GET would.',
    },
    create: {
      title: 'Write: add a photo',
      text: 'A JSON object becomes an item. Location is its URL, ETag its version.',
    },
    change: {
      title: 'Write: change it',
      text: 'If-Match names the version that the change is meant for. Had somebody else changed it since, the answer would be 412, and nobody’s work would be lost.',
    },
    delete: {
      title: 'Write: delete it',
      text: 'Needs photos:write as well. The answer has no body.',
    },
    'write-with-read': {
      title: 'Write with a read token',
      text: 'The second token may only read. Use it to add a photo.',
      meaning:
        'Nothing was written. The challenge names a sufficient scope, so the client can ask its owner for it.',
    },
    'two-ways': {
      title: 'Send the token twice',
      text: 'In the header and in the query at once.',
      meaning:
        'A request must not use more than one way: a proxy that checks one token while the service believes the other would be fooled.',
    },
    'query-kept': {
      title: 'Let the token be cached',
      text: 'The token in the query, without Cache-Control: no-store.',
      meaning:
        'Refused before the token is looked at: a cache on the way could keep the answer and hand it to others.',
    },
    'no-token': {
      title: 'Come without a token',
      text: 'Just ask.',
      meaning:
        'The challenge names the scheme and the URL of the metadata. There is no error code, because the client may not have known that it needs a token.',
    },
  },
  {
    'api-tokens': {
      title: '获取两个令牌',
      text: '一个可以读写 alice 的照片，另一个只能读取，留待稍后破坏时使用。',
    },
    'by-header': {
      title: '读取：令牌在请求头中',
      text: '正确的做法：请求头不会进入日志、缓存和浏览器历史。',
    },
    'by-query': {
      title: '读取：令牌在查询参数中',
      text: '用于只能构造地址的场合。请求必须带有 Cache-Control: no-store，以免途中有人保存带令牌的地址。',
    },
    'by-body': {
      title: '读取：令牌在请求体中',
      text: '只携带令牌的表单等同于 GET 读取。',
    },
    create: {
      title: '写入：添加照片',
      text: 'JSON 对象成为一个条目。Location 说明位置，ETag 说明版本。',
    },
    change: {
      title: '写入：修改照片',
      text: 'If-Match 指明修改所针对的版本。如果其间被别人改过，回答会是 412，谁的工作都不会丢失。',
    },
    delete: {
      title: '写入：删除照片',
      text: '同样需要 photos:write。回答没有正文。',
    },
    'write-with-read': {
      title: '用只读令牌写入',
      text: '第二个令牌只能读取。用它来添加照片。',
      meaning: '什么也没有写入。质询指出所需的权限，客户端由此知道该向所有者请求什么。',
    },
    'two-ways': {
      title: '把令牌发送两次',
      text: '同时放在请求头和查询参数中。',
      meaning: '一个请求只能用一种方式：否则代理检查一个令牌，而服务相信另一个，就会受骗。',
    },
    'query-kept': {
      title: '让令牌被缓存',
      text: '令牌在查询参数中，但没有 Cache-Control: no-store。',
      meaning: '还没看令牌就被拒绝：途中的缓存可能保存回答并交给别人。',
    },
    'no-token': {
      title: '不带令牌',
      text: '直接请求。',
      meaning: '质询说明需要哪种方案、元数据在哪里。没有错误码：请求者只是不知道需要令牌。',
    },
  },
)
