// The key cache with what tells it of changes: notifications over Redis, and polls. Whatever invalidates a key also ends
// the streams that are open with it, and so do changes of sessions and members, of which nothing is cached.
import type { KeyChange } from '#contract/internal/gateway-endpoints.ts'
import type { Log } from '#runtime/log.ts'
import type { Part } from '#runtime/process.ts'
import { keyCache, type KeyCache } from './key-cache.ts'
import type { OpenStreams } from './overload/open-streams-limit.ts'
import { onKeyChangeMessage, pollKeyChanges } from './poll-key-changes.ts'
import type { ServiceClient } from './upstream/service-client.ts'

type KeyChangeListener = {
  message(text: string): void
  /** Messages come from now on; those from before may be lost. */
  connected?(): void
}
export type KeyCacheParts = {
  /** Subscribes to notifications of changed keys. One that is missed is made up for by polling. */
  readonly listen: (on: KeyChangeListener) => Part & { isConnected(): boolean }
  readonly log: Log
}

export function openKeyCache(
  { listen, log }: KeyCacheParts,
  service: Pick<ServiceClient, 'fetchKey' | 'fetchKeys' | 'fetchKeyChanges'>,
  streams: Pick<OpenStreams, 'endOf' | 'endEach'>,
): Part & { readonly keys: KeyCache } {
  const keys = keyCache(service, {
    lagMs: () => changes.lagMs(),
    isNotified: () => subscription.isConnected(),
  })
  const changed = {
    invalidate(change: KeyChange): void {
      if (keys.invalidate(change)) streams.endOf(change.id)
    },
    invalidateAll(): void {
      keys.invalidateAll()
      streams.endEach()
    },
  }
  const changes = pollKeyChanges(service.fetchKeyChanges, changed, (error) =>
    log.warn({ err: error }, 'no service answers which keys have changed; keys are fetched anew every few seconds'),
  )
  const subscription = listen({ message: (text) => onKeyChangeMessage(text, changed), connected: changes.wake })
  return { keys, close: async () => void (await Promise.all([subscription.close(), changes.close()])) }
}
