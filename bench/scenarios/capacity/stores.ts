// The processes of Redis and RabbitMQ, where they run on this machine: what a call costs there is told as well.
import { readFileSync, readdirSync } from 'node:fs'
import { Redis } from 'ioredis'
import { redisUrl } from '../../product/settings.ts'

export type Stores = { readonly redis: readonly number[]; readonly rabbit: readonly number[] }

export async function findStores(): Promise<Stores> {
  return { redis: [await redisPid()], rabbit: rabbitPids() }
}

async function redisPid(): Promise<number> {
  const client = new Redis(redisUrl)
  try {
    return Number(/^process_id:(\d+)/m.exec(await client.info('server'))?.[1])
  } finally {
    client.disconnect()
  }
}

/** Erlang runs it under a name of its own. */
const rabbitPids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(name).includes('rabbit'))
    .filter((name) => commandOf(name).includes('beam.smp'))
    .map(Number)

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
