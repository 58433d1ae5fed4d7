import { mkdirSync, writeFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { join } from 'node:path'
import { connect } from 'amqplib'
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

/** A broker that shares no name, port, folder or cookie with another. Null where RabbitMQ is not installed. */
export async function startRabbit(): Promise<Server | null> {
  const rabbit = rabbitBinary()
  return rabbit === null ? null : startNode(rabbit, await freshNode())
}

/** Three nodes of one cluster, with a port mapper of their own. Only where RabbitMQ is installed. */
export async function startRabbitCluster(): Promise<AsyncDisposable & { readonly nodes: readonly Server[] }> {
  await using undo = new AsyncDisposableStack()
  const home = privateFolder('rabbit-cluster')
  // The mapper that a node starts itself would stay when the node is gone.
  const mapper = undo.use(await startPortMapper(home))
  const nodes = [await freshNode(), await freshNode(), await freshNode()]
  const cluster = { home, epmdPort: Number(new URL(mapper.url).port), nodes }
  const startOne = async (node: Node) => undo.use(await startNode(rabbitBinary() ?? '', node, cluster))
  // The first forms the cluster, the others find it.
  const [first, ...others] = nodes
  const servers = [await startOne(first!), ...(await Promise.all(others.map(startOne)))]
  const kept = undo.move()
  return { nodes: servers, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function freshNode(): Promise<Node> {
  return { port: await freePort(), distribution: await freePort(), folder: privateFolder('rabbit') }
}

const nameOf = ({ port }: Node): string => `test${port}@localhost`

function startNode(rabbit: string, node: Node, cluster?: Cluster): Promise<Server> {
  const { port, folder } = node
  const peers = (cluster?.nodes ?? []).map(
    (peer, at) => `cluster_formation.classic_config.nodes.${at + 1} = ${nameOf(peer)}`,
  )
  return serve({
    name: 'RabbitMQ',
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    folder,
    launch: () => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'rabbitmq.conf'), `${[`listeners.tcp.1 = 127.0.0.1:${port}`, ...peers].join('\n')}\n`)
      return launch(rabbit, [], { cwd: folder, env: { ...environment(node), ...(cluster && sharedBy(cluster)) } })
    },
    answers: rabbitAnswers,
  })
}

function environment(node: Node): NodeJS.ProcessEnv {
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
const sharedBy = ({ home, epmdPort }: Cluster): NodeJS.ProcessEnv => ({
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
