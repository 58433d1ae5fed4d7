// Limits what one workspace may send to one host, over all of its webhooks: so many requests a second, and 50 in all
// before the host has ever answered 2xx. Without it, a hundred webhooks that name another party's server would be an
// attack that this installation carries out. The rate holds for each dispatcher; what a host has answered is in the
// database, for all of them.
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Database } from '#prisma/client.ts'
import { loop, type Loop } from '#runtime/loop.ts'
import { countRequest, deleteUnnamedHosts, isProven, setProven } from './host-rows.ts'

export type HostLimits = {
  /** Returns once the request may be made, or why it has to wait for longer. */
  admit(delivery: SentToHost): Promise<Held | null>
  noteDelivered(delivery: SentToHost): void
}
/** `isInspected`: the host is the inspector, which has nothing to prove, whatever it is asked to answer. */
type SentToHost = { readonly workspaceId: string; readonly url: string; readonly isInspected: boolean }
export type Held = 'host_busy' | 'host_unproven'

/** For the log. */
export const heldReasons: Readonly<Record<Held, string>> = {
  host_busy: 'a workspace sends one host as much as it may',
  host_unproven: 'a host has never answered 2xx',
}

type HostLimitsDeps = {
  readonly db: Database
  readonly perSecond: number
  readonly onError: (error: unknown) => void
  readonly nowMs?: () => number
}

export const unprovenRequestsMax = 50
/** Then one request is made so often. */
const probeEverySeconds = 900
/** What was loaded for a request is good for no longer than three seconds. */
const waitMsMax = 1_000
const hostsMax = 20_000
const keptDays = 30
const forgetEveryMs = 600_000
const forgottenMax = 500

export function hostLimits({ db, perSecond, onError, nowMs = () => performance.now() }: HostLimitsDeps): HostLimits {
  const proven = new LRUCache<string, true>({ max: hostsMax })
  // When the host's bucket, which holds a second's worth, is empty no longer.
  const freeAt = new LRUCache<string, number>({ max: hostsMax })

  /** How long the next request has to wait; its token is taken unless that is too long. */
  function take(host: string): number {
    const now = nowMs()
    const at = Math.max(now - 1_000, freeAt.get(host) ?? 0) + 1_000 / perSecond
    if (at - now > waitMsMax) return Infinity
    freeAt.set(host, at)
    return Math.max(0, at - now)
  }

  async function admit(delivery: SentToHost): Promise<Held | null> {
    const { workspaceId, host, key } = hostOf(delivery)
    if (!delivery.isInspected && !proven.has(key)) {
      const state = await noteRequest(db, workspaceId, host)
      if (state === 'proven') proven.set(key, true)
      if (state === 'held') return 'host_unproven'
    }
    const waitMs = take(key)
    if (waitMs === Infinity) return 'host_busy'
    if (waitMs > 0) await sleep(waitMs)
    return null
  }

  // Should it be lost, the next delivery proves the host.
  function noteDelivered(delivery: SentToHost): void {
    const { workspaceId, host, key } = hostOf(delivery)
    if (delivery.isInspected || proven.has(key)) return
    proven.set(key, true)
    setProven(db, workspaceId, host).catch(onError)
  }
  return { admit, noteDelivered }
}

/** Names the host whatever its port, and with or without the dot of the root: they lead to one machine. */
function hostOf({ workspaceId, url }: SentToHost) {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : ''
  return { workspaceId, host, key: `${workspaceId} ${host}` }
}

/** Counts a request to a host that has proven nothing. `held`: it has had its requests, and its next one is not due. */
async function noteRequest(db: Database, workspaceId: string, host: string): Promise<'proven' | 'counted' | 'held'> {
  const [row] = await countRequest(db, workspaceId, host, { requestsMax: unprovenRequestsMax, probeEverySeconds })
  if (row?.proven === true) return 'proven'
  if (row?.counted === true) return 'counted'
  // Another delivery may have proven it after that statement had begun, which is then asked of a new one.
  const [now] = await isProven(db, workspaceId, host)
  return now?.proven === true ? 'proven' : 'held'
}

export const startForgetting = (db: Database, onError: (error: unknown) => void): Loop =>
  loop(async () => ((await forgetHosts(db)) === forgottenMax ? 0 : forgetEveryMs), onError)

/** Deletes hosts that no webhook of their workspace names any more, a month after. Returns how many there were. */
export const forgetHosts = (db: Database): Promise<number> => deleteUnnamedHosts(db, keptDays, forgottenMax)
