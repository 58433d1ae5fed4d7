// The headers of the request of an attempt. The dispatcher sends them, signed; of an attempt that was made only those are
// stored that its delivery does not say again, and whoever shows it has the rest from here.
import { ownHeaders, standardHeaders } from '../webhook-headers.ts'

export type Requested = {
  readonly deliveryId: string
  readonly eventType: string
  /** Of the beginning of the attempt: what it is signed for. */
  readonly unixSeconds: number
}
type Headers = Readonly<Record<string, string>>

/** In the place of what only the receiver may know. */
const mask = '***'
const userAgent = 'user-agent'
const agentEnding = '-webhooks/1'
const agentOf = (brand: string): string => brand + agentEnding
const brandOf = (agent: string): string => agent.slice(0, -agentEnding.length)

export const unixSecondsOf = (at: Date): number => Math.floor(at.getTime() / 1_000)

/** All that are ours, but for the signatures. */
export function unsignedHeaders(
  brand: string,
  { deliveryId, eventType, unixSeconds }: Requested,
): Record<string, string> {
  const names = ownHeaders(brand)
  const timestamp = String(unixSeconds)
  return {
    'content-type': 'application/json',
    [userAgent]: agentOf(brand),
    [names.event]: eventType,
    [names.deliveryId]: deliveryId,
    [names.timestamp]: timestamp,
    [standardHeaders.deliveryId]: deliveryId,
    [standardHeaders.timestamp]: timestamp,
  }
}

/** `own`: the names of the webhook's own headers, in lower case. Whose secrets they hold is not ours to show. */
export const storedHeaders = (brand: string, own: readonly string[]): Headers => ({
  ...Object.fromEntries(own.map((name) => [name, mask])),
  [userAgent]: agentOf(brand),
})

/** Those that were sent, from those that are stored. All of them are, of an older attempt; none, of one whose end nobody saw. */
export function shownHeaders(stored: Headers, requested: Requested): Headers {
  const agent = stored[userAgent]
  if (agent === undefined) return stored
  const brand = brandOf(agent)
  const signatures = { [ownHeaders(brand).signature]: mask, [standardHeaders.signature]: mask }
  return { ...stored, ...unsignedHeaders(brand, requested), ...signatures }
}
