// The origin behind both proxies in place of the service: the cheapest server that answers them. The API gives one
// fixed document of about a kilobyte; the gateway's question for a key gives that key's record.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { internalPaths, type RecentKeyChanges, type KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import { readPlan, report } from '../measure/plan.ts'

/** Key records by the hash that the gateway asks with. */
export type Plan = {
  readonly keys: Readonly<Record<string, KeyRecord>>
  /** Every other hash is that of a key like this one, with ids that are made from the hash. */
  readonly others?: KeyRecord
}

const keyPath = `${internalPaths.keyByHash}/`
/** A gateway that is not told of changes would not keep its keys. */
const noChanges = JSON.stringify({ changes: [], complete: true } satisfies RecentKeyChanges)
const { keys, others } = readPlan() as Plan
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
  if (url.startsWith(keyPath)) return answer(response, recordText(url.slice(keyPath.length)))
  if (url === internalPaths.keysByHash) return void answerKeys(request, response)
  if (url.startsWith(internalPaths.keyChanges)) return answer(response, noChanges)
  if (method === 'GET') return answer(response, document)
  request.resume().once('end', () => response.writeHead(204).end())
})
server.listen(0, '127.0.0.1', () => report({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
process.once('SIGTERM', () => process.exit(0))

async function answerKeys(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { hashes } = (await json(request)) as { hashes: string[] }
  answer(response, `{"keys":[${hashes.map((hash) => recordText(hash) ?? 'null').join()}]}`)
}

function recordText(hash: string): string {
  const known = keys[hash]
  if (known !== undefined || others === undefined) return JSON.stringify(known)
  const workspaces = others.workspaces.map((workspace) => ({ ...workspace, id: uuidOf(hash.slice(32)) }))
  return JSON.stringify({ ...others, id: uuidOf(hash), workspaces })
}

const uuidOf = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')

function answer(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body)
}
