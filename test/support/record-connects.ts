// Takes the place of the last step of every outgoing TCP connection of this process, the system call. What Node would
// have connected to is kept, and refused: whatever the code above it gets wrong, nothing leaves the machine.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { constants } from 'node:os'

type Connect = (this: object, request: object, address: string, port: number) => number
type Handle = { connect: Connect; connect6: Connect }

export type RecordedConnects = Disposable & {
  /** As `address:port`, in order. */
  readonly made: string[]
}

/** Connections that `passes` says yes to are kept, and made. */
type Passes = (address: string, port: number) => boolean

export async function recordConnects(passes: Passes = () => false): Promise<RecordedConnects> {
  const made: string[] = []
  const handle = await handleOfNode()
  const { connect, connect6 } = handle
  const recorder = (original: Connect): Connect =>
    function record(request, address, port) {
      made.push(`${address}:${port}`)
      return passes(address, port) ? original.call(this, request, address, port) : -constants.errno.ECONNREFUSED
    }
  Object.assign(handle, { connect: recorder(connect), connect6: recorder(connect6) })
  return { made, [Symbol.dispose]: () => void Object.assign(handle, { connect, connect6 }) }
}

/** What all of Node's TCP sockets have their system calls from; those of TLS pass theirs on to it. */
async function handleOfNode(): Promise<Handle> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { _handle: own } = server as unknown as { _handle: object }
  server.close()
  return Object.getPrototypeOf(own) as Handle
}
