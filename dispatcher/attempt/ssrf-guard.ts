// What keeps a webhook's address from reaching into the operator's network. Judged at every connection, on the very
// addresses that are then connected to: a name that resolves differently a second later has no second look-up to use.
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { contains, isPublic, parseAddress, type AddressRange } from '#runtime/ip-address.ts'
import { dropInterim } from './interim-responses.ts'
import type { Resolve } from './dns.ts'
import { timeOpening } from './timings.ts'

export type Permits = (address: string) => boolean

/** Why no connection was made. Its text reaches nobody but the log. */
export class TargetError extends Error {
  readonly reason: 'blocked_address' | 'dns_error'
  constructor(reason: TargetError['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** No connection came about, for the reason in `cause`. */
export class ConnectError extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause })
  }
}

export const permitsIn =
  (allowed: readonly AddressRange[]): Permits =>
  (text) => {
    const address = parseAddress(text)
    return address !== null && (isPublic(address) || contains(allowed, address))
  }

export function guardedConnector(permits: Permits, resolve: Resolve, timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(permits, resolve) })
  return (options, callback) => {
    // The look-up is not asked about literals.
    if (isIP(bare(options.hostname)) !== 0 && !permits(bare(options.hostname))) return callback(blocked(), null)
    const opened: unknown = connect(options, (error, socket) => {
      if (error !== null) return callback(error instanceof TargetError ? error : new ConnectError(error), null)
      if (permits(socket.remoteAddress ?? '')) {
        dropInterim(socket)
        return callback(null, socket)
      }
      socket.destroy()
      return callback(blocked(), null)
    })
    timeOpening(opened)
  }
}

/** One bad answer is enough: a name that leads inside as well as outside is an attempt to get in. */
const guardedLookup =
  (permits: Permits, resolve: Resolve): LookupFunction =>
  (name, { all }, callback) => {
    resolve(name).then(
      (found) => {
        const [first] = found
        if (first === undefined) return callback(new TargetError('dns_error', 'The name has no address'), [])
        if (!found.every(({ address }) => permits(address))) return callback(blocked(), [])
        return all ? callback(null, found) : callback(null, first.address, first.family)
      },
      (cause: unknown) => callback(new TargetError('dns_error', 'The name could not be resolved', cause), []),
    )
  }

const bare = (hostname: string): string => hostname.replaceAll(/^\[|\]$/g, '')
const blocked = (): TargetError =>
  new TargetError('blocked_address', 'The address is not one that webhooks may be sent to')
