// Keeps webhooks from reaching into the operator's network (SSRF). Checks every connection, by the very addresses that are
// then connected to: a name that resolves differently a second later is not resolved a second time.
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { contains, isPublic, parseAddress, type AddressRange } from '#runtime/ip-address.ts'
import { dropInterim } from './interim-responses.ts'
import type { Resolve } from './dns.ts'
import { timeOpening } from './timings.ts'

export type Permits = (address: string) => boolean

/** Why no connection was made. Its message is only logged. */
export class TargetError extends Error {
  readonly reason: 'blocked_address' | 'dns_error'
  constructor(reason: TargetError['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** No connection was made, for the reason in `cause`. */
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
    // Address literals are not looked up.
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

/** One forbidden address is enough: a name that resolves to private and public addresses is an attack. */
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
