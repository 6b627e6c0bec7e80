/** Words about pauses, for the account page and the page that offers to resume. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

interface Paused {
  readonly client: Markup
  readonly when: Markup
}

export const pauseWords = defineWords(
  {
    title: 'Resume?',
    heading: ({ client }: { client: Markup }) => html`Resume ${client}?`,
    paused: {
      owner: ({ client, when }: Paused) => html`You paused ${client} on ${when}.`,
      operator: ({ client, when }: Paused) =>
        html`The operator of this service paused ${client} on ${when}.`,
      service: ({ client, when }: Paused) => html`${client} was paused on ${when}.`,
    },
    unused: ({ days }: { days: string }) => `The reason: it was not used for ${days} days.`,
    effect: ({ client }: { client: Markup }) =>
      html`While it is paused, ${client} can do nothing. It keeps its permissions, and their end comes as before.`,
    ifResumed: ({ client }: { client: Markup }) =>
      html`If you resume ${client}, it can use the permissions that you gave it before.`,
    otherwise: ({ host }: { host: Markup }) =>
      html`If not, you will be sent to ${host}, and nothing changes.`,
    resume: 'Resume',
    notNow: 'Not now',
    pause: 'Pause',
    covers: ({ client }: { client: Markup }) =>
      html`To pause or resume concerns every access of ${client}.`,
  },
  {
    title: '恢复？',
    heading: ({ client }) => html`要恢复 ${client} 吗？`,
    paused: {
      owner: ({ client, when }) => html`您于 ${when} 暂停了 ${client}。`,
      operator: ({ client, when }) => html`本服务的运营者于 ${when} 暂停了 ${client}。`,
      service: ({ client, when }) => html`${client} 已于 ${when} 被暂停。`,
    },
    unused: ({ days }) => `原因：它已有 ${days} 天未被使用。`,
    effect: ({ client }) =>
      html`暂停期间，${client} 什么都不能做。它的权限会保留，有效期照常计算。`,
    ifResumed: ({ client }) => html`恢复后，${client} 可以使用您之前给它的权限。`,
    otherwise: ({ host }) => html`如果不恢复，您将被送往 ${host}，一切不变。`,
    resume: '恢复',
    notNow: '暂不恢复',
    pause: '暂停',
    covers: ({ client }) => html`暂停或恢复涉及 ${client} 的每一项访问。`,
  },
)
