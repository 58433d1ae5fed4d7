// Every setting of the gateway process.
import { defaultRates, rateBounds } from '#contract/rate-limits.ts'
import * as deployment from '#runtime/shared-settings.ts'
import { logSettings } from '#runtime/log.ts'
import { metricsSettings } from '#runtime/metrics/metrics-server.ts'
import { type Setting, integer, text, urls } from '#runtime/settings.ts'
import { tracingSettings } from '#runtime/tracing/settings.ts'
import { defaultCallerBounds } from './overload/address-limits.ts'
import { apiLogSettings } from './reports/call-budget.ts'

/** Without Redis each gateway counts for itself, and learns of changed keys by polling alone. */
const redisUrl: Setting<string | null> = { ...deployment.redisUrl, default: null }

export const failedCredentialsPerMinute = integer('RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE', {
  default: 60,
  min: 1,
  max: 100_000,
  description: 'The maximum of wrong credentials a minute from one IP address, or from one IPv6 network of 64 bits.',
})

type ServiceSettings = { readonly services: readonly string[]; readonly serviceCaFile: string | null }

/** For `readSettings`: what is meant to be checked must not go unchecked. */
export const serviceContradictions = ({ services, serviceCaFile }: ServiceSettings): string[] =>
  serviceCaFile === null || services.every((url) => url.startsWith('https:'))
    ? []
    : ['SERVICE_CA_FILE is given, and not every address in SERVICE_URLS begins with https://']

export const settings = {
  host: deployment.host,
  port: deployment.listenPort(8080),
  services: urls('SERVICE_URLS', {
    protocols: ['http', 'https'],
    description: 'Addresses of the service, separated by commas.',
  }),
  serviceCaFile: text('SERVICE_CA_FILE', {
    default: null,
    description:
      'The certificates of the authorities that services with `https://` in SERVICE_URLS have theirs from: a PEM file. Left out: those that Node trusts, and NODE_EXTRA_CA_CERTS.',
  }),
  redisUrl,
  internalSecret: deployment.internalSecret,
  acceptedSecret: deployment.acceptedSecret,
  operatorToken: deployment.operatorToken,
  acceptedOperatorToken: deployment.acceptedOperatorToken,
  trustedProxies: deployment.trustedProxies,
  keepAliveSeconds: integer('KEEP_ALIVE_SECONDS', {
    default: defaultCallerBounds.keepAliveSeconds,
    min: 5,
    max: 3_600,
    unit: 'seconds',
    description:
      'The time for which the gateway keeps an idle connection open. It must be longer than that of the balancer in front of it.',
  }),
  connectionsMax: integer('CONNECTIONS_MAX', {
    default: defaultCallerBounds.connectionsMax,
    min: 16,
    max: 1_000_000,
    unit: 'connections',
    description:
      'The maximum of connections from clients to one gateway. If the limit of open files (`ulimit -n`) allows fewer, the process logs this at its start, and uses as many as fit.',
  }),
  connectionsPerAddressMax: integer('CONNECTIONS_PER_ADDRESS_MAX', {
    default: defaultCallerBounds.connectionsPerAddressMax,
    min: 1,
    max: 1_000_000,
    unit: 'connections',
    description:
      'The maximum of connections from one address (for IPv6, one network of 64 bits). Trusted proxies are exempt.',
  }),
  callsPerAddressMax: integer('CALLS_PER_ADDRESS_MAX', {
    default: defaultCallerBounds.callsPerAddressMax,
    min: 1,
    max: 1_000_000,
    unit: 'requests',
    description:
      'The maximum of requests from one address, as reported by trusted proxies, that may be in progress or waiting at one gateway.',
  }),
  publicUrl: deployment.publicUrl,
  allowedOrigins: deployment.allowedOrigins,
  brand: deployment.brand,
  ...deployment.rateLimits(defaultRates, rateBounds),
  failedCredentialsPerMinute,
  ...apiLogSettings,
  drainSeconds: deployment.drainSeconds,
  ...metricsSettings,
  ...tracingSettings('gateway'),
  ...logSettings,
}
