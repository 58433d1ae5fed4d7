// Redis and the sign-in provider: whether they are reached with what the settings say.
import { Redis } from 'ioredis'
import { isReplica, openRedis, redisRefusal, replicaMessage } from '#runtime/redis.ts'
import { withTimeout } from '#runtime/timeouts.ts'
import { found, type Check } from './finding.ts'

const answerWithinMs = 5_000

export const redis = (url: string): Check => ({
  about: 'Redis',
  look: async () => {
    const client = openRedis(url, { commandTimeout: answerWithinMs })
    let refusal: Error | null = null
    client.on('error', (error: Error) => (refusal = error))
    const ready = new Promise<void>((resolve) => client.once('ready', () => resolve()))
    try {
      await withTimeout(answerWithinMs, ready, 'Redis does not answer.').catch((error: unknown) => {
        throw refusal ?? error
      })
      const info = await client.info()
      if (client instanceof Redis && isReplica(info)) return [found('failure', 'Redis', `${replicaMessage}.`)]
      const version = /^redis_version:(\S+)/m.exec(info)?.[1]
      const valkey = /^valkey_version:(\S+)/m.exec(info)?.[1]
      return [found('ok', 'Redis', `Reached, version ${valkey === undefined ? version : `${valkey} of Valkey`}.`)]
    } catch (error) {
      const sentence = redisRefusal(error as Error)
      if (sentence === null) throw error
      return [found('failure', 'Redis', `${sentence}.`)]
    } finally {
      client.disconnect()
    }
  },
})

export const provider = (issuer: string): Check => ({
  about: 'OIDC_ISSUER',
  look: async () => {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const { status } = await fetch(address, { signal: AbortSignal.timeout(answerWithinMs) })
    return status === 200
      ? [found('ok', 'OIDC_ISSUER', 'Its discovery document is served.')]
      : [found('failure', 'OIDC_ISSUER', `Its discovery document was answered with ${status}.`)]
  },
})
