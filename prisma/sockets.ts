// Keeps every socket to the database, so that all can be destroyed at once when the database stops answering: what
// waits for an answer then fails at once.
import { Socket } from 'node:net'

export type Sockets = {
  /** Makes a socket for the driver, which connects it. */
  readonly make: () => Socket
  /** The bytes that have come so far on the open sockets. */
  readonly bytesRead: () => number
  /** Destroys the open sockets and every new one until `reopen`. */
  shut(): void
  reopen(): void
}

/** An error like those of the system: by that the driver's adapter recognizes a lost connection. */
const away = (): Error =>
  Object.assign(new Error('The database does not answer'), { code: 'ECONNRESET', syscall: 'read', errno: -104 })

export function openSockets(): Sockets {
  const open = new Set<Socket>()
  let isShut = false

  function make(): Socket {
    const socket = new Socket()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // The driver adds its listeners after this function has returned.
    if (isShut) process.nextTick(() => socket.destroy(away()))
    return socket
  }
  function shut(): void {
    isShut = true
    for (const socket of open) socket.destroy(away())
  }
  const bytesRead = () => open.values().reduce((sum, socket) => sum + socket.bytesRead, 0)
  return { make, bytesRead, shut, reopen: () => void (isShut = false) }
}
