// Requests that may take longer to arrive than the server's `requestTimeout`, which Node knows for all of them alone:
// uploads, whose rate and time are bounded in other ways.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

const lasting = new WeakSet<Socket>()

/** Until the request has ended, its server ends it for no timeout. */
export function mayLast(request: IncomingMessage): void {
  const { socket } = request
  lasting.add(socket)
  request.once('close', () => lasting.delete(socket))
}

/** For the `clientError` of a server: whether it is the timeout of such a request, which goes on. */
export const goesOn = ({ code }: { readonly code?: string }, socket: Socket): boolean =>
  code === 'ERR_HTTP_REQUEST_TIMEOUT' && lasting.has(socket)
