/** Other people's servers: installed when the benchmark runs, left out where they cannot be. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isPinned } from '../cores.ts'
import { application, idTokenOperations, type Operation } from '../load/job.ts'
import { spawnNode } from '../process.ts'
import type { Subject } from './subject.ts'

const folder = join(import.meta.dirname, '../peers')

const installSeconds = 120

interface Manifest {
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const manifest = (path: string): Manifest | null =>
  existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null

const wanted = (): Readonly<Record<string, string>> =>
  manifest(join(folder, 'package.json'))?.dependencies ?? {}

const isInstalled = (): boolean =>
  Object.entries(wanted()).every(
    ([name, version]) =>
      manifest(join(folder, 'node_modules', name, 'package.json'))?.version === version,
  )

/** Null where they are there now, else why not. */
export const installPeers = (): string | null => {
  if (isInstalled()) return null
  try {
    const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
    execFileSync('npm', ['install', ...options, '--loglevel=error'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: installSeconds * 1000,
    })
    return isInstalled() ? null : 'npm did not install what was asked for'
  } catch {
    return 'npm could not install them (is there a registry?)'
  }
}

/** The packages and versions that are measured. */
export const peerVersions = wanted

interface Peer {
  readonly name: string
  readonly about: string
  readonly script: string
  readonly durable: boolean
  readonly fsynced?: true
  readonly lacks?: readonly Operation[]
  readonly readPath?: string
  readonly readScope?: string
  /** The body of its answers to revocations. */
  readonly revoked?: string
}

/** Only `oidc-provider` signs with keys that others find by themselves. */
const jwtOperations: readonly Operation[] = ['token-jwt', ...idTokenOperations]

const list: readonly Peer[] = [
  {
    name: 'oidc-provider, memory',
    about: 'oidc-provider, everything in a Map',
    script: 'oidc.js',
    durable: false,
    readPath: '/userinfo',
    readScope: 'openid photos:read',
  },
  {
    name: 'oidc-provider, SQLite',
    about: 'oidc-provider with an adapter on SQLite (WAL, synchronous=NORMAL)',
    script: 'oidc.js',
    durable: true,
    readPath: '/userinfo',
    readScope: 'openid photos:read',
  },
  {
    name: 'node-oauth2-server, SQLite',
    about: '@node-oauth/oauth2-server on bare node:http with SQLite (WAL, synchronous=NORMAL)',
    script: 'node-oauth2.js',
    durable: true,
    lacks: ['introspect', 'revoke', ...jwtOperations],
  },
  {
    name: 'node-oauth2-server, fsynced',
    about: 'the same with an fsync for each commit (synchronous=FULL)',
    script: 'node-oauth2.js',
    durable: true,
    fsynced: true,
    lacks: ['introspect', 'revoke', ...jwtOperations],
  },
  {
    name: 'jmondi, SQLite',
    about: '@jmondi/oauth2-server on bare node:http with SQLite (WAL, synchronous=NORMAL), HS256',
    script: 'jmondi.js',
    durable: true,
    lacks: ['read', ...jwtOperations],
    revoked: '{}',
  },
  {
    name: 'jmondi, fsynced',
    about: 'the same with an fsync for each commit (synchronous=FULL)',
    script: 'jmondi.js',
    durable: true,
    fsynced: true,
    lacks: ['read', ...jwtOperations],
    revoked: '{}',
  },
]

const offered: readonly Operation[] = [
  'token',
  'code',
  'token-jwt',
  ...idTokenOperations,
  'refresh',
  'introspect',
  'revoke',
  'read',
  'journey',
]

/** @param place a folder for their databases */
export const peers = (place: string): readonly Subject[] =>
  list.map(({ name, about, script, durable, fsynced = false, lacks = [], ...own }, i) => ({
    name,
    about,
    kind: 'peer',
    durable,
    fsynced,
    stored: null,
    offers: offered.filter((operation) => !lacks.includes(operation)),
    introspects: !lacks.includes('introspect'),
    awake: isPinned,
    readPath: own.readPath ?? '/api/photos',
    scope: 'photos:read',
    readScope: own.readScope ?? 'photos:read',
    revoked: own.revoked ?? '',
    // Registered in `serve.js`, and used with `oidc-provider` alone.
    jwtClient: async () => ({ id: 'order-report', secret: 'order-report-secret' }),
    idTokenClient: async () => ({ ...application, id: 'photo-printer-es256' }),
    spawn: (port) =>
      spawnNode('server', [
        join(folder, script),
        String(port),
        durable ? join(place, `peer-${i}.db`) : 'memory',
        ...(fsynced ? ['full'] : []),
      ]),
  }))
