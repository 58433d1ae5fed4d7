// HTTP as bytes on a socket, for what an HTTP client would not let a test say.
import { connect, type Socket } from 'node:net'
import { eventually } from '../../support/eventually.ts'

export type Wire = {
  readonly socket: Socket
  send(text: string): void
  /** All that has come so far. */
  heard(): string
  /** Waits for the text and takes it, with all before it, out of what was heard. */
  hear(text: string): Promise<string>
  closed(): boolean
}

export async function openWire(port: number, text = ''): Promise<Wire> {
  const socket = connect(port, '127.0.0.1')
  let heard = ''
  let closed = false
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')))
  socket.on('close', () => (closed = true))
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(text)
  return {
    socket,
    send: (text) => void socket.write(text),
    heard: () => heard,
    hear: async (text) => {
      await eventually(() => heard.includes(text), `${text} in ${heard.slice(0, 300)}`, 5_000)
      const end = heard.indexOf(text) + text.length
      const taken = heard.slice(0, end)
      heard = heard.slice(end)
      return taken
    },
    closed: () => closed,
  }
}

type Rest = { readonly token?: string; readonly headers?: readonly string[]; readonly body?: string }
/** A whole request, or as much of it as is given. `line` is `<method> <path>`; what is uploaded is called JSON. */
export function requestText(line: string, { token, headers = [], body = '' }: Rest = {}): string {
  const authorization = token === undefined ? [] : [`authorization: Bearer ${token}`]
  const type = /^(?:POST|PUT|PATCH) /.test(line) ? ['content-type: application/json'] : []
  return [`${line} HTTP/1.1`, 'host: gateway', ...authorization, ...type, ...headers, '', body].join('\r\n')
}

/** So many connections, on each of which a request is sent, or what is made for its number. */
export const sendOnEach = (port: number, count: number, text: string | ((at: number) => string)): Promise<Wire[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => openWire(port, typeof text === 'string' ? text : text(at))))
