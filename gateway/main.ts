// The gateway process. Caller → router → checks (key, address, rotation, scopes, surface, limit, workspace, scope, body)
// → service → caller. It owns no data: keys are asked of the service and remembered until they change, limits are
// counted in Redis. Any number of these can run side by side.
import { keyChangeChannel } from '#contract/internal/key-changes.ts'
import { openListener } from '#runtime/redis-pub-sub.ts'
import { run } from '#runtime/process.ts'
import { readSettings } from '#runtime/settings.ts'
import { memoryRateLimiter, redisRateLimiter, standardRates } from './rate-limit/rate-limiter.ts'
import { startGateway, type GatewayParts } from './server.ts'
import { settings as declared } from './settings.ts'

await run('gateway', async (log) => {
  const settings = readSettings(declared)
  const { redisUrl, brand } = settings
  const onError = (err: Error): void => log.warn({ err }, 'redis')
  const shared = (url: string): Pick<GatewayParts, 'rateLimiter' | 'listen'> => ({
    rateLimiter: redisRateLimiter(url, brand, standardRates, onError),
    listen: (on) => openListener(url, keyChangeChannel(brand), { ...on, error: onError }),
  })
  // Nobody to listen to: what has changed is asked for.
  const alone = (): Pick<GatewayParts, 'rateLimiter' | 'listen'> => ({
    rateLimiter: memoryRateLimiter(standardRates),
    listen: () => ({ close: async () => {} }),
  })
  const gateway = await startGateway({ ...settings, log, ...(redisUrl === null ? alone() : shared(redisUrl)) })
  log.info({ url: gateway.url }, 'listening')
  return gateway
})
