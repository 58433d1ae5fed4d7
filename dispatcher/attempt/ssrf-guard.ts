// Keeps webhooks from reaching into the operator's network (SSRF). Checks every connection, by the very addresses that
// are then connected to: a name that resolves differently a second later is not resolved a second time.
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { isInspectorHost } from '#contract/inspector.ts'
import { contains, isPublic, parseAddress, type AddressRange, addressText, ranges } from '#runtime/ip-address.ts'
import { boundAnswers, timeOpening } from './connection-hooks.ts'
import { ConnectError, TargetError } from './network-errors.ts'
import { localhostAddresses, type Resolve } from './dns.ts'
import { networkInterfaces } from 'node:os'

export type Permits = (address: string) => boolean
/** What is permitted at this port. */
export type PermitsAt = (port: number) => Permits

export type Guard = { readonly permitsAt: PermitsAt; readonly resolve: Resolve; readonly timeoutMs: number }

export const permitsIn =
  (allowed: readonly AddressRange[]): Permits =>
  (text) => {
    const address = parseAddress(text)
    return address !== null && (isPublic(address) || contains(allowed, address))
  }

/** At the ports on which this process listens, its own addresses are not permitted either. */
export function permitsButOwn(permits: Permits, isOwnPort: (port: number) => boolean): PermitsAt {
  const butOwn: Permits = (address) => permits(address) && !isOwnAddress(address)
  return (port) => (isOwnPort(port) ? butOwn : permits)
}

export function guardedConnector({ permitsAt, resolve, timeoutMs }: Guard): buildConnector.connector {
  const connectors = new Map<Permits, buildConnector.connector>()
  return (options, callback) => {
    const permits = permitsAt(portOf(options))
    const connect = connectors.get(permits) ?? connectorTo(permits, resolve, timeoutMs)
    connectors.set(permits, connect)
    connect(options, callback)
  }
}

function connectorTo(permits: Permits, resolve: Resolve, timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: guardedLookup(permits, resolve) })
  return (options, callback) => {
    // Address literals are not looked up.
    if (!mayLeadTo(options.hostname, permits)) return callback(blocked(), null)
    const opened: unknown = connect(options, (error, socket) => {
      if (error !== null) return callback(error instanceof TargetError ? error : new ConnectError(error), null)
      if (permits(socket.remoteAddress ?? '')) {
        boundAnswers(socket)
        return callback(null, socket)
      }
      socket.destroy()
      return callback(blocked(), null)
    })
    timeOpening(opened)
  }
}

/**
 * Judges what is known without a look-up: address literals, localhost, and the inspector, whose deliveries do not come
 * this way (inspector/inspector.ts).
 */
export function mayLeadTo(hostname: string, permits: Permits): boolean {
  const host = bareHost(hostname)
  if (isInspectorHost(host)) return false
  if (isIP(host) !== 0) return permits(host)
  return (localhostAddresses(host) ?? []).every(({ address }) => permits(address))
}

/** One forbidden address is enough: a name that resolves to private and public addresses is an attack. */
export const guardedLookup =
  (permits: Permits, resolve: Resolve): LookupFunction =>
  (name, { all }, callback) => {
    resolve(name).then(
      (found) => {
        const [first] = found
        if (first === undefined) return callback(new TargetError('dns_error', 'The name has no address'), [])
        if (!found.every(({ address }) => permits(address))) return callback(blocked(), [])
        return all ? callback(null, [...found]) : callback(null, first.address, first.family)
      },
      (cause: unknown) => callback(new TargetError('dns_error', 'The name could not be resolved', cause), []),
    )
  }

export const bareHost = (hostname: string): string => hostname.replaceAll(/^\[|\]$/g, '')

/** A URL leaves out the port of its scheme. */
export const portOf = ({ port, protocol }: buildConnector.Options): number =>
  Number(port) || (protocol === 'https:' ? 443 : 80)

export const blocked = (): TargetError =>
  new TargetError('blocked_address', 'The address is not one that webhooks may be sent to')

/** A connection to the unspecified address goes to this machine as well. */
const ownRanges = ranges(['127.0.0.0/8', '0.0.0.0/8', '::1', '::'])

/**
 * Whether this process is reached at this address. Where it listens, no webhook leads, whatever the operator allows.
 */
export function isOwnAddress(text: string): boolean {
  const address = parseAddress(text)
  if (address === null) return false
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return contains(ownRanges, address) || own.some((each) => each.address === addressText(address))
}
