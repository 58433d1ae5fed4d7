// The service as callers that leave see it: it holds its answers, or gives long ones, and counts what is under way.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Key } from '../../product/keys.ts'

export type Behaviour = 'holds' | 'answers at length' | 'answers'
export type SlowOrigin = AsyncDisposable & {
  readonly url: string
  behaviour: Behaviour
  /** Calls that have arrived and are not over. */
  underWay(): number
  /** Answers those that are held. */
  release(): void
}

const keyPath = '/internal/keys/'
const long = Buffer.alloc(1024 * 1024, 0x20)

export async function slowOrigin(keys: readonly Key[]): Promise<SlowOrigin> {
  const records = new Map(keys.map(({ hash, record }) => [keyPath + hash, JSON.stringify(record)]))
  const held = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const { url = '' } = request
    const record = records.get(url)
    request.on('error', () => {}).resume()
    if (record !== undefined) response.end(record)
    else if (!url.startsWith('/api/')) response.end('{"changes":[],"complete":true}')
    else serve(response)
  })
  function serve(response: ServerResponse): void {
    if (self.behaviour === 'answers') return void response.end('{}')
    held.add(response)
    response.once('close', () => held.delete(response))
    if (self.behaviour === 'answers at length') response.writeHead(200, { 'content-length': long.length }).end(long)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const self: SlowOrigin = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behaviour: 'answers',
    underWay: () => held.size,
    release: () => held.forEach((response) => response.end('{}')),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return self
}
