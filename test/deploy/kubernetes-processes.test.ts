// The manifests as processes: commands, environment, users and grace periods are those of the rendered overlay. Only
// addresses are changed, to those of this machine.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientOf, must, type Tenant } from '../support/client.ts'
import { emptyPostgres } from '../support/database.ts'
import { dropQueues } from '../support/drop-queues.ts'
import { eventually } from '../support/eventually.ts'
import { figure, scrape } from '../support/exposition.ts'
import { canConfine, startContainer } from '../support/kubernetes-container.ts'
import { environmentOf, lacksKustomize, named, podOf, rendered, type Manifest } from '../support/kubernetes.ts'
import { startReceiver } from '../support/receiver.ts'
import { freePort } from '../support/servers/server.ts'
import { services } from '../support/services.ts'

const { postgres, redis, rabbit } = services()
const withinMs = 60_000

/** The commands of docs/operating/kubernetes.md, run as they stand there. */
function documentedSecrets(): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operating/kubernetes.md'), 'utf8')
  const [, commands = ''] = /<!-- one-node secrets -->\n```sh\n([^]*?)```/.exec(page) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  try {
    mkdirSync(join(folder, 'deploy/kubernetes/overlays/one-node'), { recursive: true })
    execFileSync('bash', ['-euc', commands], { cwd: folder })
    return readFileSync(join(folder, 'deploy/kubernetes/overlays/one-node/secrets.env'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts the container of a Deployment or Job and waits until its own probes are answered. */
async function startPod(
  manifests: readonly Manifest[],
  manifest: Manifest,
  change: Readonly<Record<string, string>> = {},
) {
  const pod = podOf(manifest)
  const container = pod.containers[0]!
  const [port, metricsPort] = [await freePort(), await freePort()]
  const portOf = (name: string | number) => (name === 'http' ? port : metricsPort)
  const own = environmentOf(manifests, container)
  const env = { ...own, ...change, ...('PORT' in own && { PORT: String(port) }), METRICS_PORT: String(metricsPort) }
  const running = startContainer(pod, container, env)
  const probe = async (which: 'startupProbe' | 'readinessProbe' | 'livenessProbe') => {
    const { path, port: name } = container[which]!.httpGet
    return fetch(`http://127.0.0.1:${portOf(name)}${path}`).then(({ status }) => status)
  }
  const isReady = async () => (await probe('startupProbe')) === 200 && (await probe('readinessProbe')) === 200
  return {
    running,
    probe,
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    isReady,
  }
}

async function readyPod(...given: Parameters<typeof startPod>) {
  const pod = await startPod(...given)
  let ended: string | null = null
  void pod.running.ended.then(({ output }) => (ended = output))
  await eventually(
    () => {
      if (ended !== null) throw new Error(ended)
      return pod.isReady().catch(() => false)
    },
    `${given[1].metadata.name} to be ready`,
    withinMs,
  )
  return pod
}

/** No rights, the user of the image, and a root that cannot be written to. */
function expectConfined(pid: number): void {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m)
  expect(status).toMatch(/^CapBnd:\t0+$/m)
  expect(status).toMatch(/^NoNewPrivs:\t1$/m)
  expect(readFileSync(`/proc/${pid}/mounts`, 'utf8')).toMatch(/^\S+ \/ \w+ ro,/m)
}

/** The address to upload to is that of the installation; here its pod is asked itself. Returns the id. */
async function upload({ api }: Tenant, url: string): Promise<string> {
  const { id, upload: wanted } = must(await api('POST', '/api/v1/files', { name: 'minutes.txt', bytes: 1 }))
  const { pathname, search } = new URL(wanted.url)
  const { status } = await fetch(url + pathname + search, { method: wanted.method, body: 'x' })
  expect(status).toBeLessThan(300)
  return id
}

test.skipIf(lacksKustomize || [postgres, redis, rabbit].includes(null))(
  'the pods of one node migrate, serve a call, deliver a webhook, and finish within their grace periods when they are told to stop',
  { timeout: 240_000 },
  async () => {
    await using undo = new AsyncDisposableStack()
    const { url, drop } = await emptyPostgres()
    undo.defer(drop)
    const brand = `kube-${randomUUID().slice(0, 8)}`
    undo.defer(() => dropQueues(rabbit ?? '', brand))
    const secrets = documentedSecrets()
    const here = { DATABASE_URL: url, REDIS_URL: redis ?? '', AMQP_URL: rabbit ?? '' }
    const lines = secrets.replaceAll(/^(\w+_URL)=.*$/gm, (_all, name: keyof typeof here) => `${name}=${here[name]}`)
    const settings = `BRAND=${brand}\nWEBHOOK_ALLOW_CIDRS=127.0.0.0/8\nWEBHOOK_ALLOW_HTTP=true\n`
    const manifests = rendered('one-node', lines, { settings })
    const of = (name: string) => named(manifests, name === 'migrate' ? 'Job' : 'Deployment', name)
    const operatorToken = /^OPERATOR_TOKEN=(.*)$/m.exec(secrets)?.[1] ?? ''

    const migrated = await startContainer(
      podOf(of('migrate')),
      podOf(of('migrate')).containers[0]!,
      environmentOf(manifests, podOf(of('migrate')).containers[0]!),
    ).ended
    expect(migrated).toMatchObject({ code: 0 })
    const [service, dispatcher] = await Promise.all([
      readyPod(manifests, of('service')),
      readyPod(manifests, of('dispatcher')),
    ])
    undo.use(service.running)
    undo.use(dispatcher.running)
    const gateway = await readyPod(manifests, of('gateway'), { SERVICE_URLS: service.url })
    undo.use(gateway.running)

    for (const { running } of [gateway, service, dispatcher]) if (canConfine) expectConfined(running.pid)
    await using receiver = await startReceiver()
    const tenant = await clientOf(gateway.url, operatorToken).tenant()
    must(await tenant.api('POST', '/api/v1/webhooks', { name: 'R', url: receiver.url, eventTypes: ['projects.*'] }))
    must(await tenant.api('POST', '/api/v1/projects', { name: 'From a pod' }))
    const file = await upload(tenant, gateway.url)
    await receiver.count(1)

    expect((await tenant.api('GET', `/api/v1/files/${file}`)).body).toMatchObject({ bytes: 1 })
    for (const pod of [gateway, service, dispatcher]) {
      expect(await pod.probe('livenessProbe')).toBe(200)
      expect(figure(await scrape(pod.metricsUrl), 'process_open_fds')).toBeGreaterThan(0)
    }
    const stopped = gateway.running.stop()
    await eventually(async () => (await gateway.probe('readinessProbe')) === 503, 'the gateway says that it stops')
    expect((await tenant.api('GET', '/api/v1/projects')).status).toBe(200)
    const ends = await Promise.all([stopped, service.running.stop(), dispatcher.running.stop()])
    expect(ends.map(({ code, signal }) => [code, signal])).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ])
  },
)
