// The row of the plain policy, whose keys are in Redis for as long as it is measured.
import { Redis } from 'ioredis'
import { serveProgram } from '../../measure/program.ts'
import type { Row } from '../../measure/rounds.ts'
import { newDeployment, redisUrl } from '../../product/settings.ts'
import type { Plan } from '../../programs/plain-policy.ts'
import { against, type Setting } from './rows.ts'

/** The counters of the limit end by themselves. */
const keptSeconds = 600

export const plainPolicy = (setting: Setting): Row => ({
  name: 'plain policy',
  measure: async () => {
    const prefix = `${newDeployment().brand}:`
    const redis = new Redis(redisUrl)
    try {
      const writes = redis.pipeline()
      for (const [hash, record] of Object.entries(setting.records))
        writes.set(prefix + hash, JSON.stringify(record), 'EX', keptSeconds)
      await writes.exec()
      const plan: Plan = { origin: setting.origin, redis: redisUrl, prefix }
      await using server = await serveProgram('plain-policy', 'measured', plan)
      return await against(server, setting)
    } finally {
      redis.disconnect()
    }
  },
})
