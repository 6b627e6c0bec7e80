/** Words of the error page: what happened, who has to act, what to do. */
import { defineWords } from '../catalog.ts'

export const errorWords = defineWords(
  {
    titles: {
      cannotFollow: 'This request cannot be followed',
      foreign_journey: 'This page is not of this browser',
      journey_too_old: 'This page was open for too long',
      journey_answered: 'This was answered already',
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
    advice: {
      startAgain: 'Go back to the application and begin again there.',
      sendAgain: 'Go back, reload the page and send it again.',
      address: 'Look whether the address is right, or begin at your account page.',
      wait: 'Wait a little, then try again.',
      tellDeveloper:
        'Go back to the application. If this happens again, tell the people who make it the reference number below.',
      tellOperator:
        'Try again in a few minutes. If this happens again, tell whoever runs this service the reference number below.',
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
      foreign_journey: '此页面不属于当前浏览器',
      journey_too_old: '此页面打开的时间太久',
      journey_answered: '此请求已经处理过',
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
    advice: {
      startAgain: '请回到该应用，重新开始。',
      sendAgain: '请返回上一页，重新加载后再提交。',
      address: '请检查网址是否正确，或从您的账户页面开始。',
      wait: '请稍候片刻，然后重试。',
      tellDeveloper: '请回到该应用。如果再次出现，请把下面的参考编号告诉应用的开发者。',
      tellOperator: '请几分钟后再试。如果再次出现，请把下面的参考编号告诉本服务的运营者。',
    },
    forDeveloper: '开发者信息',
    received: '收到的值',
    expected: '预期的值',
    or: '或',
    reference: '参考编号：',
  },
)
