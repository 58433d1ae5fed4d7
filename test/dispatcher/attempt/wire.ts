// A sender, and receivers on loopback that it sends to. Each ends with its test.
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { ranges } from '#runtime/ip-address.ts'
import { openSender, type SenderOptions } from '../../../dispatcher/attempt/send.ts'

/** May send to loopback, by http as well, and waits for longer than any test lasts. */
export function sender(more: Partial<SenderOptions> = {}) {
  const { send, close } = openSender({
    allowed: ranges(['127.0.0.0/8']),
    allowHttp: true,
    isOwnPort: () => false,
    proxy: null,
    timeoutMs: 60_000,
    ...more,
  })
  onTestFinished(close)
  return (url: string, headers: Record<string, string> = {}) => send(url, headers, Buffer.from('{"a":1}'))
}

export async function listening(server: Server) {
  const sockets = new Set<Socket>()
  let [connections, written] = [0, 0]
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      written += socket.bytesWritten
    })
  })
  onTestFinished(() => {
    sockets.forEach((socket) => socket.destroy())
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  /** How many connections there have been, how many there are, and what was written to those that have ended. */
  const seen = { connections: () => connections, open: () => sockets.size, written: () => written }
  return { url: `http://127.0.0.1:${port}/`, port, ...seen }
}

export const http = (answer: RequestListener) => listening(createHttp(answer))
export const tcp = (serve: (socket: Socket) => unknown) => listening(createTcp((socket) => void serve(socket)))
