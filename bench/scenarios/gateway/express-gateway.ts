// The rows of express-gateway, where it can be resolved.
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { scratchFile } from '../../measure/child.ts'
import { serveProgram } from '../../measure/program.ts'
import type { Row } from '../../measure/rounds.ts'
import { isExpressGatewayThere, type LimitBy } from '../../peers/express-gateway.ts'
import { newDeployment, redisUrl } from '../../product/settings.ts'
import type { Credential, Plan } from '../../programs/express-gateway.ts'
import type { Asking } from './calls.ts'
import { against, type Setting } from './rows.ts'

/** It asks Redis for its key in each request, so that more of them would cost it no more. */
const keyCount = 64

export const expressGateways = (setting: Setting): Row[] =>
  isExpressGatewayThere()
    ? [
        expressGateway('express-gateway', 'address', setting),
        expressGateway('express-gateway, limit by consumer', 'consumer', setting),
      ]
    : []

const expressGateway = (name: string, limitBy: LimitBy, setting: Setting): Row => ({
  name,
  measure: async () => {
    const namespace = newDeployment().brand
    const keys = Array.from({ length: keyCount }, (): Credential => ({ id: randomUUID(), secret: randomUUID() }))
    const folder = scratchFile('express-gateway')
    const plan: Plan = { origin: setting.origin, redis: redisUrl, namespace, limitBy, folder, keys }
    await using _left = { [Symbol.asyncDispose]: () => removeAll(namespace) }
    await using server = await serveProgram('express-gateway', 'measured', plan)
    return await against(server, { ...setting, asking: withCredentials(setting.asking, keys) })
  },
})

/** The same paths, with these keys in turn. */
function withCredentials({ expect, target }: Asking, keys: readonly Credential[]): Asking {
  let turn = 0
  const next = (): string => {
    const key = keys[turn++ % keys.length]
    return `${key?.id}:${key?.secret}`
  }
  return { expect, target: (key) => ({ ...target(key), headers: { 'x-api-key': next() } }) }
}

async function removeAll(namespace: string): Promise<void> {
  const redis = new Redis(redisUrl)
  try {
    for await (const found of redis.scanStream({ match: `${namespace}*`, count: 1_000 }))
      if (found.length > 0) await redis.del(found)
  } finally {
    redis.disconnect()
  }
}
