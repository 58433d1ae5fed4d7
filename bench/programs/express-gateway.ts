// A peer of the gateway: express-gateway as its documentation sets it up, with a key and a rate limit, on Redis. No
// dependency of this project: bench/README.md says how it comes to be there.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { freePort } from '../measure/free-port.ts'
import { readPlan, report } from '../measure/plan.ts'
import { gatewayConfig, packageName, systemConfig, type LimitBy } from '../peers/express-gateway.ts'

export type Credential = { readonly id: string; readonly secret: string }
export type Plan = {
  readonly origin: string
  readonly redis: string
  /** Of all that it keeps in Redis. */
  readonly namespace: string
  readonly limitBy: LimitBy
  /** Of its configuration, made here. */
  readonly folder: string
  /** Each of a consumer of its own. */
  readonly keys: readonly Credential[]
}
type ExpressGateway = () => { load(folder: string): { run(): Promise<unknown> } }

const { origin, redis, namespace, limitBy, folder, keys } = readPlan() as Plan
const [port, adminPort] = [await freePort(), await freePort()]
// It writes a line for each request at any lower level.
process.env['LOG_LEVEL'] = 'error'
const load = createRequire(import.meta.url)
mkdirSync(folder)
cpSync(join(dirname(load.resolve(packageName)), 'config/models'), join(folder, 'models'), { recursive: true })
writeFileSync(join(folder, 'gateway.config.yml'), gatewayConfig({ port, adminPort, origin, limitBy }))
writeFileSync(join(folder, 'system.config.yml'), systemConfig(redis, namespace))

const expressGateway = load(packageName) as ExpressGateway
await expressGateway().load(folder).run()
for (const { id: keyId, secret: keySecret } of keys) {
  await made('users', { username: keyId, firstname: 'Bench', lastname: 'Bench' })
  await made('credentials', { consumerId: keyId, type: 'key-auth', credential: { keyId, keySecret } })
}
report({ url: `http://127.0.0.1:${port}` })
process.once('SIGTERM', () => process.exit(0))

async function made(kind: string, body: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${adminPort}/${kind}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`POST /${kind} answered ${answer.status} ${await answer.text()}`)
  await answer.body?.cancel()
}
