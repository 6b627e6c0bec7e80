/** Words of the playground: fields of OpenID Connect. */
import { defineWords } from '../../pages/catalog.ts'

export const openidFieldWords = defineWords(
  {
    sent: {},
    received: {
      subject_types_supported:
        'Whether every client gets the same sub of an owner, or each its own.',
      id_token_signing_alg_values_supported: 'How ID tokens may be signed.',
      claim_types_supported: 'How claims are told: in the answer itself.',
      acr_values_supported: 'How strong a login can be asked for.',
      claims_parameter_supported: 'Whether a request may name single claims.',
      ui_locales_supported: 'The languages of the pages.',
      request_parameter_supported: 'Whether a request may come as a signed object.',
      request_uri_parameter_supported: 'Whether a request may come by reference.',
      request_object_signing_alg_values_supported: 'How a request object may be signed.',
      userinfo_signing_alg_values_supported: 'How an answer of userinfo may be signed.',
      introspection_signing_alg_values_supported: 'How an answer of introspection may be signed.',
      end_session_endpoint: 'Where a client sends the browser to log its user out.',
      backchannel_logout_supported: 'Whether clients are told of a logout directly.',
      backchannel_logout_session_supported: 'Whether that message names the session.',
      frontchannel_logout_supported:
        'Whether clients are told of a logout by frames in the browser.',
      frontchannel_logout_session_supported: 'Whether that frame names the session.',
      display_values_supported: 'Which kinds of display a request may name.',
      require_request_uri_registration: 'Whether references to requests have to be registered.',
      require_signed_request_object: 'Whether every request has to be a signed object.',
    },
  },
  {
    sent: {},
    received: {
      subject_types_supported: '每个客户端得到的所有者 sub 是相同，还是各不相同。',
      id_token_signing_alg_values_supported: 'ID 令牌可以用哪些算法签名。',
      claim_types_supported: '以何种方式告知声明：直接写在回答中。',
      acr_values_supported: '可以要求怎样强度的登录。',
      claims_parameter_supported: '请求是否可以逐个指明声明。',
      ui_locales_supported: '页面有哪些语言。',
      request_parameter_supported: '请求是否可以是签名的对象。',
      request_uri_parameter_supported: '请求是否可以以引用的方式发送。',
      request_object_signing_alg_values_supported: '请求对象可以用哪些算法签名。',
      userinfo_signing_alg_values_supported: 'userinfo 的回答可以用哪些算法签名。',
      introspection_signing_alg_values_supported: '内省的回答可以用哪些算法签名。',
      end_session_endpoint: '客户端让用户退出登录时，浏览器被送往的地址。',
      backchannel_logout_supported: '退出登录时是否直接通知客户端。',
      backchannel_logout_session_supported: '该通知是否指明会话。',
      frontchannel_logout_supported: '退出登录时是否经由浏览器中的框架通知客户端。',
      frontchannel_logout_session_supported: '该框架是否指明会话。',
      display_values_supported: '请求可以指明哪些显示方式。',
      require_request_uri_registration: '请求的引用是否必须事先注册。',
      require_signed_request_object: '每个请求是否都必须是签名的对象。',
    },
  },
)
