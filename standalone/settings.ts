// The settings of the whole product in one process. What three processes must be given has a default here: embedded
// parts in place of servers, secrets generated at the first run, webhooks to this machine allowed.
import { defaultRates, rateBounds } from '#contract/rate-limits.ts'
import * as deployment from '#runtime/shared-settings.ts'
import { logSettings } from '#runtime/log.ts'
import { metricsSettings } from '#runtime/metrics/metrics-server.ts'
import { sealingKeys } from '#runtime/keyring.ts'
import { type Setting, text } from '#runtime/settings.ts'
import { tracingSettings } from '#runtime/tracing/settings.ts'
import { retrySchedule, webhookProxy } from '../dispatcher/settings.ts'
import { apiLogSettings } from '../gateway/reports/call-budget.ts'
import { failedCredentialsPerMinute } from '../gateway/settings.ts'
import { fileSettings } from '../service/files/settings.ts'
import { oidcSettings } from '../service/identity/oidc/settings.ts'
import { mailSettings } from '../service/mail/settings.ts'
import { workspaceDeletionSettings } from '../service/workspace-deletions/settings.ts'

export const settings = {
  host: deployment.host,
  port: deployment.listenPort(8080),
  dataDir: text('DATA_DIR', {
    default: './data',
    description: 'The folder of the embedded database and of generated secrets.',
  }),
  databaseUrl: optional(deployment.databaseUrl),
  databasePool: deployment.databasePool,
  readTimeoutSeconds: deployment.readTimeoutSeconds,
  redisUrl: optional(deployment.redisUrl),
  amqpUrl: optional(deployment.amqpUrl),
  amqpQueueType: deployment.amqpQueueType,
  internalSecret: optional(deployment.internalSecret),
  acceptedSecret: deployment.acceptedSecret,
  internalSecretChanged: deployment.internalSecretChanged,
  restored: deployment.restored,
  sealingKeys,
  operatorToken: optional(deployment.operatorToken),
  acceptedOperatorToken: deployment.acceptedOperatorToken,
  trustedProxies: deployment.trustedProxies,
  publicUrl: deployment.publicUrl,
  allowedOrigins: deployment.allowedOrigins,
  brand: deployment.brand,
  ...deployment.rateLimits(defaultRates, rateBounds),
  failedCredentialsPerMinute,
  ...apiLogSettings,
  // No balancer has to notice first that this process is about to stop.
  drainSeconds: { ...deployment.drainSeconds, default: 0 },
  webhookAllowCidrs: { ...deployment.webhookAllowCidrs, default: ['127.0.0.0/8', '::1/128'] },
  webhookHostPerSecond: deployment.webhookHostPerSecond,
  webhookAllowHttp: { ...deployment.webhookAllowHttp, default: true },
  webhookProxy,
  retrySchedule,
  ...fileSettings,
  filesDir: text('FILES_DIR', {
    default: null,
    description: 'The folder of uploaded files. Left out: `files` in the data folder.',
  }),
  ...workspaceDeletionSettings,
  ...oidcSettings,
  ...mailSettings,
  ...metricsSettings,
  ...tracingSettings('standalone'),
  // For a person at a terminal: what needs attention, not every request.
  logLevel: { ...logSettings.logLevel, default: 'warn' as const },
}

function optional<T>(setting: Setting<T>): Setting<T | null> {
  return { ...setting, default: null }
}
