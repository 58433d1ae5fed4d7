// The gateway process. Caller → router → checks (gateway/auth/admission.ts) → service → caller. It owns no data: keys
// are fetched from the service and cached until they change, and the rate limit is counted in Redis. Any number of
// gateways can run side by side.
import { defaultRates } from '#contract/rate-limits.ts'
import { keyChangeChannel } from '#contract/internal/gateway-endpoints.ts'
import { metricsPortTaken, serveMetrics } from '#runtime/metrics/metrics-server.ts'
import { readAuthorities } from '#runtime/certificates.ts'
import { openRedisSubscriber, redisLog } from '#runtime/redis.ts'
import { closeAll, run } from '#runtime/process.ts'
import { readSettings } from '#runtime/settings.ts'
import { rateContradictions, ratesIn } from '#runtime/shared-settings.ts'
import { openTracing } from '#runtime/tracing/tracing.ts'
import { memoryRateLimiter, redisRateLimiter, standardPrice } from './rate-limit/limiter.ts'
import { redisRefusals } from './refusals/kept-refusals.ts'
import { redisNames } from './auth/tool-names.ts'
import { startGateway, type GatewayOptions } from './server.ts'
import { serviceContradictions, settings as declared } from './settings.ts'

const closeWithinMs = 21_000

await run('gateway', async (log) => {
  const settings = readSettings(declared, process.env, (given) => [
    ...metricsPortTaken(given),
    ...rateContradictions(given),
    ...serviceContradictions(given),
  ])
  const rates = { ...defaultRates, ...ratesIn(settings) }
  const { redisUrl, brand } = settings
  const onError = redisLog(log)
  const shared = (url: string): Pick<GatewayOptions, 'rateLimiter' | 'listen' | 'refusals' | 'sharedNames'> => ({
    refusals: redisRefusals(url, brand, onError),
    sharedNames: redisNames(url, brand, onError),
    rateLimiter: redisRateLimiter(url, brand, rates, onError, { price: standardPrice }),
    listen: (on) => openRedisSubscriber(url, keyChangeChannel(brand), { ...on, error: onError }),
  })
  // Without notifications, changes of keys are polled.
  const alone = (): Pick<GatewayOptions, 'rateLimiter' | 'listen'> => ({
    rateLimiter: memoryRateLimiter(rates, standardPrice),
    listen: () => ({ isConnected: () => false, close: async () => {} }),
  })
  const { serviceCaFile } = settings
  const serviceCa = serviceCaFile === null ? null : readAuthorities('SERVICE_CA_FILE', serviceCaFile)
  const traces = await openTracing(settings)
  const gateway = await startGateway({
    ...settings,
    serviceCa,
    tracing: traces.tracing,
    log,
    ...(redisUrl === null ? alone() : shared(redisUrl)),
  })
  const metrics = await serveMetrics(settings, [gateway.metrics])
  log.info({ url: gateway.url, metrics: metrics.url }, 'listening')
  // Until the end it can be seen how calls come to theirs.
  return { drain: gateway.drain, close: () => closeAll([traces, metrics, gateway], closeWithinMs) }
})
