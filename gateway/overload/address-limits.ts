// Limits on what one address may have at once: connections, and calls under way. An address is that of the connection
// for the first and that of the caller for the second; a trusted proxy stands for many callers, and has no bound of its
// own.
import type { Server, Socket } from 'node:net'
import { Fault } from '#contract/faults/fault.ts'
import { contains, networkOf, parseAddress, type Address, type AddressRange } from '#runtime/ip-address.ts'
import type { RequestContext } from '../request/request-context.ts'

export type CallerBounds = {
  /** Of all addresses together. One more is closed without an answer. */
  readonly connectionsMax: number
  readonly connectionsPerAddressMax: number
  readonly callsPerAddressMax: number
  /** How long a connection stays open without a request. */
  readonly keepAliveSeconds: number
}
export const defaultCallerBounds: CallerBounds = {
  connectionsMax: 10_000,
  connectionsPerAddressMax: 512,
  callsPerAddressMax: 256,
  // The balancers of most clouds wait for a minute: they must not send a call on a connection that is being closed.
  keepAliveSeconds: 75,
}

/** Of the files that the process may have open, those kept for connections to services, Redis, and files. */
const keptForOthers = 512
const connectionsMin = 16

/** How many connections of callers the operating system leaves room for, if `openFiles` is its limit. */
export function connectionsThatFit({ connectionsMax }: CallerBounds, openFiles: number | null): number {
  if (openFiles === null) return connectionsMax
  const room = Math.max(openFiles - keptForOthers, Math.floor(openFiles / 4), connectionsMin)
  return Math.min(connectionsMax, room)
}

/** `refuse` is called with a connection that is one too many, before anything of it is read. */
export function limitConnections(
  server: Server,
  { connectionsMax, connectionsPerAddressMax }: CallerBounds,
  trustedProxies: readonly AddressRange[],
  refuse: (socket: Socket) => void,
): void {
  server.maxConnections = connectionsMax
  const open = countsUpTo(connectionsPerAddressMax)
  server.on('connection', (socket: Socket) => {
    const address = parseAddress(socket.remoteAddress?.split('%')[0] ?? '')
    if (address === null || contains(trustedProxies, address)) return
    const network = networkOf(address)
    if (open.enter(network)) socket.once('close', () => open.leave(network))
    else refuse(socket)
  })
}

/** Called when a call begins; the place is held until its response closes. Throws `rate_limited`. */
export type EnterCall = (context: RequestContext) => void

export function callsPerAddress(
  { callsPerAddressMax }: CallerBounds,
  trustedProxies: readonly AddressRange[],
): EnterCall {
  const running = countsUpTo(callsPerAddressMax)
  /** Null for those without a bound. All calls of a connection may share one address. */
  const networks = new WeakMap<Address, string | null>()

  function boundedNetwork(address: Address): string | null {
    const known = networks.get(address)
    if (known !== undefined) return known
    const network = contains(trustedProxies, address) ? null : networkOf(address)
    networks.set(address, network)
    return network
  }

  return (context) => {
    const { address } = context
    const network = address && boundedNetwork(address)
    if (network === null) return
    if (!running.enter(network)) throw tooManyCalls(callsPerAddressMax)
    context.onClose(() => running.leave(network))
  }
}

/** Counts by name. One that has nothing takes no memory. */
function countsUpTo(max: number) {
  const counts = new Map<string, number>()
  return {
    /** False when it has as many as it may have. */
    enter(name: string): boolean {
      const count = counts.get(name) ?? 0
      if (count < max) counts.set(name, count + 1)
      return count < max
    },
    leave(name: string): void {
      const left = (counts.get(name) ?? 0) - 1
      if (left > 0) counts.set(name, left)
      else counts.delete(name)
    },
  }
}

const tooManyCalls = (max: number): Fault =>
  new Fault(
    'rate_limited',
    `An IP address can have at most ${max} requests in progress at once. Send fewer at a time.`,
    {
      retryAfterSeconds: 1,
      'violated-policies': ['address'],
    },
  )
