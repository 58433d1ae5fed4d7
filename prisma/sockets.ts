// Every connection to the database, in whatever state it is: so that all of them can be ended at once when nothing comes
// back on any, and what waits for them learns of it.
import { Socket } from 'node:net'

export type Sockets = {
  /** For the driver, which connects it. */
  readonly make: () => Socket
  /** Bytes that have come so far on those that are open. */
  readonly bytesRead: () => number
  /** Ends all that there are, and each that is made from now on. */
  shut(): void
  reopen(): void
}

/** In the form of the system's own errors, which is how the driver's adapter tells a lost connection from a refusal. */
const away = (): Error =>
  Object.assign(new Error('The database does not answer'), { code: 'ECONNRESET', syscall: 'read', errno: -104 })

export function openSockets(): Sockets {
  const open = new Set<Socket>()
  let isShut = false

  function make(): Socket {
    const socket = new Socket()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // The driver listens to it only after it was made.
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
