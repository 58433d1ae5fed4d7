// Every setting of the gateway process.
import { defaultRates, rateBounds } from '#contract/rate-limits.ts'
import * as deployment from '#runtime/shared-settings.ts'
import { logSettings } from '#runtime/log.ts'
import { metricsSettings } from '#runtime/metrics/metrics-server.ts'
import { type Setting, integer, urls } from '#runtime/settings.ts'
import { defaultCallerBounds } from './overload/address-limits.ts'

/** Without Redis each gateway counts for itself, and learns of changed keys by polling alone. */
const redisUrl: Setting<string | null> = { ...deployment.redisUrl, default: null }

export const failedCredentialsPerMinute = integer('RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE', {
  default: 60,
  min: 1,
  max: 100_000,
  description: 'Wrong credentials a minute of one address, or of one IPv6 network of 64 bits.',
})

export const settings = {
  host: deployment.host,
  port: deployment.listenPort(8080),
  services: urls('SERVICE_URLS', {
    protocols: ['http', 'https'],
    description: 'Addresses of the service, with commas between.',
  }),
  redisUrl,
  internalSecret: deployment.internalSecret,
  operatorToken: deployment.operatorToken,
  trustedProxies: deployment.trustedProxies,
  keepAliveSeconds: integer('KEEP_ALIVE_SECONDS', {
    ...{ default: defaultCallerBounds.keepAliveSeconds, min: 5, max: 3_600, unit: 'seconds' },
    description:
      'How long the gateway keeps a connection open on which nothing is asked. Longer than the balancer before it does.',
  }),
  connectionsMax: integer('CONNECTIONS_MAX', {
    ...{ default: defaultCallerBounds.connectionsMax, min: 16, max: 1_000_000, unit: 'connections' },
    description: 'How many connections callers may have to one gateway. Below the limit of open files.',
  }),
  connectionsPerAddressMax: integer('CONNECTIONS_PER_ADDRESS_MAX', {
    ...{ default: defaultCallerBounds.connectionsPerAddressMax, min: 1, max: 1_000_000, unit: 'connections' },
    description:
      'How many of them one address may have (one network of 64 bits, for IPv6). Trusted proxies are exempt.',
  }),
  callsPerAddressMax: integer('CALLS_PER_ADDRESS_MAX', {
    ...{ default: defaultCallerBounds.callsPerAddressMax, min: 1, max: 1_000_000, unit: 'calls' },
    description: 'How many calls of one address, as trusted proxies tell it, may be under way or wait at one gateway.',
  }),
  publicUrl: deployment.publicUrl,
  allowedOrigins: deployment.allowedOrigins,
  brand: deployment.brand,
  ...deployment.rateLimits(defaultRates, rateBounds),
  failedCredentialsPerMinute,
  drainSeconds: deployment.drainSeconds,
  ...metricsSettings,
  ...logSettings,
}
