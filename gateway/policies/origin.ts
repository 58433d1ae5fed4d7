// The Origin header, in which a browser names the page that makes a call. A page of another host may not call the MCP
// server, even when its host name resolves to the server's address (DNS rebinding).
import { Fault } from '#contract/fault.ts'
import { parseAddress } from '#runtime/ip-address.ts'

/** Programs send no Origin. Pages of the same host and of the caller's own machine may call. */
export function checkOrigin(origin: string | undefined, host: string | undefined): void {
  if (origin === undefined) return
  const from = hostnameOf(origin)
  if (from !== null && (isLoopback(from) || from === hostnameOf(`http://${host}`))) return
  throw new Fault('origin_not_allowed', 'Pages of this origin may not call.')
}

const hostnameOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).hostname : null)

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || parseAddress(hostname.replace(/^\[|\]$/g, ''))?.range() === 'loopback'
