/** Words of the operator's page. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

export const operatorWords = defineWords(
  {
    title: 'For the operator',
    purpose:
      'Refused requests are told to strangers in few words. The operator’s browser also shows the value received, the value expected, and a command as the remedy.',
    how: ({ command }: { command: Markup }): Markup =>
      html`Run ${command} beside the service, and enter the printed code.`,
    refused: 'This code does not count: it is wrong, older than ten minutes, or was used before.',
    code: 'Code',
    begin: 'Show me more',
    until: ({ when }: { when: Markup }): Markup => html`This browser is shown more until ${when}.`,
    end: 'Show me no more',
    reference: ({ field }: { field: Markup }): Markup =>
      html`The reference on a refused page is the ${field} of that request in the log.`,
  },
  {
    title: '供运营者使用',
    purpose:
      '被拒绝的请求只向外人作简短说明。运营者的浏览器还会看到收到了什么、预期是什么，以及用来解决问题的命令。',
    how: ({ command }) => html`请在运行本服务的机器上执行 ${command}，然后输入它显示的代码。`,
    refused: '此代码无效：代码有误，或已超过十分钟，或已经用过。',
    code: '代码',
    begin: '显示详情',
    until: ({ when }) => html`此浏览器在 ${when} 之前会看到详情。`,
    end: '不再显示详情',
    reference: ({ field }) => html`被拒绝的页面上的参考编号，就是日志中该请求的 ${field}。`,
  },
)
