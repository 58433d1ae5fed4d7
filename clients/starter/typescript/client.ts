// A small client on fetch: sends the key, names the workspace, waits after 429 and 503, throws what was refused.
import { setTimeout as wait } from 'node:timers/promises'

export type Problem = { code: string; status: number; detail: string; requestId: string; errors?: unknown[] }
export type Page<T> = { data: T[]; page: { nextCursor: string | null; hasMore: boolean } }
type Query = Record<string, string | number | boolean>
type Call = { query?: Query; body?: object; headers?: Record<string, string> }

export class ApiError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(`${problem.status} ${problem.code}: ${problem.detail} (request ${problem.requestId})`)
    this.problem = problem
  }
}

const triesMax = 5
const waitMaxSeconds = 60

export async function call<T>(method: string, path: string, { query = {}, body, headers = {} }: Call = {}): Promise<T> {
  const url = new URL(`${setting('WORKSPACE_API_URL')}/api/v1${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  // The same key in every try: whatever comes of them, it is done once.
  const once: Record<string, string> = method !== 'GET' ? { 'idempotency-key': crypto.randomUUID() } : {}
  const request = {
    method,
    headers: { ...identity(), ...once, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  }
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(30_000) })
    if (response.ok) return (response.status === 204 ? null : await response.json()) as T
    const problem = await problemOf(response)
    if (tries === triesMax || ![429, 503].includes(response.status)) throw new ApiError(problem)
    const asked = response.headers.get('retry-after') ?? ''
    const seconds = /^\d+$/.test(asked) ? Number(asked) : 2 ** tries
    await wait(Math.min(seconds, waitMaxSeconds) * 1_000)
  }
}

/** All items of a list, page by page. */
export async function* each<T>(path: string, query: Query): AsyncGenerator<T> {
  let cursor: string | null = null
  do {
    const { data, page }: Page<T> = await call('GET', path, { query: cursor === null ? query : { ...query, cursor } })
    yield* data
    cursor = page.nextCursor
  } while (cursor !== null)
}

export function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`Set ${name}, see .env.example`)
  return value
}

function identity(): Record<string, string> {
  const workspace = process.env['WORKSPACE_ID']
  return {
    authorization: `Bearer ${setting('WORKSPACE_API_KEY')}`,
    'user-agent': 'workspace-starter/1.0',
    ...(workspace && { 'x-workspace-id': workspace }),
  }
}

/** What stands between us and the API may answer something else than a problem. */
async function problemOf(response: Response): Promise<Problem> {
  const text = await response.text()
  try {
    return JSON.parse(text) as Problem
  } catch {
    return { code: 'unreadable', status: response.status, detail: text.slice(0, 200), requestId: 'unknown' }
  }
}
