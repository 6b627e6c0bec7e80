/** Words of the error page: what happened, who has to act, what to do. */
import { defineWords } from '../catalog.ts'

export const errorWords = defineWords(
  {
    titles: {
      cannotFollow: 'This request cannot be followed',
      access_denied: 'This did not come from our page',
      not_found: 'There is no such page',
      method_not_allowed: 'That is not done this way',
      too_many_requests: 'Too many tries',
      server_error: 'Something went wrong here',
      temporarily_unavailable: 'Not available right now',
    },
    whoActs: {
      owner: 'You can put this right yourself.',
      developer:
        'You have done nothing wrong. The people who make the application that sent you here have to put this right.',
      operator: 'You have done nothing wrong. Whoever runs this service has to put this right.',
    },
    forDeveloper: 'For the developer',
    received: 'Received',
    expected: 'Expected',
    or: 'or',
    reference: 'Reference:',
  },
  {
    titles: {
      cannotFollow: '无法处理此请求',
      access_denied: '此请求并非来自我们的页面',
      not_found: '没有这个页面',
      method_not_allowed: '不支持这种操作方式',
      too_many_requests: '尝试次数过多',
      server_error: '服务出现错误',
      temporarily_unavailable: '服务暂时不可用',
    },
    whoActs: {
      owner: '您可以自行解决。',
      developer: '这不是您的过错。需要由把您转到这里的应用的开发者解决。',
      operator: '这不是您的过错。需要由本服务的运营者解决。',
    },
    forDeveloper: '开发者信息',
    received: '收到的值',
    expected: '预期的值',
    or: '或',
    reference: '参考编号：',
  },
)
