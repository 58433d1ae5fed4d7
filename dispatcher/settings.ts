// Every setting of the dispatcher process.
import * as deployment from '#runtime/shared-settings.ts'
import { logSettings } from '#runtime/log.ts'
import { metricsSettings } from '#runtime/metrics/metrics-server.ts'
import { sealingKeys } from '#runtime/keyring.ts'
import { integers, url, type Setting } from '#runtime/settings.ts'
import { tracingSettings } from '#runtime/tracing/settings.ts'
import { egressProxy, type EgressProxy } from './attempt/egress-proxy.ts'
import { defaultSchedule } from './attempt/retry-decision.ts'

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

const proxyUrl = url('WEBHOOK_PROXY_URL', {
  protocols: ['http'],
  default: null,
  description:
    'An http proxy that all webhooks are sent through, by CONNECT: `http://proxy:3128`, or `http://user:password@proxy:3128`. The proxy resolves their names and must block private addresses itself.',
})

/** Hidden, since it may contain a password. */
export const webhookProxy: Setting<EgressProxy | null> = {
  ...proxyUrl,
  default: null,
  parse: (text) => {
    const proxy = egressProxy(text)
    if (proxy === null) throw new Error('must be an address such as http://user:password@proxy:3128, without a path')
    return proxy
  },
}

/** With it, a dispatcher does not start on a database that was restored without RESTORED=true. */
const redisUrl: Setting<string | null> = { ...deployment.redisUrl, default: null }

export const settings = {
  host: deployment.host,
  port: deployment.listenPort(8082),
  databaseUrl: deployment.databaseUrl,
  databasePool: deployment.databasePool,
  amqpUrl: deployment.amqpUrl,
  amqpQueueType: deployment.amqpQueueType,
  redisUrl,
  internalSecret: deployment.internalSecret,
  acceptedSecret: deployment.acceptedSecret,
  sealingKeys,
  brand: deployment.brand,
  webhookAllowCidrs: deployment.webhookAllowCidrs,
  webhookAllowHttp: deployment.webhookAllowHttp,
  webhookHostPerSecond: deployment.webhookHostPerSecond,
  webhookProxy,
  retrySchedule,
  ...metricsSettings,
  ...tracingSettings('dispatcher'),
  ...logSettings,
}
