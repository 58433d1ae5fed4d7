// Every setting of the service process.
import { defaultRates, rateBounds } from '#contract/rate-limits.ts'
import { certificateSettings } from '#runtime/certificates.ts'
import { logSettings } from '#runtime/log.ts'
import { metricsSettings } from '#runtime/metrics/metrics-server.ts'
import { sealingKeys } from '#runtime/keyring.ts'
import * as deployment from '#runtime/shared-settings.ts'
import { url } from '#runtime/settings.ts'
import { tracingSettings } from '#runtime/tracing/settings.ts'
import { fileSettings } from './files/settings.ts'
import { oidcSettings } from './identity/oidc/settings.ts'
import { mailSettings } from './mail/settings.ts'
import { workspaceDeletionSettings } from './workspace-deletions/settings.ts'

const databaseReadUrl = url<null>('DATABASE_READ_URL', {
  protocols: ['postgres', 'postgresql'],
  default: null,
  description:
    'A streaming replica of DATABASE_URL, which serves reads that find there all that their workspace has changed. While it cannot, DATABASE_URL serves them.',
})

export const settings = {
  host: deployment.host,
  port: deployment.listenPort(8081),
  ...certificateSettings,
  databaseUrl: deployment.databaseUrl,
  databaseReadUrl: { ...databaseReadUrl, parse: deployment.databaseUrl.parse },
  databasePool: deployment.databasePool,
  readTimeoutSeconds: deployment.readTimeoutSeconds,
  redisUrl: deployment.redisUrl,
  amqpUrl: deployment.amqpUrl,
  amqpQueueType: deployment.amqpQueueType,
  internalSecret: deployment.internalSecret,
  acceptedSecret: deployment.acceptedSecret,
  internalSecretChanged: deployment.internalSecretChanged,
  restored: deployment.restored,
  sealingKeys,
  brand: deployment.brand,
  publicUrl: deployment.publicUrl,
  ...deployment.rateLimits(defaultRates, rateBounds),
  drainSeconds: deployment.drainSeconds,
  webhookAllowCidrs: deployment.webhookAllowCidrs,
  webhookAllowHttp: deployment.webhookAllowHttp,
  ...fileSettings,
  ...workspaceDeletionSettings,
  ...oidcSettings,
  ...mailSettings,
  ...metricsSettings,
  ...tracingSettings('service'),
  ...logSettings,
}

type Addresses = { readonly databaseUrl: string; readonly databaseReadUrl: string | null }

/** The replica has the tables where the database has them. */
export function replicaContradictions({ databaseUrl, databaseReadUrl }: Addresses): string[] {
  const schemaIn = (address: string) => new URL(address).searchParams.get('schema')
  if (databaseReadUrl === null || schemaIn(databaseReadUrl) === schemaIn(databaseUrl)) return []
  return ['DATABASE_READ_URL must name the schema that DATABASE_URL names']
}
