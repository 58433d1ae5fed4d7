// New projects with no HTTP at all: the transaction alone, over and over.
import { Pool } from 'pg'
import { letters } from '../measure/random-letters.ts'
import { loop, type Looped } from '../measure/loop.ts'
import { readPlan, report } from '../measure/plan.ts'
import { createProject, poolSize } from '../peers/project-rows.ts'

export type Plan = {
  readonly database: string
  readonly workspaceIds: readonly string[]
  readonly concurrency: number
  readonly warmSeconds: number
  readonly seconds: number
}
export type Result = Looped

const { database, workspaceIds, concurrency, warmSeconds, seconds } = readPlan() as Plan
const pool = new Pool({ connectionString: database, max: poolSize })
let turn = 0

const create = () => createProject(pool, workspaceIds[turn++ % workspaceIds.length] ?? '', letters(12))
await loop({ concurrency, seconds: warmSeconds }, create)
report((await loop({ concurrency, seconds }, create)) satisfies Result)
await pool.end()
