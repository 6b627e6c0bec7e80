/** The tests for each part of the source: quick and likely ones first. */

interface Part {
  readonly name: string
  /** The files of the part, within `src/`. */
  readonly files: RegExp
  /** Groups of tests, each run only where the groups before it found nothing. */
  readonly groups: readonly (readonly string[])[]
}

const protocol = [
  'test/rfc/*.test.ts',
  'test/flows/{authorize,authorization-code,client-authentication,client-credentials,consent,details,implicit,introspect,lifetimes,password,refresh,resources,revoke,scope,userinfo,register}.test.ts',
]
const attacks = ['test/attacks/*.test.ts']
const people = [
  'test/flows/{login,logout,account,account-*,passkeys,one-time-codes,led-back,admin-*,root-secret,proxies}.test.ts',
]
const sqlite = ['test/store/contract-sqlite.test.ts']
const postgres = ['test/store/contract-postgres.test.ts']

export const parts: readonly Part[] = [
  {
    name: 'tokens, grants, responses',
    files: /^(tokens|grants|responses)\//,
    groups: [
      [
        'test/rules/tokens/*.test.ts',
        'test/flows/{refresh,authorization-code,revoke,introspect,implicit}.test.ts',
        'test/attacks/{token-confusion,refresh-theft,code-replay}.test.ts',
      ],
      [...protocol, ...attacks, ...people],
    ],
  },
  {
    name: 'crypto',
    files: /^crypto\//,
    groups: [['test/rules/{crypto,tokens}/*.test.ts'], [...protocol, ...attacks, ...people]],
  },
  {
    name: 'clients, requests, access',
    files: /^(clients|requests|access)\//,
    groups: [
      [
        'test/rules/{clients,requests,access}/*.test.ts',
        'test/flows/{authorize,client-authentication,scope,register}.test.ts',
      ],
      [...protocol, ...attacks, ...people],
    ],
  },
  {
    name: 'owners, journey',
    files: /^(owners|journey)\//,
    groups: [
      [
        'test/rules/{owners,journey}/*.test.ts',
        'test/flows/{login,consent,passkeys,one-time-codes}.test.ts',
        'test/attacks/{lock-out,brute-force,second-factor}.test.ts',
      ],
      [...protocol, ...attacks, ...people],
    ],
  },
  {
    name: 'doors',
    files:
      /^(router\.ts|rooms\/(admission|enter|form)\.ts|rooms\/(oauth|api|login)\/\w+\.ts|rooms\/oauth\/consent\/\w+\.ts|rooms\/account\/(confirm|security)\/\w+\.ts|resource\/|http\/(address|cookies|body)\.ts|admin\/admin\.ts)/,
    groups: [
      [
        'test/rules/http/*.test.ts',
        'test/flows/{authorize,consent,introspect,resources,login,register}.test.ts',
        'test/attacks/{csrf,junk-flood,held-request}.test.ts',
      ],
      [...protocol, ...attacks, ...people],
    ],
  },
  {
    name: 'upstreams',
    files: /^(upstreams\/|rooms\/login\/by-upstream\.ts|rooms\/(upstream|directory))/,
    groups: [['test/attacks/{upstream,directory}*.test.ts', 'test/flows/upstream-*.test.ts']],
  },
  {
    name: 'the guard',
    files: /^resource\//,
    groups: [['test/rules/resource/*.test.ts', 'test/flows/offline*.test.ts'], protocol],
  },
  {
    name: 'login, ways in, mail',
    files: /^(rooms\/(login|ways)|mail)\//,
    groups: [
      [
        'test/rules/mail/*.test.ts',
        'test/flows/{mail,ways,login,logout,links}*.test.ts',
        'test/attacks/{mail-queue,asked-links,stolen-link,second-factor}.test.ts',
        'test/attacks/upstream*.test.ts',
      ],
      [...protocol, ...attacks, ...people],
    ],
  },
  {
    name: 'outbound requests, connections',
    files: /^http\/(outbound|outbound-exchange|pipeline|connections)\.ts/,
    groups: [
      [
        'test/rules/http/{outbound,connections}.test.ts',
        'test/attacks/{ssrf,ssrf-exhaustion,broken-sites,occupied-fetch}.test.ts',
        'test/wire/{pipelined,connections}.test.ts',
      ],
    ],
  },
  {
    name: 'steps of the store, on SQLite',
    files: /^store\/(cache\/.*|records\/.*|sql\/purge\.ts)/,
    groups: [sqlite, ['test/store/memory.test.ts', ...protocol, ...attacks, ...people]],
  },
  {
    name: 'steps of the store, on PostgreSQL',
    files: /^store\/(records\/.*|engines\/postgres\/(steps|batch|checks|session|durability)\.ts)/,
    groups: [postgres, ['test/store/postgres-{faults,checks,pieces}.test.ts']],
  },
  {
    name: 'moving: migrate, copy, restore',
    files: /^store\/(schema\/migrate|transfer\/(copy|dump|restore))\.ts/,
    groups: [['test/store/{upgrade,migrate,backup}.test.ts']],
  },
]
