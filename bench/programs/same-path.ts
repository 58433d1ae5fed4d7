// A peer of the gateway: the same path without a policy. As in the gateway a request is taken from Node's server before
// any framework, each header is read once on either way, and a whole small answer leaves in one write with its head.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool, type Dispatcher } from 'undici'
import { connections } from '../measure/requests.ts'
import { readPlan, report } from '../measure/plan.ts'

export type Plan = { readonly origin: string }

const oneWriteBytesMax = 16 * 1024
const bodyBytesMax = 1024 * 1024
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
])
const notForwarded = new Set([...hopByHop, 'host', 'expect'])

const { origin } = readPlan() as Plan
const { host } = new URL(origin)
const pool = new Pool(origin, { connections, pipelining: 1 })
const server = createServer((request, response) => {
  if (request.method === 'GET') forward(request, response, null)
  else readBody(request, (body) => forward(request, response, body))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
report({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
process.once('SIGTERM', () => process.exit(0))

function forward(
  { method = '', url = '', rawHeaders }: IncomingMessage,
  response: ServerResponse,
  body: Buffer | null,
) {
  const headers = ['host', host]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (!notForwarded.has(name.toLowerCase())) headers.push(name, rawHeaders[at + 1] ?? '')
  }
  pool.dispatch({ method, path: url, headers, body }, new Answer(response))
}

function readBody(request: IncomingMessage, whole: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > bodyBytesMax) request.destroy()
    else chunks.push(chunk)
  })
  request.once('end', () => whole(Buffer.concat(chunks)))
}

/** A class with undici's handler methods of the first form, as the gateway's: they are taken without a wrapper. */
class Answer implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse
  #abort = (): void => {}
  #resume = (): void => {}
  #wholeBytes: number | null = null
  #isOver = false

  constructor(response: ServerResponse) {
    this.#response = response
    response.once('close', () => {
      if (!this.#isOver) this.#abort()
    })
  }

  onConnect(abort: () => void): void {
    this.#abort = abort
    if (this.#response.destroyed) abort()
  }

  onHeaders(status: number, rawHeaders: Buffer[], resume: () => void): boolean {
    if (status < 200) return true
    this.#resume = resume
    const headers: string[] = []
    let length: number | null = null
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at]?.toString('latin1') ?? ''
      const lower = name.toLowerCase()
      if (hopByHop.has(lower)) continue
      const value = rawHeaders[at + 1]?.toString('latin1') ?? ''
      if (lower === 'content-length') length = Number(value)
      headers.push(name, value)
    }
    this.#response.writeHead(status, headers)
    if (length !== null && length <= oneWriteBytesMax) this.#wholeBytes = length
    else this.#response.on('drain', resume)
    return true
  }

  onData(chunk: Buffer): boolean {
    const isWhole = chunk.length === this.#wholeBytes
    if (isWhole) this.#response.end(chunk.toString('latin1'), 'latin1')
    if (isWhole) return true
    if (this.#wholeBytes !== null) this.#response.on('drain', this.#resume)
    this.#wholeBytes = null
    return this.#response.write(chunk)
  }

  onComplete(): void {
    this.#isOver = true
    if (!this.#response.writableEnded) this.#response.end()
  }

  onError(): void {
    this.#isOver = true
    this.#response.destroy()
  }
}
