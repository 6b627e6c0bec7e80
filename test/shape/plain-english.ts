/** The rules of plain English that a program can judge. CONTRIBUTING.md says them in words. */
import { type Passage, sentencesOf, wordsIn } from './english.ts'

const mostWords = 25
const mostRelatives = 1

/** `that` begins no relative clause here: `so that`, `shows that`, `after that`. */
const conjunction =
  /\b(so|now|such|given|provided|except|in|sure|true|fact|evidence|proof|than|of|from|after|before|for|to|with|by|at|on|and|is|not|like|without|do|does|did|as|all|say|said|show|know|check|prove|mean|tell|told|ensure|see|seen|find|found|assume|claim|notice|learn|believe|expect|require|promise|state|guarantee|assert|demand|remember|note|mind|proving|meaning|saying|(show|know|prove)n|(say|show|know|check|prove|mean|tell|ensure|see|find|assume|claim|learn|believe|expect|require|promise|state|guarantee|assert|demand|remember|note)s|(check|prove|claim|expect|require|promise|guarantee|note)d)\s+that\b/gi

const relativesIn = (sentence: string): number =>
  sentence
    .replace(/^That\b/, '')
    .replaceAll(conjunction, '')
    .match(/\b(who|whom|whose|which|that|what|where|whoever|whatever|whichever|wherever)\b/gi)
    ?.length ?? 0

const auxiliary = '\\b(?:is|are|was|were|has|have|had|can|may|will|would|does|do)\\b'
/** `What a form would have done is not done`: the subject is a clause of its own. */
const clauseAsSubject = new RegExp(
  `^(?:(?:What|Whoever|Whatever) .*${auxiliary} .*${auxiliary}|(?:What|Whoever|Whatever) [a-z]+s .*${auxiliary}).*[^?]$`,
)

/** Phrases that are hard to read, with a better one. */
const oddPhrases: readonly (readonly [RegExp, string])[] = [
  [/\b(What of|Of what)\b/, 'begin with the subject'],
  [/\bmakes? it so\b/i, 'say who enforces it'],
  [/\bthe very\b/i, 'leave `very` out'],
  [/\b(is|are) of something\b/i, 'say of what'],
  [/\b(this|that|those|these|it|one) of ours\b|\b[a-z]+ of ours\b/i, 'our'],
  [/\bnot ever\b|\bnever any again\b/i, 'never'],
  [/\bsomebody\b.*\bwho\b/i, 'name the person: the owner, the client, a stranger'],
]

/**
 * The words that the glossary lists under *Avoid*, each with the pattern of its wrong use. Null: the
 * word is right in another meaning, so only a reader can judge.
 */
export const avoided: Readonly<Record<string, RegExp | null>> = {
  user: /\bend[ -]users?\b/i,
  account: null,
  subject: null,
  app: null,
  consumer: /\bconsumers?\b/i,
  'relying party': null,
  'admin user': /\badmin users?\b/i,
  superuser: /\bsuperusers?\b/i,
  principal: /\bprincipals?\b/i,
  scope: null,
  API: null,
  record: null,
  document: null,
  tenant: /\btenants?\b/i,
  asker: /\baskers?\b/i,
  applicant: /\bapplicants?\b/i,
  right: null,
  role: null,
  permission: null,
  consent: null,
  grant: null,
  session: null,
  authorization: null,
  lifetime: null,
  expiry: null,
  flow: null,
  claims: null,
  context: null,
  state: null,
  'auth code': /\bauth codes?\b/i,
  exchange: null,
  swap: null,
  'token chain': /\btoken chains?\b/i,
  version: null,
  counter: null,
  renewal: /\brenewals?\b/i,
  duplicate: null,
  retry: null,
  replay: null,
  signature: null,
  'JWT key': /\bJWT keys?\b/i,
  'master key': /\bmaster keys?\b/i,
  suspension: /\bsuspensions?\b/i,
  blacklist: /\bblack-?list/i,
  denylist: /\bdeny-?list/i,
  token: null,
  'trusted device': /\btrusted devices?\b/i,
  'MFA method': /\bMFA\b/,
  authenticator: null,
  'security key': null,
  OTP: /\bOTPs?\b/,
  'backup code': /\bbackup codes?\b/i,
  challenge: null,
  'sudo mode': /\bsudo mode\b/i,
  interaction: null,
  transaction: null,
  exception: null,
  error: null,
  hint: null,
  'debug information': /\bdebug info/i,
  'error code': null,
  ticket: /\btickets?\b/i,
  message: null,
  database: null,
  repository: null,
  DAO: /\bDAOs?\b/,
  query: null,
  memory: null,
  'what is remembered': /\bwhat is remembered\b|\bremembered answers?\b/i,
  tag: null,
  dependency: null,
  spoil: /\bspoil(s|ed|t|ing)?\b/i,
  forget: null,
  flag: null,
  meta: null,
  middleware: null,
  'log line': null,
  'audit log': /\baudit logs?\b/i,
  hit: null,
  event: null,
}

/** What is wrong with a passage, one line for each fault. */
export const faultsOf = ({ text }: Passage): readonly string[] =>
  sentencesOf(text).flatMap((sentence) => {
    const words = wordsIn(sentence)
    const relatives = relativesIn(sentence)
    return [
      ...(words > mostWords ? [`${words} words`] : []),
      ...(relatives > mostRelatives ? [`${relatives} relative words`] : []),
      ...(clauseAsSubject.test(sentence) ? ['a clause as the subject'] : []),
      ...oddPhrases
        .filter(([pattern]) => pattern.test(sentence))
        .map(([pattern, better]) => `"${pattern.exec(sentence)?.[0]}" (better: ${better})`),
      ...Object.entries(avoided)
        .filter(([, pattern]) => pattern?.test(sentence))
        .map(([word]) => `${word}, which the glossary avoids`),
    ].map((fault) => `${fault}: ${sentence}`)
  })

/** The noun of such a word stands in another sentence, so the reader has to look for it. */
const nounless = /^(It|They|This one|Those|There|All of (?:it|them))\b/

/** What is wrong with a comment, beside the faults of every passage. */
export const faultsOfComment = ({ text }: Passage): readonly string[] =>
  sentencesOf(text.replace(/^@\w+ (\w+ )?/, ''))
    .filter((sentence) => nounless.test(sentence))
    .map((sentence) => `repeat the noun: ${sentence}`)
