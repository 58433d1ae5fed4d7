// An HTTP server on loopback that only this process gets an answer from, and the connections that lead to it. The
// system chooses the port, when the first connection is asked for: without sandboxes there is none.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { buildConnector } from 'undici'
import { boundAnswers, timeOpening } from '../attempt/connection-hooks.ts'
import { ConnectError } from '../attempt/network-errors.ts'

export type OwnListener = {
  /** Leads here, whatever the URL. */
  readonly connector: buildConnector.connector
  /** Whether it listens at this port. */
  isOwnPort(port: number): boolean
  close(): Promise<void>
}

const host = '127.0.0.1'

export function openOwnListener(onRequest: (request: IncomingMessage, response: ServerResponse) => void): OwnListener {
  /** By the ports from which this process is connected. */
  const connected = new Map<number, Socket>()
  let listening: Promise<number> | null = null
  let port: number | null = null
  const server = createServer((request, response) => {
    if (connected.has(request.socket.remotePort ?? 0)) onRequest(request, response)
    else response.writeHead(404, { connection: 'close' }).end()
  })

  function listen(): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    server.once('error', reject)
    server.listen(0, host, () => {
      port = (server.address() as AddressInfo).port
      resolve(port)
    })
    return promise
  }

  function noteOwn(socket: Socket): void {
    const from = socket.localPort ?? 0
    connected.set(from, socket)
    // The system may have given the port to another connection meanwhile.
    socket.once('close', () => connected.get(from) === socket && connected.delete(from))
  }

  const connector: buildConnector.connector = (_options, callback) => {
    const fail = (error: Error) => callback(new ConnectError(error), null)
    listening ??= listen().catch((error: unknown) => {
      listening = null
      throw error
    })
    listening.then((at) => {
      const socket = connect({ host, port: at })
      timeOpening(socket)
      socket.once('error', fail)
      socket.once('connect', () => {
        socket.off('error', fail)
        noteOwn(socket)
        boundAnswers(socket)
        callback(null, socket)
      })
    }, fail)
  }

  async function close(): Promise<void> {
    server.closeAllConnections()
    if (port !== null) await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { connector, isOwnPort: (at) => at === port, close }
}
