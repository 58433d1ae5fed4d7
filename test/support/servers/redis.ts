import { mkdirSync, readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { freePort, installed, launch, privateFolder, serve, type Server } from './server.ts'

export const redisBinary = (): string | null => installed('/usr/bin/redis-server', '/usr/local/bin/redis-server')

export async function redisAnswers(url: string, ca?: string): Promise<void> {
  const once = { lazyConnect: true, retryStrategy: () => null, connectTimeout: 2_000 }
  const redis = new Redis(url, { ...once, ...(ca !== undefined && { tls: { ca } }) })
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
  } finally {
    redis.disconnect()
  }
}

/** Null where Redis is not installed. It keeps nothing. `options`: more arguments of its command line. */
export async function startRedis(options: readonly string[] = []): Promise<Server | null> {
  const redis = redisBinary()
  if (redis === null) return null
  const port = await freePort()
  return serveRedis(redis, `redis://127.0.0.1:${port}`, ['--port', String(port), ...options], redisAnswers)
}

type Files = Readonly<Record<'caFile' | 'certFile' | 'keyFile', string>>

/** The same over TLS alone. Only where Redis is installed. */
export async function startRedisWithTls({ caFile, certFile, keyFile }: Files): Promise<Server> {
  const port = await freePort()
  const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', caFile]
  const options = ['--port', '0', '--tls-port', String(port), ...files, '--tls-auth-clients', 'no']
  const ca = readFileSync(caFile, 'utf8')
  return serveRedis(redisBinary() ?? '', `rediss://127.0.0.1:${port}`, options, (url) => redisAnswers(url, ca))
}

function serveRedis(
  redis: string,
  url: string,
  options: readonly string[],
  answers: (url: string) => Promise<void>,
): Promise<Server> {
  const folder = privateFolder('redis')
  return serve({
    name: 'Redis',
    url,
    folder,
    launch: () => {
      mkdirSync(folder, { recursive: true })
      const place = ['--bind', '127.0.0.1', '--dir', folder]
      return launch(redis, [...place, '--save', '', '--appendonly', 'no', ...options])
    },
    answers,
  })
}
