// Several Redis servers of a test's own: a cluster of three, or one with a replica and a sentinel that watches it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { eventually } from '../eventually.ts'
import { redisAnswers, redisBinary, startRedis } from './redis.ts'
import { freePort, launch, privateFolder, serve, type Server } from './server.ts'

type Several = AsyncDisposable & { readonly url: string }
type WithSentinel = Several & { /** The server dies, and the replica takes its place. */ failOver(): Promise<void> }

const slots = 16_384

/** Null where Redis is not installed. */
export async function startCluster(): Promise<Several | null> {
  await using undo = new AsyncDisposableStack()
  const servers: Server[] = []
  const busPorts: number[] = []
  for (let at = 0; at < 3; at++) {
    const busPort = await freePort()
    const server = await startRedis(['--cluster-enabled', 'yes', '--cluster-port', String(busPort)])
    if (server === null) return null
    servers.push(undo.use(server))
    busPorts.push(busPort)
  }
  const nodes = servers.map(({ url }) => undo.adopt(new Redis(url), (redis) => redis.disconnect()))
  for (const [at, node] of nodes.entries()) {
    const [from, to] = [at, at + 1].map((share) => Math.round((slots * share) / nodes.length))
    await node.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String((to ?? 0) - 1))
    await nodes[0]!.call('CLUSTER', 'MEET', '127.0.0.1', portOf(servers[at]!), String(busPorts[at]))
  }
  for (const node of nodes)
    await eventually(async () => {
      const info = await node.cluster('INFO')
      return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3')
    }, 'the nodes of the cluster know each other')
  const kept = undo.move()
  const url = `redis-cluster://${servers.map(hostOf).join(',')}`
  return { url, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

type Replicated = AsyncDisposable & {
  readonly first: Server
  readonly second: Server
  /** The replica is promoted, and the first server follows it. Both go on answering. */
  swap(): Promise<void>
}

/** A server and its replica, which has what it has. Null where Redis is not installed. */
export async function startReplicated(): Promise<Replicated | null> {
  await using undo = new AsyncDisposableStack()
  // Replicas need not wait for others to be served with them.
  const first = await startRedis(['--repl-diskless-sync-delay', '0'])
  if (first === null) return null
  undo.use(first)
  const second = undo.use((await startRedis(['--replicaof', '127.0.0.1', portOf(first)]))!)
  const [leader, follower] = [first, second].map(({ url }) => undo.adopt(new Redis(url), (redis) => redis.disconnect()))
  leader!.on('error', () => {})
  await eventually(async () => (await follower!.info('replication')).includes('master_link_status:up'), 'it follows')
  const kept = undo.move()
  const swap = async () => {
    await follower!.replicaof('NO', 'ONE')
    await leader!.replicaof('127.0.0.1', portOf(second))
  }
  return { first, second, swap, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** A server, its replica, and a sentinel, which is told which of them to name: it decides too late by itself. */
export async function startWithSentinel(): Promise<WithSentinel | null> {
  await using undo = new AsyncDisposableStack()
  const pair = await startReplicated()
  if (pair === null) return null
  const { first, second } = undo.use(pair)
  const sentinel = undo.use(await startSentinel(first))
  const watcher = undo.adopt(new Redis(sentinel.url), (redis) => redis.disconnect())
  const follower = undo.adopt(new Redis(second.url), (redis) => redis.disconnect())
  const kept = undo.move()
  const failOver = async () => {
    await first.stop('SIGKILL')
    await follower.replicaof('NO', 'ONE')
    await watcher.call('SENTINEL', 'REMOVE', 'main')
    await watcher.call('SENTINEL', 'MONITOR', 'main', '127.0.0.1', portOf(second), '1')
  }
  const url = `redis-sentinel://${hostOf(sentinel)}/main`
  return { url, failOver, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

async function startSentinel(watched: Server): Promise<Server> {
  const port = await freePort()
  const folder = privateFolder('sentinel')
  const config = join(folder, 'sentinel.conf')
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor main 127.0.0.1 ${portOf(watched)} 1`,
    'sentinel down-after-milliseconds main 3600000',
  ]
  return serve({
    name: 'Redis sentinel',
    url: `redis://127.0.0.1:${port}`,
    folder,
    answers: redisAnswers,
    launch: () => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(config, lines.join('\n'))
      return launch(redisBinary() ?? '', [config, '--sentinel'])
    },
  })
}

const hostOf = ({ url }: Server): string => new URL(url).host
const portOf = ({ url }: Server): string => new URL(url).port
