// Asks one address of the service whether it is ready and accepts our signature. Probes have a connection of their own,
// so that calls which hold all the others do not make an address look ill.
import { Agent } from 'undici'
import { internalPaths } from '#contract/internal/gateway-endpoints.ts'
import type { ProbeResult } from './address-health.ts'
import type { ServiceAddress } from './dns-resolution.ts'
import { isNotConnected } from './upstream-errors.ts'

/** Resolves to null when nothing was learnt: this process was held up itself, or is closing. Never rejects. */
type Probe = (address: ServiceAddress) => Promise<ProbeResult | null>
export type Prober = { readonly probe: Probe; close(): Promise<void> }

/** An interval and two probes that nobody answers: a frozen service is found within two seconds. */
export const defaultProbeWithinMs = 700
/** A timeout that fires so much too late says that this process stood still. */
const stoodStillMs = 300

export function openProber(headers: (path: string) => Record<string, string>, withinMs: number): Prober {
  const agent = new Agent({ connections: 1, connect: { timeout: withinMs, rejectUnauthorized: true } })
  const path = internalPaths.ready

  async function statusOf({ origin, host }: ServiceAddress): Promise<number> {
    const answer = await agent.request({
      ...{ origin, path, method: 'GET', headers: { ...headers(path), host } },
      signal: AbortSignal.timeout(withinMs),
    })
    await answer.body.dump()
    return answer.statusCode
  }

  async function probe(address: ServiceAddress): Promise<ProbeResult | null> {
    const startedAt = performance.now()
    try {
      return resultOf(await statusOf(address), performance.now() - startedAt)
    } catch (error) {
      if (agent.destroyed || performance.now() - startedAt > withinMs + stoodStillMs) return null
      return { kind: isNotConnected(error) ? 'unreachable' : 'unanswered' }
    }
  }
  return { probe, close: () => agent.destroy() }
}

function resultOf(status: number, ms: number): ProbeResult {
  if (status === 200) return { kind: 'ready', ms }
  return { kind: status === 401 ? 'signature_refused' : 'not_ready' }
}
