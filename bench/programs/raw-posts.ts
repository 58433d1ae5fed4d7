// The dispatcher's peer: the same body to the same receiver with both signatures, without database, broker
// and retries. As fast as possible, or at a fixed rate with the time of sending in the body.
import { loop, type Looped } from '../measure/loop.ts'
import { pace } from '../measure/pace.ts'
import { readPlan, report } from '../measure/plan.ts'
import { closeConnections, post } from '../peers/signed-post.ts'

export type Plan = {
  readonly url: string
  readonly body: string
  readonly warmSeconds: number
  readonly seconds: number
  readonly concurrency: number
  /** Requests per second. Without it, as fast as possible. */
  readonly perSecond?: number
}
export type Result = Looped | Record<string, never>

const { url, body, warmSeconds, seconds, concurrency, perSecond } = readPlan() as Plan
const bytes = Buffer.from(body)

if (perSecond === undefined) {
  await loop({ concurrency, seconds: warmSeconds }, () => post(url, bytes))
  report(await loop({ concurrency, seconds }, () => post(url, bytes)))
} else {
  await pace({ perSecond, seconds }, () =>
    post(url, Buffer.from(body.replace(/"occurredAt":"[^"]*"/, `"occurredAt":"${new Date().toISOString()}"`))),
  )
  report({})
}
await closeConnections()
