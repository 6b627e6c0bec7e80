/** Words of the playground: an application that is paused and resumed. */
import { defineWords } from '../../pages/catalog.ts'

export const pauseWords = defineWords(
  {
    pause: {
      title: 'Pause the application',
      text: 'The owner has a button for this on the account page. Here the operator does the same by the admin API: find the authorization of this owner, and set paused.',
    },
    'while-paused': {
      title: 'Try all that worked before',
      text: 'The API answers 401, and introspection says active: false. The refresh is answered with 503: try again later. Nothing is used up.',
    },
    'ask-to-resume': {
      title: 'Ask the owner',
      text: 'The client sends the browser to the authorization server. A page says since when the application is paused, and offers to resume it. Press that button.',
    },
    'arrive-resumed': {
      title: 'Come back with a code',
      text: 'The owner resumed the application, so the request goes on as usual.',
    },
    'works-again': {
      title: 'See that everything works again',
      text: 'The access token and the refresh token of before the pause work, and so does the new code.',
    },
    'refresh-in-a-loop': {
      title: 'Refresh again and again',
      text: 'A client that does not wait sends the same refresh token three times. Try it during the pause.',
      meaning:
        'Each answer is the same 503 with Retry-After. The refresh token is not used up, so this is no theft, and it works after the pause.',
    },
    'resume-itself': {
      title: 'Resume itself',
      text: 'The paused application shows its own token to the admin API.',
      meaning: 'Only the owner and the operator can resume it. The token itself is paused.',
    },
  },
  {
    pause: {
      title: '暂停应用',
      text: '所有者在账户页上有这个按钮。这里由运营者通过管理 API 来做：找到这个所有者的授权，设定 paused。',
    },
    'while-paused': {
      title: '再试刚才可行的一切',
      text: 'API 回答 401，内省回答 active: false。刷新的回答是 503：请稍后再试。什么也没有消耗。',
    },
    'ask-to-resume': {
      title: '向所有者提出请求',
      text: '客户端把浏览器送到授权服务器。页面说明应用从何时起暂停，并提供恢复的按钮。请按下它。',
    },
    'arrive-resumed': {
      title: '带着授权码返回',
      text: '所有者恢复了应用，所以请求照常继续。',
    },
    'works-again': {
      title: '确认一切恢复正常',
      text: '暂停之前的访问令牌和刷新令牌都有效，新的授权码也有效。',
    },
    'refresh-in-a-loop': {
      title: '反复刷新',
      text: '不肯等待的客户端把同一个刷新令牌发送三次。请在暂停期间尝试。',
      meaning:
        '每次回答都是同样的 503 和 Retry-After。刷新令牌没有被消耗，所以不算盗用，暂停之后仍然有效。',
    },
    'resume-itself': {
      title: '自行恢复',
      text: '暂停的应用向管理 API 出示自己的令牌。',
      meaning: '只有所有者和运营者可以恢复它。令牌本身已被暂停。',
    },
  },
)
