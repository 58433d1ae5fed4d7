// The receivers of the sample webhooks: one server, and a path for each way to answer.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { commandHeader } from '#contract/webhook-headers.ts'

export type Receivers = { readonly port: number; close(): Promise<void> }

const slowMs = 1_500

/** What is sent to `/<name>`, as the name says. The number counts the requests to that path. */
const answers = {
  accepts: (response: ServerResponse) => response.writeHead(204).end(),
  slow: async (response: ServerResponse) => {
    await pause(slowMs)
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"queued":true}')
  },
  flaky: (response: ServerResponse, number: number) =>
    number % 3 === 1 ? response.writeHead(503).end('Please come again.') : response.writeHead(200).end('Taken.'),
  fails: (response: ServerResponse) =>
    response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Internal Server Error</h1>'),
  // A dead letter at once: the header asks not to be tried again.
  rejects: (response: ServerResponse, _number: number, brand: string) =>
    response
      .writeHead(422, { [commandHeader(brand)]: 'abort', 'content-type': 'application/json' })
      .end('{"error":"unknown customer"}'),
  gone: (response: ServerResponse) => response.writeHead(410).end(),
} as const
export type ReceiverName = keyof typeof answers

/** `port`: 0 for one that is free. */
export async function startReceivers(port: number, brand: string): Promise<Receivers> {
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1)
    request.resume().on('end', () => {
      if (!Object.hasOwn(answers, name)) return response.writeHead(404).end()
      const number = (counts.get(name) ?? 0) + 1
      counts.set(name, number)
      return answers[name as ReceiverName](response, number, brand)
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
