import { mkdirSync } from 'node:fs'
import { Redis } from 'ioredis'
import { freePort, installed, launch, privateFolder, serve, type Server } from './server.ts'

export const redisBinary = (): string | null => installed('/usr/bin/redis-server', '/usr/local/bin/redis-server')

export async function redisAnswers(url: string): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 2_000 })
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
  const folder = privateFolder('redis')
  return serve({
    name: 'Redis',
    url: `redis://127.0.0.1:${port}`,
    folder,
    launch: () => {
      mkdirSync(folder, { recursive: true })
      const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
      return launch(redis, [...place, '--save', '', '--appendonly', 'no', ...options])
    },
    answers: redisAnswers,
  })
}
