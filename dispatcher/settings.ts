// Every setting of the dispatcher process.
import * as deployment from '#runtime/shared-settings.ts'
import { logSettings } from '#runtime/log.ts'
import { metricsSettings } from '#runtime/metrics/metrics-server.ts'
import { integers } from '#runtime/setting-parsers.ts'
import { defaultSchedule } from './attempt/retry-schedule.ts'

const retriesMax = 19
const waitSecondsMax = 86_400

const waits = integers('WEBHOOK_RETRY_SCHEDULE', {
  default: defaultSchedule,
  min: 1,
  max: waitSecondsMax,
  unit: 'seconds',
  description: 'The waits between the attempts of a delivery, in order, ±20 %. After the last one it is dead-lettered.',
})

export const retrySchedule: typeof waits = {
  ...waits,
  parse: (text) => {
    const seconds = waits.parse(text)
    if (seconds.length > retriesMax) throw new Error(`must list at most ${retriesMax} waits`)
    return seconds
  },
}

export const settings = {
  host: deployment.host,
  port: deployment.listenPort(8082),
  databaseUrl: deployment.databaseUrl,
  databasePool: deployment.databasePool,
  amqpUrl: deployment.amqpUrl,
  internalSecret: deployment.internalSecret,
  brand: deployment.brand,
  webhookAllowCidrs: deployment.webhookAllowCidrs,
  webhookAllowHttp: deployment.webhookAllowHttp,
  retrySchedule,
  ...metricsSettings,
  ...logSettings,
}
