// New projects at a fixed rate. Notes when each was answered.
import { Pool } from 'undici'
import type { Project } from '#contract/projects.ts'
import { clock } from '../measure/clock.ts'
import { letters } from '../measure/random-letters.ts'
import { pace } from '../measure/pace.ts'
import { readPlan, report } from '../measure/plan.ts'
import { headersOf } from '../product/principal.ts'
import type { Target } from './load.ts'

export type Plan = {
  readonly url: string
  readonly targets: readonly Target[]
  readonly perSecond: number
  readonly seconds: number
  /** What would be one more at once is left out. */
  readonly underWayMax?: number
}
/** Milliseconds since 1970, by project. */
export type Result = { readonly answeredAt: Readonly<Record<string, number>> }

const { url, targets, ...rate } = readPlan() as Plan
const pool = new Pool(url, { connections: 64, pipelining: 1 })
const answeredAt: Record<string, number> = {}
let turn = 0

await pace(rate, create)
report({ answeredAt } satisfies Result)
await pool.close()

async function create(): Promise<void> {
  const target = targets[turn++ % targets.length]
  if (target === undefined) throw new Error('There is nothing to ask for')
  const { method, path, body } = target
  const headers = headersOf(target, method, path)
  const answer = await pool.request({ method, path, headers, body: body?.replace('{letters}', letters(12)) ?? null })
  const at = clock()
  const text = await answer.body.text()
  if (answer.statusCode !== 201) throw new Error(`A create was answered ${answer.statusCode} ${text}`)
  answeredAt[(JSON.parse(text) as Project).id] = at
}
