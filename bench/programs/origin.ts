// The origin behind both proxies in place of the service: the cheapest server that answers them. The API gives one
// fixed document of about a kilobyte; the gateway's question for a key gives that key's record.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { internalPaths } from '#contract/internal/endpoint-paths.ts'
import type { RecentKeyChanges } from '#contract/internal/key-changes.ts'
import type { KeyRecord } from '#contract/internal/key-record.ts'
import { readPlan, report } from '../measure/plan.ts'

/** Key records by the hash that the gateway asks with. */
export type Plan = { readonly keys: Readonly<Record<string, KeyRecord>> }

const keyPath = `${internalPaths.keyByHash}/`
/** A gateway that is not told of changes would not keep its keys. */
const noChanges = JSON.stringify({ changes: [], complete: true } satisfies RecentKeyChanges)
const { keys } = readPlan() as Plan
const document = JSON.stringify({
  data: Array.from({ length: 13 }, (_, id) => ({
    id,
    name: `item ${id}`,
    state: 'active',
    tags: ['a', 'b'],
    total: 12.5,
  })),
  next: null,
})

const server = createServer((request, response) => {
  const { url = '', method } = request
  if (url.startsWith(keyPath)) return answer(response, JSON.stringify(keys[url.slice(keyPath.length)]))
  if (url.startsWith(internalPaths.keyChanges)) return answer(response, noChanges)
  if (method === 'GET') return answer(response, document)
  request.resume().once('end', () => response.writeHead(204).end())
})
server.listen(0, '127.0.0.1', () => report({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
process.once('SIGTERM', () => process.exit(0))

function answer(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}
