// What nginx asks about each request (auth_request): keys in memory, the plain policy, 204 or a refusal.
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import { readPlan, report } from '../measure/plan.ts'
import { refusalOf } from '../peers/plain-policy.ts'

/** Key records by the hash of their token. */
export type Plan = { readonly keys: Readonly<Record<string, KeyRecord>> }

const { keys } = readPlan() as Plan
const server = createServer(({ headers }, response) => {
  const record = keys[hash('sha256', headers.authorization?.replace('Bearer ', '') ?? '', 'hex')]
  const method = String(headers['x-original-method'])
  const asked = { method, address: String(headers['x-real-ip']), contentLength: 0 }
  const status = record === undefined ? 401 : refusalOf(record, asked)
  response.writeHead(status ?? 204, record === undefined ? {} : { 'x-key-id': record.id }).end()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
report({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
process.once('SIGTERM', () => process.exit(0))
