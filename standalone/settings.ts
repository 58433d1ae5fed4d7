// Every setting of the whole product in one process. What a distributed deployment must be given has a default here:
// embedded parts in place of servers, secrets made at the first run, webhooks to this machine allowed.
import * as deployment from '#runtime/shared-settings.ts'
import { logSettings } from '#runtime/log.ts'
import { text, type Setting } from '#runtime/settings.ts'
import { retrySchedule } from '../dispatcher/settings.ts'

export const settings = {
  host: deployment.host,
  port: deployment.listenPort(8080),
  dataDir: text('DATA_DIR', {
    default: './data',
    description: 'The folder of the embedded database and of made secrets.',
  }),
  databaseUrl: absent(deployment.databaseUrl),
  databasePool: deployment.databasePool,
  redisUrl: absent(deployment.redisUrl),
  amqpUrl: absent(deployment.amqpUrl),
  internalSecret: absent(deployment.internalSecret),
  internalSecretChanged: deployment.internalSecretChanged,
  operatorToken: absent(deployment.operatorToken),
  trustedProxies: deployment.trustedProxies,
  brand: deployment.brand,
  // Nothing balances between processes that are alone.
  drainSeconds: { ...deployment.drainSeconds, default: 0 },
  webhookAllowCidrs: { ...deployment.webhookAllowCidrs, default: ['127.0.0.0/8', '::1/128'] },
  webhookAllowHttp: { ...deployment.webhookAllowHttp, default: true },
  retrySchedule,
  // For a person at a terminal: what needs attention, not every request.
  logLevel: { ...logSettings.logLevel, default: 'warn' as const },
}

function absent<T>(setting: Setting<T>): Setting<T | null> {
  return { ...setting, default: null }
}
