// Calls of all kinds in a cycle, at a fixed rate, against one service. Any answer but the expected one ends it.
import { Pool } from 'undici'
import type { Task } from '#contract/tasks.ts'
import { letters } from '../measure/random-letters.ts'
import { pace } from '../measure/pace.ts'
import { readPlan, report } from '../measure/plan.ts'
import { headersOf, type Sender } from '../product/principal.ts'

export type Workspace = {
  readonly sender: Sender
  readonly mcpSender: Sender
  readonly projectId: string
}
export type Plan = {
  readonly url: string
  readonly workspaces: readonly Workspace[]
  /** False: the product has no search. */
  readonly search: boolean
  readonly perSecond: number
  readonly seconds: number
}
export type Result = { readonly calls: number }

const { url, workspaces, search, ...rate } = readPlan() as Plan
const underWayMax = 64
const batchItems = 5
const knownMax = 500
const pool = new Pool(url, { connections: underWayMax, pipelining: 1 })
/** Tasks that can be read and changed, by project. */
const known = new Map<string, string[]>(workspaces.map(({ projectId }) => [projectId, []]))
let turn = 0

type Call = (at: Workspace, id: string) => Promise<unknown>
const newest: Call = (at) => ask(at, 'GET', '/tasks?limit=50')
const lately: Call = (at) => ask(at, 'GET', '/tasks?sort=-updatedAt&status=backlog&limit=20&expand=project')
const one: Call = (at, id) => ask(at, 'GET', `/tasks/${id}`)
const change: Call = (at, id) => ask(at, 'PATCH', `/tasks/${id}`, { title: letters(12) })
const batch: Call = (at) =>
  ask(at, 'POST', '/tasks/batch', { items: Array.from({ length: batchItems }, () => item(at)) })
const found: Call = (at) => ask(at, 'GET', `/search?q=${letters(3)}`)
const tool: Call = (at) => rpc(at, 'tools/call', { name: 'tasks.list', arguments: { limit: 20 } })
const tools: Call = (at) => rpc(at, 'tools/list', {})
const create = (at: Workspace) =>
  ask(at, 'POST', '/tasks', { projectId: at.projectId, title: letters(12) }).then((task) => remember(task as Task))

const cycle: readonly Call[] = [
  create,
  newest,
  one,
  change,
  lately,
  one,
  tool,
  newest,
  create,
  one,
  batch,
  newest,
  change,
  one,
  search ? found : newest,
  create,
  lately,
  one,
  tools,
  change,
]

await pace({ ...rate, underWayMax }, next)
report({ calls: turn } satisfies Result)
await pool.close()

function next(): Promise<unknown> {
  const kind = cycle[turn % cycle.length]
  const workspace = workspaces[Math.floor(turn / cycle.length) % workspaces.length]
  turn += 1
  if (kind === undefined || workspace === undefined) throw new Error('There is nothing to call')
  const ids = known.get(workspace.projectId) ?? []
  const id = ids[turn % ids.length]
  return id === undefined ? create(workspace) : kind(workspace, id)
}

function item({ projectId }: Workspace) {
  return { action: 'create', data: { projectId, title: letters(12) } }
}

function remember({ id, projectId }: Task): void {
  const ids = known.get(projectId) ?? []
  ids.push(id)
  if (ids.length > knownMax) ids.shift()
}

function ask({ sender }: Workspace, method: Method, path: string, body?: object): Promise<unknown> {
  return send(method, `/api/v1${path}`, sender, body)
}

async function rpc({ mcpSender }: Workspace, method: string, params: object): Promise<void> {
  const sender = { ...mcpSender, headers: { accept: 'application/json, text/event-stream' } }
  const answer = await send('POST', '/api/mcp', sender, { jsonrpc: '2.0', id: turn, method, params })
  const { result } = answer as { result?: { isError?: boolean } }
  if (result === undefined || result.isError) throw new Error(`${method} was answered ${JSON.stringify(answer)}`)
}

type Method = 'GET' | 'POST' | 'PATCH'

async function send(method: Method, path: string, sender: Sender, body?: object): Promise<unknown> {
  const given = headersOf(sender, method, path)
  const headers = body === undefined ? given : { ...given, 'content-type': 'application/json' }
  const text = body === undefined ? null : JSON.stringify(body)
  const answer = await pool.request({ method, path, headers, body: text })
  const answered = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} was answered ${answer.statusCode} ${answered}`)
  return JSON.parse(answered)
}
