/** What keys of clients cost: an operation with one, as so many times the same with a secret or a Bearer token. */
import type { KeyOperation } from '../load/job.ts'
import { type KeyRow, type KeySample, median, type Results, type Sample } from '../results.ts'
import { renderTable, whole } from './markdown.ts'

const titles: Readonly<Record<KeyOperation, string>> = {
  'token-assertion': 'a token by private_key_jwt, of one by a secret',
  'read-dpop': 'an API read with a DPoP proof, of one with a Bearer token',
  'read-dpop-bare': 'the same without a nonce in the proof',
}

/** The most it is to cost, without the check of the signature. */
const targets: Readonly<Record<KeyOperation, number>> = {
  'token-assertion': 1.6,
  'read-dpop': 1.5,
  'read-dpop-bare': 1.5,
}

const microseconds = {
  time: ({ perSecond }: Sample): number => 1e6 / Math.max(perSecond, 1),
  cpu: ({ cpuMicroseconds }: Sample): number => cpuMicroseconds ?? 0,
}

/** The ratio within each round, and the middle one of those. */
const timesOf = (slices: readonly KeySample[], by: keyof typeof microseconds, less: 0 | 1) =>
  median(
    slices.map(({ proven, plain, checkMicroseconds }) => {
      const took = microseconds[by](proven) - less * checkMicroseconds
      return took / Math.max(microseconds[by](plain), 1)
    }),
  ).toFixed(2)

const lineOf = ({ operation, subject, fault, slices }: KeyRow): readonly string[] => {
  const about = [`${subject}: ${titles[operation]}`, targets[operation].toFixed(1)]
  if (fault !== null) return [...about, '(wrong)', '', '', '', '', '']
  return [
    ...about,
    timesOf(slices, 'time', 1),
    timesOf(slices, 'cpu', 1),
    timesOf(slices, 'time', 0),
    timesOf(slices, 'cpu', 0),
    whole(median(slices.map(({ proven }) => proven.perSecond))),
    whole(median(slices.map(({ checkMicroseconds }) => checkMicroseconds))),
  ]
}

/** Empty where none was asked for. */
export const renderKeys = ({ keys }: Results): string => {
  if (keys.length === 0) return ''
  const head = [
    '',
    'at most',
    'time',
    'CPU',
    'time, with check',
    'CPU, with check',
    '/s',
    'check us',
  ]
  const faults = keys.flatMap(({ fault }) => (fault === null ? [] : [`\n${fault}\n`]))
  return `### Keys of clients\n\nThe check of the signature is left out, but for the columns that name it.\n\n${renderTable([head, ...keys.map(lineOf)])}\n${faults.join('')}`
}
