// Every setting of the service process.
import { defaultRates, rateBounds } from '#contract/rate-limits.ts'
import { logSettings } from '#runtime/log.ts'
import { metricsSettings } from '#runtime/metrics/metrics-server.ts'
import { sealingKeys } from '#runtime/keyring.ts'
import * as deployment from '#runtime/shared-settings.ts'
import { fileSettings } from './files/settings.ts'
import { oidcSettings } from './identity/oidc/settings.ts'

export const settings = {
  host: deployment.host,
  port: deployment.listenPort(8081),
  databaseUrl: deployment.databaseUrl,
  databasePool: deployment.databasePool,
  readTimeoutSeconds: deployment.readTimeoutSeconds,
  redisUrl: deployment.redisUrl,
  amqpUrl: deployment.amqpUrl,
  internalSecret: deployment.internalSecret,
  internalSecretChanged: deployment.internalSecretChanged,
  sealingKeys,
  brand: deployment.brand,
  publicUrl: deployment.publicUrl,
  ...deployment.rateLimits(defaultRates, rateBounds),
  drainSeconds: deployment.drainSeconds,
  webhookAllowCidrs: deployment.webhookAllowCidrs,
  webhookAllowHttp: deployment.webhookAllowHttp,
  ...fileSettings,
  ...oidcSettings,
  ...metricsSettings,
  ...logSettings,
}
