// A webhook receiver on loopback that keeps every request, to the byte, and answers with the given statuses.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from './eventually.ts'

export type ReceivedCall = {
  readonly at: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** What it was answered; null as long as it was not. */
  readonly status: number | null
}
type Said = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body?: string }
type Answer = (call: ReceivedCall, number: number) => number | Said | Promise<number | Said>

export type Receiver = AsyncDisposable & {
  readonly url: string
  readonly calls: readonly ReceivedCall[]
  /** Resolves once there have been this many calls. */
  count(calls: number, withinMs?: number): Promise<readonly ReceivedCall[]>
}

type Kept = Pick<ReceivedCall, 'headers' | 'body'>
type ReceiverOptions = {
  readonly listenAt?: number
  /** What stays of a call: all of it, unless said. */
  readonly keep?: (call: Kept) => Kept
}

/** `answers` are the statuses of the first calls, the last one holds for the rest; or a function. */
export async function startReceiver(
  answers: readonly number[] | Answer = [200],
  { listenAt = 0, keep = (call) => call }: ReceiverOptions = {},
): Promise<Receiver> {
  const calls: ReceivedCall[] = []
  const answer: Answer =
    typeof answers === 'function' ? answers : (_call, number) => answers[Math.min(number, answers.length) - 1] ?? 200
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const [at, body] = [Date.now(), Buffer.concat(chunks)]
      const call = { at, ...keep({ headers: request.headers, body }), status: null as number | null }
      calls.push(call)
      void Promise.resolve(answer(call, calls.length)).then((given) => {
        const said: Said = typeof given === 'number' ? { status: given, headers: {} } : given
        call.status = said.status
        response.writeHead(said.status, said.headers).end(said.body ?? 'thanks')
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(listenAt, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    calls,
    count: (wanted, withinMs) =>
      eventually(() => (calls.length >= wanted ? calls : null), `${wanted} deliveries`, withinMs),
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
