// Changes of tasks at a fixed rate, through several services in turn: creates, updates and deletes mixed. No object is
// changed by two of them at once. Changes of one workspace run one at a time: those that would queue up are left out.
import { Pool } from 'undici'
import type { Task } from '#contract/tasks.ts'
import { letters } from '../measure/random-letters.ts'
import { pace } from '../measure/pace.ts'
import { readPlan, report } from '../measure/plan.ts'
import { headersOf, type Sender } from '../product/principal.ts'

export type Plan = {
  readonly urls: readonly string[]
  readonly sender: Sender
  readonly projectId: string
  /** Tasks that are there already. */
  readonly taskIds: readonly string[]
  readonly perSecond: number
  /** Longest duration; SIGTERM ends it sooner. */
  readonly seconds: number
}
export type Result = { readonly created: number; readonly changed: number; readonly deleted: number }

/** Of ten writes, in this order. */
const cycle = 'cuucuducuu'
const { urls, sender, projectId, taskIds, ...rate } = readPlan() as Plan
/** Few enough that every service has slots left for a reader. */
const underWayMax = 12
const pools = urls.map((url) => new Pool(url, { connections: 32, pipelining: 1 }))
const free = [...taskIds]
const done = { created: 0, changed: 0, deleted: 0 }
let turn = 0

const end = new AbortController()
process.once('SIGTERM', () => end.abort())

await pace({ ...rate, underWayMax, until: end.signal }, write)
report(done satisfies Result)
await Promise.all(pools.map((pool) => pool.close()))

function write(): Promise<void> {
  const kind = cycle[turn++ % cycle.length]
  const id = kind === 'c' ? undefined : free.shift()
  if (id === undefined) return create()
  return kind === 'u' ? change(id) : remove(id)
}

async function create(): Promise<void> {
  const text = await ask('POST', '', { projectId, title: letters(12) }, 201)
  free.push((JSON.parse(text) as Task).id)
  done.created += 1
}

async function change(id: string): Promise<void> {
  await ask('PATCH', `/${id}`, { title: letters(12) }, 200)
  free.push(id)
  done.changed += 1
}

async function remove(id: string): Promise<void> {
  await ask('DELETE', `/${id}`, null, 204)
  done.deleted += 1
}

async function ask(method: 'POST' | 'PATCH' | 'DELETE', below: string, body: object | null, expect: number) {
  const pool = pools[turn % pools.length]
  if (pool === undefined) throw new Error('There is nobody to ask')
  const path = `/api/v1/tasks${below}`
  const type = body === null ? {} : { 'content-type': 'application/json' }
  const answer = await pool.request({
    method,
    path,
    headers: { ...headersOf(sender, method, path), ...type },
    body: body === null ? null : JSON.stringify(body),
  })
  const text = await answer.body.text()
  if (answer.statusCode !== expect) throw new Error(`${method} ${path} was answered ${answer.statusCode} ${text}`)
  return text
}
