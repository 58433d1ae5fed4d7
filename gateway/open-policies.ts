// What the checks of a call rest on, opened and closed together: the keys and their changes, the rate limit, and the
// reports to the service.
import type { Log } from '#runtime/log.ts'
import type { Part } from '#runtime/process.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import type { Policies } from './admission.ts'
import { keyCache } from './key-cache.ts'
import { onKeyChangeMessage, pollKeyChanges } from './poll-key-changes.ts'
import { originPolicy, type ListenParts } from './policies/origin.ts'
import { failedCredentials } from './rate-limit/failed-credentials.ts'
import type { RateLimiter } from './rate-limit/rate-limiter.ts'
import { openDeniedCalls } from './reports/denied-calls.ts'
import { usageCounter } from './reports/key-usage.ts'
import type { ServiceClient } from './upstream/service-client.ts'

type KeyChangeListener = {
  message(text: string): void
  /** Messages come from now on; those from before may be lost. */
  connected?(): void
}
export type PolicyParts = ListenParts & {
  readonly operatorToken: string
  readonly rateLimiter: RateLimiter
  /** Subscribes to notifications of changed keys. One that is missed is made up for by polling. */
  readonly listen: (on: KeyChangeListener) => Part & { isConnected(): boolean }
  readonly failedCredentialsPerMinute?: number
  readonly log: Log
}

/** `close` sends what has not been reported yet. */
export function openPolicies(parts: PolicyParts, service: ServiceClient): Part & { readonly policies: Policies } {
  const { log, rateLimiter, operatorToken } = parts
  const keys = keyCache(service.fetchKey, {
    lagMs: () => changes.lagMs(),
    isNotified: () => subscription.isConnected(),
  })
  const changes = pollKeyChanges(service.fetchKeyChanges, keys, (error) =>
    log.warn({ err: error }, 'no service answers which keys have changed; keys are fetched anew every few seconds'),
  )
  const subscription = parts.listen({
    message: (text) => onKeyChangeMessage(text, keys),
    connected: changes.wake,
  })
  const usage = usageCounter(service.reportUsage, (error) => log.warn({ err: error }, 'usage not reported'))
  const deniedCalls = openDeniedCalls(service.reportDeniedCalls, {
    error: (error) => log.warn({ err: error }, 'denied calls not reported, trying again'),
    dropped: (count) => log.warn({ count }, 'too many kinds of denied calls, some go unreported'),
  })
  const policies = {
    ...{ keys, rateLimiter, usage, deniedCalls, operatorTokenHash: tokenHash(operatorToken) },
    failedCredentials: failedCredentials(parts.failedCredentialsPerMinute),
    origins: originPolicy(parts),
  }
  const close = async (): Promise<void> => {
    await Promise.all([usage.close(), deniedCalls.close()])
    await Promise.all([subscription.close(), changes.close(), rateLimiter.close()])
  }
  return { policies, close }
}
