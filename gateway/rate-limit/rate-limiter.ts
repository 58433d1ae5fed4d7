// How much a key, and all keys of a workspace together, may ask for. Redis counts for all gateways together; when it is
// away or hangs, each gateway goes on counting for itself from what it last saw, and no call waits.
import { handshakeRate, keyRate, workspaceRate } from '#contract/size-limits.ts'
import { memoryBuckets } from './memory-buckets.ts'
import { lacks, standing, waitSeconds, type Rate, type Standing } from './token-bucket.ts'
import { openRedisBuckets } from './redis-buckets.ts'

/** `handshake`: of a key's calls that open an MCP session, which the other two do not refuse. */
export type Rates = { readonly key: Rate; readonly workspace: Rate; readonly handshake: Rate }
/** Whose buckets a call takes from; outside of any workspace the key's alone. */
type Holder = { readonly keyId: string; readonly workspaceId: string | null }
export type Quota = { readonly key: Standing; readonly workspace: Standing | null }
export type Policy = keyof Rates
type Verdict = {
  readonly quota: Quota
  /** Those that refuse the calls, and for how long; none where they are allowed. */
  readonly violated: readonly Policy[]
  readonly retryAfterSeconds: number
}
export type Limits = {
  readonly rates: Rates
  /** Takes the calls from every bucket or, where one lacks them, from none. */
  take(holder: Holder, calls: number): Promise<Verdict>
  /** For calls that were taken and are not made after all. */
  giveBack(holder: Holder, calls: number): Promise<Quota>
  /** Takes one call that opens an MCP session; gives the seconds until there may be one, 0 where it was taken. */
  takeHandshake(keyId: string): Promise<number>
  close(): Promise<void>
}

export type Slot = { readonly name: string; readonly rate: Rate }
type Counted = { readonly allowed: boolean; readonly fullInUs: readonly number[] }
/** Less than no calls gives some back. */
export type Count = (slots: readonly Slot[], calls: number) => Promise<Counted>

export const standardRates: Rates = { key: keyRate, workspace: workspaceRate, handshake: handshakeRate }

export const memoryLimits = (rates: Rates): Limits => limitsOf(rates, memoryBuckets().count, async () => {})

export function redisLimits(url: string, brand: string, rates: Rates, onError: (error: Error) => void): Limits {
  const { count, close } = openRedisBuckets(url, `${brand}.limit`, memoryBuckets(), onError)
  return limitsOf(rates, count, close)
}

function limitsOf(rates: Rates, count: Count, close: () => Promise<void>): Limits {
  const slotsOf = ({ keyId, workspaceId }: Holder): Slot[] => {
    const key = { name: `key.${keyId}`, rate: rates.key }
    return workspaceId === null ? [key] : [key, { name: `workspace.${workspaceId}`, rate: rates.workspace }]
  }
  return {
    rates,
    take: async (holder, calls) => verdict(rates, calls, await count(slotsOf(holder), calls)),
    giveBack: async (holder, calls) => verdict(rates, 0, await count(slotsOf(holder), -calls)).quota,
    takeHandshake: async (keyId) => {
      const { allowed, fullInUs } = await count([{ name: `handshake.${keyId}`, rate: rates.handshake }], 1)
      return allowed ? 0 : waitSeconds(rates.handshake, fullInUs[0] ?? 0, 1)
    },
    close,
  }
}

function verdict(rates: Rates, calls: number, { allowed, fullInUs: [key = 0, workspace] }: Counted): Verdict {
  const seen: [Policy, number | undefined][] = [
    ['key', key],
    ['workspace', workspace],
  ]
  const waits = seen.flatMap(([policy, fullInUs]) =>
    allowed || fullInUs === undefined || !lacks(rates[policy], fullInUs, calls)
      ? []
      : [{ policy, seconds: waitSeconds(rates[policy], fullInUs, calls) }],
  )
  return {
    quota: {
      key: standing(rates.key, key),
      workspace: workspace === undefined ? null : standing(rates.workspace, workspace),
    },
    violated: waits.map(({ policy }) => policy),
    retryAfterSeconds: Math.max(0, ...waits.map(({ seconds }) => seconds)),
  }
}
