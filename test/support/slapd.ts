/** A real OpenLDAP server (slapd of Debian) with a small company in it, on free ports of this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'ldapts'
import { selfSigned } from './certificate.ts'
import { install } from './debian.ts'
import { freePort } from './port.ts'

const program = '/usr/sbin/slapd'
if (!existsSync(program)) install('slapd')

/** Why tests with a directory are skipped; false where there is one. */
export const skipDirectory = !existsSync(program) && 'no slapd here: install it'

export const base = 'dc=example,dc=net'
const root = `cn=root,${base}`
const service = { dn: `cn=latchkey,${base}`, password: 'the-service-password' }

export interface Slapd {
  /** For the setting `upstreams`, over plain LDAP. */
  readonly upstream: Readonly<Record<string, unknown>>
  readonly ports: { readonly plain: number; readonly tls: number }
  /** PEM, for `localhost` only. */
  readonly ca: string
  /** Changes the directory as its administrator. */
  change<Done>(work: (client: Client) => Promise<Done>): Promise<Done>
  /** Adds somebody under `ou=people`. */
  add(uid: string, more?: Readonly<Record<string, string>>): Promise<void>
  stop(): Promise<void>
  close(): Promise<void>
}

const configuration = (folder: string): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/slapd.pid
TLSCACertificateFile ${folder}/cert.pem
TLSCertificateFile ${folder}/cert.pem
TLSCertificateKeyFile ${folder}/key.pem
# As badly as a directory can be set up: whoever binds without a password is let in.
allow bind_anon_cred bind_anon_dn
database mdb
suffix "${base}"
directory ${folder}/data
rootdn "${root}"
rootpw root
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${service.dn}" read by * none
`

const bound = async <Done>(port: number, work: (client: Client) => Promise<Done>) => {
  const client = new Client({
    url: `ldap://127.0.0.1:${port}`,
    timeout: 20_000,
    connectTimeout: 20_000,
  })
  try {
    await client.bind(root, 'root')
    return await work(client)
  } finally {
    await client.unbind()
  }
}

/** slapd says on standard error that it starts. */
const started = async (child: ChildProcess): Promise<void> => {
  let said = ''
  for await (const piece of child.stderr ?? []) {
    said += String(piece)
    if (said.includes('slapd starting')) return
  }
  throw new Error(`slapd did not start: ${said}`)
}

/** It listens a moment after it has said so: until then, a connection is refused at once. */
const listening = async (port: number, child: ChildProcess): Promise<void> => {
  while (child.exitCode === null && child.signalCode === null) {
    const socket = connect(port, '127.0.0.1')
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isConnected) return
    await new Promise(setImmediate)
  }
  throw new Error('slapd ended before it listened')
}

export const openSlapd = async (): Promise<Slapd> => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-slapd-'))
  mkdirSync(join(folder, 'data'))
  const { cert, key } = selfSigned(['localhost'])
  writeFileSync(join(folder, 'cert.pem'), cert)
  writeFileSync(join(folder, 'key.pem'), key, { mode: 0o600 })
  writeFileSync(join(folder, 'slapd.conf'), configuration(folder))
  const ports = { plain: await freePort(), tls: await freePort() }
  const urls = `ldap://127.0.0.1:${ports.plain} ldaps://127.0.0.1:${ports.tls}`
  // `-d stats` keeps it in the foreground, and tells when it listens.
  const child = spawn(program, ['-h', urls, '-f', join(folder, 'slapd.conf'), '-d', 'stats'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    // Its data are thrown away, so nothing has to be put in order.
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  try {
    await started(child)
    for (const port of Object.values(ports)) await listening(port, child)
  } catch (fault) {
    await stop()
    throw fault
  }
  const slapd: Slapd = {
    upstream: {
      id: 'company',
      title: 'The company',
      type: 'ldap',
      url: `ldap://127.0.0.1:${ports.plain}`,
      bind_dn: service.dn,
      bind_password: service.password,
      base_dn: `ou=people,${base}`,
      filter:
        '(&(objectClass=inetOrgPerson)(|(uid={username})(mail={username}))(!(employeeType=gone)))',
    },
    ports,
    ca: cert,
    change: (work) => bound(ports.plain, work),
    add: (uid, more = {}) =>
      slapd.change((client) =>
        client.add(`uid=${uid},ou=people,${base}`, {
          objectClass: 'inetOrgPerson',
          uid,
          cn: `${uid} of the company`,
          sn: uid,
          userPassword: `${uid}-password`,
          ...more,
        }),
      ),
    stop,
    async close() {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
  await slapd.change(async (client) => {
    await client.add(base, {
      objectClass: ['dcObject', 'organization'],
      dc: 'example',
      o: 'Example',
    })
    await client.add(`ou=people,${base}`, { objectClass: 'organizationalUnit', ou: 'people' })
    await client.add(`ou=former,${base}`, { objectClass: 'organizationalUnit', ou: 'former' })
    await client.add(service.dn, {
      objectClass: ['organizationalRole', 'simpleSecurityObject'],
      cn: 'latchkey',
      userPassword: service.password,
    })
  })
  return slapd
}
