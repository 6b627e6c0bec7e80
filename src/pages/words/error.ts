/** Words of the error page: the problem, the person to act, the remedy. */
import { limits } from '../../config/limits.ts'
import { defineWords } from '../catalog.ts'
import type { Markup } from '../markup.ts'
import { html } from '../markup.ts'

export const errorWords = defineWords(
  {
    titles: {
      cannotFollow: 'This request cannot be followed',
      foreign_journey: 'This page is not of this browser',
      journey_too_old: 'This page was open for too long',
      journey_answered: 'This was answered already',
      bad_consent: 'This cannot be decided so',
      consent_incomplete: 'Something that is needed was left out',
      consent_overtaken: 'This has ended meanwhile',
      login_required: 'You are not logged in',
      wrong_csrf_token: 'This form cannot be taken any more',
      access_denied: 'This did not come from our page',
      not_found: 'There is no such page',
      method_not_allowed: 'That is not done this way',
      too_many_requests: 'Too many tries',
      server_error: 'Something went wrong here',
      temporarily_unavailable: 'Not available right now',
    },
    happened: {
      foreign_journey:
        'This page belongs to another browser or was changed, or cookies are off: start again at the application.',
      journey_too_old: 'This page was open for too long: start again at the application.',
      journey_answered:
        'This request was answered already, or its approval has ended: start again at the application.',
      bad_consent: 'The form does not fit what the application asked for.',
      consent_incomplete:
        'The application cannot work without one of the permissions that were not ticked: allow it, or deny access.',
      consent_overtaken: 'The application or your login has ended while this page was open.',
      login_required:
        'An application asked, without a login page, whether you are logged in here. You are not, and it got no answer.',
      wrong_csrf_token:
        'You logged in or out after this form was shown, or it was shown in another browser. Or this browser keeps no cookies for this site.',
      access_denied: 'This form was sent by a page that is not ours.',
      not_found: 'There is nothing here, or it is not yours, or it has ended.',
      method_not_allowed: 'This path has no such method.',
      too_many_requests: 'Too many refused requests: slow down.',
      too_large: 'The form is too large for this page.',
      incomplete: 'Something that this page needs was missing, or was changed on the way.',
      store_unavailable: 'The store cannot be reached.',
      temporarily_unavailable: 'Too many people are here at once.',
      server_error: 'Something went wrong in the service.',
    },
    asked: {
      unknown_client: 'client_id names no client of this service.',
      disabled_client: 'client_id names no client of this service.',
      missing_client_id: 'Parameter client_id is missing.',
      repeated_client_id: 'Parameter client_id came more than once.',
      unregistered_redirect_uri: 'redirect_uri is not registered for this client.',
      missing_redirect_uri: 'Parameter redirect_uri is missing.',
      repeated_redirect_uri: 'Parameter redirect_uri came more than once.',
      bad_percent_encoding: 'A parameter is not percent-encoded UTF-8.',
      not_encoded: 'The parameters are not percent-encoded.',
      bad_character: 'A parameter holds NUL or is not UTF-8.',
      too_many_parameters: `More than ${limits.parameters} parameters.`,
      request_too_long: `The authorization request is longer than ${limits.authorizationRequestCharacters} characters.`,
      body_too_large: `The body is larger than ${limits.formBytes} bytes.`,
      body_not_utf8: 'The body is not UTF-8.',
      not_a_form: 'Content-Type has to be application/x-www-form-urlencoded in UTF-8.',
      unreadable: 'The authorization request could not be read.',
      unknown_endpoint:
        'There is no endpoint at this path. /.well-known/oauth-authorization-server names those that there are.',
    },
    whoActs: {
      owner: 'You can put this right yourself.',
      developer:
        'You have done nothing wrong. The developers of the application that sent you here have to put this right.',
      operator: 'You have done nothing wrong. The operator of this service has to put this right.',
    },
    advice: {
      startAgain: 'Go back to the application and begin again there.',
      sendAgain: 'Go back, reload the page and send it again.',
      reload:
        'Go back, reload the page and send it again. If that does not help, allow cookies for this site.',
      address: ({ account }: { account: Markup }) =>
        html`Look whether the address is right, or begin at your ${account}.`,
      wait: 'Wait a little, then try again.',
      tellDeveloper:
        'Go back to the application. If this happens again, tell the people who make it the reference number below.',
      tellOperator:
        'Try again in a few minutes. If this happens again, tell whoever runs this service the reference number below.',
    },
    accountPage: 'account page',
    details: 'For whoever puts this right',
    received: 'Received',
    nothing: 'nothing',
    and: 'and',
    expected: 'Expected',
    or: 'or',
    command: 'Command',
    asOperator: ({ variable }: { variable: Markup }): Markup =>
      html`In ${variable} it needs an access token of an operator’s client, which this gets:`,
    tokenCommand: 'Command that gets an access token',
    reference: 'Reference:',
  },
  {
    titles: {
      cannotFollow: '无法处理此请求',
      foreign_journey: '此页面不属于当前浏览器',
      journey_too_old: '此页面打开的时间太久',
      journey_answered: '此请求已经处理过',
      bad_consent: '无法这样决定',
      consent_incomplete: '漏选了必需的权限',
      consent_overtaken: '在此期间已经失效',
      login_required: '您尚未登录',
      wrong_csrf_token: '此表单已经失效',
      access_denied: '此请求并非来自我们的页面',
      not_found: '没有这个页面',
      method_not_allowed: '不支持这种操作方式',
      too_many_requests: '尝试次数过多',
      server_error: '服务出现错误',
      temporarily_unavailable: '服务暂时不可用',
    },
    happened: {
      foreign_journey:
        '此页面属于另一个浏览器，或内容被改动过，或浏览器关闭了 Cookie：请从该应用重新开始。',
      journey_too_old: '此页面打开的时间太久：请从该应用重新开始。',
      journey_answered: '此请求已经得到答复，或者所作的授权已经结束：请从该应用重新开始。',
      bad_consent: '提交的内容与该应用所请求的不符。',
      consent_incomplete: '未勾选的权限中有该应用必需的：请允许它，或拒绝访问。',
      consent_overtaken: '此页面打开期间，该应用或您的登录已经失效。',
      login_required:
        '一个应用想在不显示登录页面的情况下得知您是否已登录。您尚未登录，它没有得到任何回答。',
      wrong_csrf_token:
        '此表单显示之后您登录或退出过，或者它是在另一个浏览器中显示的，或者此浏览器没有为本站保存 Cookie。',
      access_denied: '此表单是由并非本站的页面提交的。',
      not_found: '这里没有内容，或者它不属于您，或者已经结束。',
      method_not_allowed: '此地址不支持这种请求方法。',
      too_many_requests: '被拒绝的请求太多：请放慢速度。',
      too_large: '提交的内容超出了此页面可接受的大小。',
      incomplete: '缺少此页面需要的内容，或者内容在途中被改动过。',
      store_unavailable: '无法连接数据存储。',
      temporarily_unavailable: '当前访问的人太多。',
      server_error: '服务内部出现错误。',
    },
    asked: {
      unknown_client: 'client_id 所指的客户端在本服务中不存在。',
      disabled_client: 'client_id 所指的客户端在本服务中不存在。',
      missing_client_id: '缺少参数 client_id。',
      repeated_client_id: '参数 client_id 出现了不止一次。',
      unregistered_redirect_uri: '此客户端没有登记这个 redirect_uri。',
      missing_redirect_uri: '缺少参数 redirect_uri。',
      repeated_redirect_uri: '参数 redirect_uri 出现了不止一次。',
      bad_percent_encoding: '有参数不是经过百分号编码的 UTF-8 文本。',
      not_encoded: '参数没有经过百分号编码。',
      bad_character: '有参数含有 NUL 字符，或不是 UTF-8 文本。',
      too_many_parameters: `参数超过 ${limits.parameters} 个。`,
      request_too_long: `授权请求超过 ${limits.authorizationRequestCharacters} 个字符。`,
      body_too_large: `请求正文超过 ${limits.formBytes} 字节。`,
      body_not_utf8: '请求正文不是 UTF-8 文本。',
      not_a_form: 'Content-Type 必须是 UTF-8 编码的 application/x-www-form-urlencoded。',
      unreadable: '无法读取授权请求。',
      unknown_endpoint:
        '此路径上没有端点。本服务的端点列在 /.well-known/oauth-authorization-server 中。',
    },
    whoActs: {
      owner: '您可以自行解决。',
      developer: '这不是您的过错。需要由把您转到这里的应用的开发者解决。',
      operator: '这不是您的过错。需要由本服务的运营者解决。',
    },
    advice: {
      startAgain: '请回到该应用，重新开始。',
      sendAgain: '请返回上一页，重新加载后再提交。',
      reload: '请返回上一页，重新加载后再提交。如果仍然不行，请允许本站使用 Cookie。',
      address: ({ account }) => html`请检查网址是否正确，或从您的${account}开始。`,
      wait: '请稍候片刻，然后重试。',
      tellDeveloper: '请回到该应用。如果再次出现，请把下面的参考编号告诉应用的开发者。',
      tellOperator: '请几分钟后再试。如果再次出现，请把下面的参考编号告诉本服务的运营者。',
    },
    accountPage: '账户页面',
    details: '供解决问题的人参考',
    received: '收到的值',
    nothing: '无',
    and: '以及',
    expected: '预期的值',
    or: '或',
    command: '命令',
    asOperator: ({ variable }) =>
      html`${variable} 中需要有运营者客户端的访问令牌，可用以下命令取得：`,
    tokenCommand: '取得访问令牌的命令',
    reference: '参考编号：',
  },
)
