// Every setting of the gateway process.
import * as deployment from '#runtime/shared-settings.ts'
import { logSettings } from '#runtime/log.ts'
import { metricsSettings } from '#runtime/metrics/metrics-server.ts'
import type { Setting } from '#runtime/settings.ts'
import { urls } from '#runtime/setting-parsers.ts'

/** Without Redis each gateway counts for itself, and learns of changed keys by polling alone. */
const redisUrl: Setting<string | null> = { ...deployment.redisUrl, default: null }

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
  publicUrl: deployment.publicUrl,
  allowedOrigins: deployment.allowedOrigins,
  brand: deployment.brand,
  drainSeconds: deployment.drainSeconds,
  ...metricsSettings,
  ...logSettings,
}
