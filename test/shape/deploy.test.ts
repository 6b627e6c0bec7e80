/** The files in `deploy/`: right for the programs that read them, and right for the service. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { DockerfileParser } from 'dockerfile-ast'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Service, ServiceAccount } from 'kubernetes-models/v1'
import { parse, parseAllDocuments } from 'yaml'
import { install } from '../support/debian.ts'
import { root } from './source.ts'

const folder = join(root, 'deploy')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

const place = mkdtempSync(join(tmpdir(), 'latchkey-deploy-'))
after(() => rmSync(place, { recursive: true }))

it('names only settings that there are', () => {
  const settings = readFileSync(join(root, 'docs/settings.md'), 'utf8')
  const known = new Set(settings.match(/\bLATCHKEY_[A-Z_]+\b/g))
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    const named = text.match(/\bLATCHKEY_[A-Z_]+\b/g) ?? []
    const unknown = named.filter(
      (name) => name !== 'LATCHKEY_NODES' && !known.has(name.replace(/_FILE$/, '')),
    )
    assert.deepEqual(unknown, [], entry.name)
  }
})

const systemd = '/usr/bin/systemd-analyze'
if (!existsSync(systemd)) install('systemd')

describe('the systemd unit', {
  skip: !existsSync(systemd) && 'no systemd here: install it',
}, () => {
  const analyze = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(systemd, args, { encoding: 'utf8' })
    return { status, text: `${stdout}${stderr}` }
  }

  it('is right for systemd', () => {
    const unit = read('latchkey.service')
      .replace('/usr/bin/node', process.execPath)
      .replace(/^User=.*\n^Group=.*\n/m, '')
    const file = join(place, 'latchkey.service')
    writeFileSync(file, unit)
    assert.deepEqual(analyze('verify', file), { status: 0, text: '' })
  })

  it('has a timer for backups, and a unit that makes one', () => {
    const unit = read('latchkey-backup.service')
      .replaceAll('/usr/bin/node', process.execPath)
      .replace(/^User=.*\n^Group=.*\n/m, '')
    const files = ['latchkey-backup.service', 'latchkey-backup.timer'].map((name) =>
      join(place, name),
    )
    writeFileSync(files[0] ?? '', unit)
    writeFileSync(files[1] ?? '', read('latchkey-backup.timer'))
    assert.deepEqual(analyze('verify', ...files), { status: 0, text: '' })
  })

  it('gives the service little: an exposure of at most 1.5 of 10', () => {
    const options = ['security', '--offline=yes', '--no-pager', '--threshold=15']
    const { status, text } = analyze(...options, join(folder, 'latchkey.service'))
    assert.equal(status, 0, text)
  })
})

describe('the Dockerfile', () => {
  const instructions = DockerfileParser.parse(read('Dockerfile')).getInstructions()
  const argumentsOf = (keyword: string) =>
    instructions
      .filter((instruction) => instruction.getKeyword() === keyword)
      .map((instruction) => instruction.getArgumentsContent() ?? '')

  it('begins with one image of an exact version', () => {
    assert.match(argumentsOf('ARG').join(), /^NODE_IMAGE=node:\d+\.\d+\.\d+-\w+-slim$/)
    for (const image of argumentsOf('FROM')) assert.match(image, /^\$\{NODE_IMAGE\}/)
  })

  it('copies what is there, or what a step before made', () => {
    const made = ['node_modules', 'dist']
    for (const copied of argumentsOf('COPY')) {
      const [, ...sources] = copied.split(' ').toReversed()
      for (const source of sources.filter((one) => !one.startsWith('--'))) {
        const path = source.replace(/^\/src\//, '')
        assert.ok(made.includes(path) || existsSync(join(root, path)), source)
      }
    }
  })

  it('lets into the build only what it copies', () => {
    const allowed = read('Dockerfile.dockerignore').split('\n')
    const copied = argumentsOf('COPY').flatMap((one) => one.split(' ').slice(0, -1))
    for (const source of copied.filter((one) => !one.startsWith('/src/'))) {
      assert.ok(allowed.includes(`!${source}`), source)
    }
  })

  it('runs as nobody in particular, checks its health, and holds no secret', () => {
    assert.deepEqual(argumentsOf('USER'), ['10001:10001'])
    assert.equal(argumentsOf('HEALTHCHECK').length, 1)
    assert.deepEqual(argumentsOf('ENTRYPOINT'), ['["node", "/opt/latchkey/bin/latchkey.js"]'])
    const told = [...argumentsOf('ENV'), ...argumentsOf('ARG')].join(' ')
    assert.doesNotMatch(told, /SECRET|PASSWORD|TOKEN/)
  })

  it('checks the health by a program that Node can run', () => {
    const [, text = ''] = /CMD (\[.*\])/s.exec(argumentsOf('HEALTHCHECK')[0] ?? '') ?? []
    const [, ...args] = JSON.parse(text)
    const env = { PORT: '9' }
    assert.equal(spawnSync(process.execPath, args, { env }).status, 1)
  })
})

it('the example for docker compose pins its images and keeps its secrets in files', () => {
  const { services, secrets } = parse(read('compose.yaml'))
  for (const [name, { image, environment }] of Object.entries<Record<string, unknown>>(
    services,
  ) as [string, { image: string; environment: Record<string, string> }][]) {
    assert.match(image, /:\d+\.\d+(\.\d+)?(-\w+)?$/, name)
    for (const [variable, value] of Object.entries(environment)) {
      if (/SECRET|PASSWORD|STORE/.test(variable)) assert.match(value, /^\/run\/secrets\//, variable)
    }
  }
  assert.deepEqual(Object.keys(secrets), ['root', 'database', 'store'])
  const { read_only, cap_drop, deploy } = services.latchkey
  assert.deepEqual([read_only, cap_drop, deploy], [true, ['ALL'], { replicas: 2 }])
})

describe('the manifests for Kubernetes', () => {
  const kinds = {
    ConfigMap,
    Deployment,
    Ingress,
    PodDisruptionBudget,
    Service,
    ServiceAccount,
  }
  const documents = parseAllDocuments(read('kubernetes/latchkey.yaml')).map((one) => one.toJS())

  it('are as the schemas of their kinds say', () => {
    assert.deepEqual(documents.map(({ kind }) => kind).toSorted(), Object.keys(kinds).toSorted())
    for (const document of documents) {
      const Kind = kinds[document.kind as keyof typeof kinds]
      new Kind(document).validate()
    }
  })

  it('are refused by those schemas where a member is wrong', () => {
    const [deployment] = documents.filter(({ kind }) => kind === 'Deployment')
    const wrong = { ...deployment, spec: { ...deployment.spec, replicas: 'two' } }
    assert.throws(() => new Deployment(wrong).validate())
  })

  it('run two nodes without rights, with probes, and name their secrets', () => {
    const [deployment] = documents.filter(({ kind }) => kind === 'Deployment')
    const { replicas, template } = deployment.spec
    assert.equal(replicas, 2)
    const [container] = template.spec.containers
    assert.equal(template.spec.securityContext.runAsNonRoot, true)
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const probes = ['startupProbe', 'readinessProbe', 'livenessProbe']
    assert.deepEqual(
      probes.map((name) => container[name].httpGet.path),
      ['/health/ready', '/health/ready', '/health/live'],
    )
    for (const { value } of container.env) assert.match(value, /^\/run\/secrets\//)
  })
})
