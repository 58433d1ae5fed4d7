import { mkdirSync, writeFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { dirname, join } from 'node:path'
import { connect } from 'amqplib'
import { eventually } from '../eventually.ts'
import { run } from '../run-program.ts'
import { freePort, installed, launch, privateFolder, serve, type Server } from './server.ts'

// Debian's wrapper in /usr/sbin changes the user and the folders; this is the program behind it.
export const rabbitBinary = (): string | null =>
  installed('/usr/lib/rabbitmq/bin/rabbitmq-server', '/opt/rabbitmq/sbin/rabbitmq-server')

export async function rabbitAnswers(url: string): Promise<void> {
  const connection = await connect(url, { timeout: 2_000 })
  await connection.close()
}

type Node = { readonly port: number; readonly distribution: number; readonly folder: string }
/** What nodes of one cluster share. */
type Cluster = { readonly home: string; readonly epmdPort: number; readonly nodes: readonly Node[] }
/** Over TLS the node is reached at a port of its own. */
type Tls = { readonly port: number; readonly certificate: Certificate }
/** In PEM. */
type Certificate = { readonly cert: string; readonly key: string }

/** Runs `rabbitmqctl` with these arguments, and resolves with what it prints. */
type Control = (...args: readonly string[]) => Promise<string>
export type RabbitNode = Server & { readonly name: string; readonly control: Control }

/** A broker that shares no name, port, folder or cookie with another. Null where RabbitMQ is not installed. */
export async function startRabbit(): Promise<RabbitNode | null> {
  const rabbit = rabbitBinary()
  return rabbit === null ? null : startNode(rabbit, await freshNode())
}

/** The same, reached over TLS as well, with this certificate. Only where RabbitMQ is installed. */
export async function startRabbitWithTls(certificate: Certificate): Promise<RabbitNode & { readonly tlsUrl: string }> {
  const port = await freePort()
  const node = await startNode(rabbitBinary() ?? '', await freshNode(), { tls: { port, certificate } })
  return { ...node, tlsUrl: `amqps://guest:guest@127.0.0.1:${port}` }
}

export type RabbitCluster = AsyncDisposable & {
  readonly nodes: readonly RabbitNode[]
  /** With the addresses of all of them. */
  readonly url: string
}

/** Three nodes of one cluster, with a port mapper of their own. Only where RabbitMQ is installed. */
export async function startRabbitCluster(): Promise<RabbitCluster> {
  await using undo = new AsyncDisposableStack()
  const home = privateFolder('rabbit-cluster')
  // The mapper that a node starts itself would stay when the node is gone.
  const mapper = undo.use(await startPortMapper(home))
  const nodes = [await freshNode(), await freshNode(), await freshNode()]
  const cluster = { home, epmdPort: Number(new URL(mapper.url).port), nodes }
  const startOne = async (node: Node) => undo.use(await startNode(rabbitBinary() ?? '', node, { cluster }))
  // The first forms the cluster, the others find it.
  const [first, ...others] = nodes
  const servers = [await startOne(first!), ...(await Promise.all(others.map(startOne)))]
  const kept = undo.move()
  const url = `amqp://guest:guest@${servers.map((server) => new URL(server.url).host).join()}`
  return { nodes: servers, url, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** The node that leads a quorum queue with so many members online, as `rabbitmqctl` says at any node. */
export async function leaderOf(
  nodes: readonly RabbitNode[],
  queue: string,
  online = nodes.length,
): Promise<RabbitNode> {
  const found = async (): Promise<RabbitNode | null> => {
    const columns = ['name', 'leader', 'online', '--no-table-headers']
    const asked = await Promise.any(nodes.map(({ control }) => control('list_queues', ...columns))).catch(() => '')
    const rows = asked.split('\n').map((row) => row.split('\t'))
    const [, leader, members = ''] = rows.find(([name]) => name === queue) ?? []
    return members.split(',').length < online ? null : (nodes.find(({ name }) => name === leader) ?? null)
  }
  return eventually(found, `a leader of ${queue}`, 60_000)
}

async function freshNode(): Promise<Node> {
  return { port: await freePort(), distribution: await freePort(), folder: privateFolder('rabbit') }
}

const nameOf = ({ port }: Node): string => `test${port}@localhost`

type NodeOptions = { readonly cluster?: Cluster; readonly tls?: Tls }

async function startNode(rabbit: string, node: Node, { cluster, tls }: NodeOptions = {}): Promise<RabbitNode> {
  const { port, folder } = node
  const name = nameOf(node)
  const env = { ...environment(node), ...(cluster && sharedBy(cluster)) }
  const peers = (cluster?.nodes ?? []).map(
    (peer, at) => `cluster_formation.classic_config.nodes.${at + 1} = ${nameOf(peer)}`,
  )
  const server = await serve({
    name: 'RabbitMQ',
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    folder,
    launch: () => {
      mkdirSync(folder, { recursive: true })
      const lines = [`listeners.tcp.1 = 127.0.0.1:${port}`, ...peers, ...(tls ? tlsLines(folder, tls) : [])]
      writeFileSync(join(folder, 'rabbitmq.conf'), `${lines.join('\n')}\n`)
      return launch(rabbit, [], { cwd: folder, env })
    },
    answers: rabbitAnswers,
  })
  const control: Control = async (...args) => {
    const asked = await run(folder, join(dirname(rabbit), 'rabbitmqctl'), ['-q', '-n', name, ...args], env)
    if (asked.code !== 0) throw new Error(`rabbitmqctl ${args.join(' ')}: ${asked.output}`)
    return asked.output
  }
  return { ...server, name, control }
}

function tlsLines(folder: string, { port, certificate }: Tls): string[] {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  return [
    `listeners.ssl.1 = 127.0.0.1:${port}`,
    `ssl_options.certfile = ${file('certificate.pem', certificate.cert)}`,
    `ssl_options.keyfile = ${file('key.pem', certificate.key)}`,
  ]
}

function environment(node: Node) {
  const { folder, distribution } = node
  return {
    HOME: folder,
    RABBITMQ_NODENAME: nameOf(node),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'none'),
    // Without the shell in between that would turn a SIGKILL into an orphan.
    RUNNING_UNDER_SYSTEMD: 'true',
  }
}

/** The cookie lies in the home folder. One scheduler each, which does not wait busily. */
const sharedBy = ({ home, epmdPort }: Cluster) => ({
  HOME: home,
  ERL_EPMD_PORT: String(epmdPort),
  RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none',
})

async function startPortMapper(folder: string): Promise<Server> {
  const port = await freePort()
  return serve({
    name: 'epmd',
    url: `tcp://127.0.0.1:${port}`,
    folder,
    launch: () => launch('epmd', ['-port', String(port), '-address', '127.0.0.1']),
    answers: () =>
      new Promise((resolve, reject) => {
        const socket = connectSocket(port, '127.0.0.1', () => (socket.end(), resolve()))
        socket.on('error', reject)
      }),
  })
}
