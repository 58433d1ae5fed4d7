// What the checks of a call need, opened and closed together: the keys and their changes, the rate limit, and the
// reports to the service.
import type { KeyObject } from 'node:crypto'
import { addressPurpose } from '#contract/internal/signed-address.ts'
import type { Part } from '#runtime/process.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import { openKeyCache, type KeyChangeDeps } from '../keys/key-cache.ts'
import type { OpenStreams } from '../overload/open-streams-limit.ts'
import { originPolicy, type OriginDeps, type OriginPolicy } from './address-policies.ts'
import { failedCredentials, type FailedCredentials } from '../rate-limit/failed-credentials.ts'
import type { RateLimiter } from '../rate-limit/limiter.ts'
import { openDeniedCalls, type DeniedCalls } from '../reports/denied-calls.ts'
import { activityCounter, type ActivityCounter } from '../reports/key-activity.ts'
import { openApiLog, type ApiLog } from '../reports/api-log.ts'
import { defaultBudgets, type CallBudgets } from '../reports/call-budget.ts'
import {
  previousSecretUse,
  usageCounter,
  type PreviousSecretReporter,
  type UsageCounter,
} from '../reports/key-usage.ts'
import { listedNames, type SharedNames, type ListedNames } from './tool-names.ts'
import type { ServiceClient } from '../upstream/service-client.ts'
import type { KeyCache } from '../keys/key-cache.ts'

export type AdmissionDeps = {
  readonly keys: KeyCache
  readonly rateLimiter: RateLimiter
  readonly failedCredentials: FailedCredentials
  readonly usage: UsageCounter
  readonly previousSecrets: PreviousSecretReporter
  readonly deniedCalls: DeniedCalls
  /** Either is good: there are two while the token is being changed. */
  readonly operatorTokenHashes: readonly Buffer[]
  /** Opens the signatures of addresses that stand in for a key. */
  readonly addressKey: KeyObject
  /** Of people who are signed in, of the settings alone. */
  readonly sessions: {
    readonly fetch: ServiceClient['fetchSession']
    readonly publicUrl: string | null
  }
  /** Asked before all of these, of MCP alone. */
  readonly origins: OriginPolicy
  readonly listedNames: ListedNames
}

export type AdmissionOptions = OriginDeps &
  KeyChangeDeps & {
    readonly operatorToken: string
    readonly internalSecret: string
    /** Second ones, while the first are being changed. */
    readonly acceptedOperatorToken?: string | null
    readonly acceptedSecret?: string | null
    readonly rateLimiter: RateLimiter
    /** Where all gateways keep which names their clients are listed; without it each has its own. */
    readonly sharedNames?: SharedNames
    readonly failedCredentialsPerMinute: number
  } & Partial<CallBudgets>

/** `close` sends what has not been reported yet. */
export function openAdmissionDeps(
  options: AdmissionOptions,
  service: ServiceClient,
  streams: OpenStreams,
): Part & { readonly policies: AdmissionDeps; readonly activity: ActivityCounter; readonly apiLog: ApiLog } {
  const { log, rateLimiter, operatorToken, acceptedOperatorToken = null, internalSecret, acceptedSecret } = options
  const { keys, close: closeKeys } = openKeyCache(options, service, streams)
  const usage = usageCounter(service.reportUsage, (error) => log.warn({ err: error }, 'usage not reported'))
  const previousSecrets = previousSecretUse(service.reportPreviousSecretUse, (error) =>
    log.warn({ err: error }, 'use of replaced secrets not reported, trying again'),
  )
  const activity = activityCounter(service.reportActivity, {
    error: (error) => log.warn({ err: error }, 'activity of keys not reported, trying again'),
    dropped: (count) => log.warn({ count }, 'too many keys in use, requests of some are not counted'),
  })
  const apiLog = openApiLog(
    service.reportCalls,
    {
      error: (error) => log.warn({ err: error }, 'calls not reported for the API log, trying again'),
      dropped: (count) => log.warn({ count }, 'no room for calls on their way to the API log, some are missing there'),
    },
    { ...defaultBudgets, ...options },
  )
  const deniedCalls = openDeniedCalls(service.reportDeniedCalls, {
    error: (error) => log.warn({ err: error }, 'denied calls not reported, trying again'),
    dropped: (count) => log.warn({ count }, 'too many kinds of denied calls, some go unreported'),
  })
  const names = listedNames(options.sharedNames ?? null)
  const policies = {
    keys,
    rateLimiter,
    usage,
    previousSecrets,
    deniedCalls,
    operatorTokenHashes: [operatorToken, acceptedOperatorToken].filter((token) => token !== null).map(tokenHash),
    addressKey: deriveKey(internalSecret, addressPurpose, acceptedSecret),
    failedCredentials: failedCredentials(options.failedCredentialsPerMinute),
    origins: originPolicy(options),
    listedNames: names,
    sessions: { fetch: service.fetchSession, publicUrl: options.publicUrl },
  }
  const close = async (): Promise<void> => {
    await Promise.all([usage.close(), previousSecrets.close(), activity.close(), apiLog.close(), deniedCalls.close()])
    await Promise.all([closeKeys(), rateLimiter.close(), names.close()])
  }
  return { policies, activity, apiLog, close }
}
