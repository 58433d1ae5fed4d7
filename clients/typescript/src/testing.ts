// A stand-in for the API, for tests of programs that use the client. It is in memory, and is given to the client as its
// `fetch`. It keeps objects of the collections, answers their lists in pages and filters them by equality; it knows
// versions, own ids, idempotency keys and the feed. It checks nothing: what it takes, the API may refuse.
import { Refusal, State, type Answer, type FakeObject } from './fake-state.ts'
import { apiPrefix, operations, type OperationName } from './operations.ts'
import type { ErrorCode } from './schema.ts'
import { signWebhook } from './webhooks.ts'

export type { FakeObject } from './fake-state.ts'
export type FakeCall = { readonly operation: OperationName; readonly input: Readonly<Record<string, unknown>> }

export type FakeServer = {
  /** For `baseUrl` of the client. */
  readonly url: string
  /** For `fetch` of the client. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  /** What was called, in order. */
  readonly calls: readonly FakeCall[]
  /** The objects of a collection that are not deleted: `objects('tasks')`. */
  objects(collection: string): FakeObject[]
  /** Adds an object as it is, without an event. */
  add(collection: string, fields: Record<string, unknown>): FakeObject
  /** The next calls, of any or of this operation, are refused with this code. */
  refuse(
    code: ErrorCode,
    how?: {
      readonly times?: number
      readonly status?: number
      readonly retryAfterSeconds?: number
      readonly operation?: OperationName
    },
  ): void
  /** What an operation answers that the fake does not know, or in place of what it does. */
  answer(operation: OperationName, answer: (input: Readonly<Record<string, unknown>>) => unknown): void
  /** An event as a webhook delivers it, signed: give body and headers to your receiver. Default: the newest event. */
  delivery(options: {
    readonly secret: string
    readonly event?: unknown
    readonly brand?: string
    readonly id?: string
  }): Promise<{ body: string; headers: Record<string, string> }>
}

type Refusing = { code: string; status: number; left: number; retryAfterSeconds: number; operation: string | undefined }
const statuses: Readonly<Record<string, number>> = {
  ...{ rate_limited: 429, unavailable: 503, timeout: 504, internal_error: 500, not_found: 404, version_mismatch: 412 },
  ...{ insufficient_scope: 403, invalid_api_key: 401, validation_failed: 422, duplicate: 409, purged: 410 },
}

export function createFakeServer(url = 'https://fake.example'): FakeServer {
  const state = new State()
  const calls: FakeCall[] = []
  const refusing: Refusing[] = []
  const answers = new Map<string, (input: Readonly<Record<string, unknown>>) => unknown>()
  const kept = new Map<string, Answer>()

  async function answered(
    operation: OperationName,
    input: Record<string, unknown>,
    init: RequestInit,
  ): Promise<Answer> {
    const refused = refusing.find((each) => each.left > 0 && (each.operation ?? operation) === operation)
    if (refused !== undefined) {
      refused.left--
      const { status, code, retryAfterSeconds } = refused
      throw new Refusal(status, code, 'The test refuses this call.', { retryAfterSeconds })
    }
    const key = new Headers(init.headers).get('idempotency-key')
    const before = key === null ? undefined : kept.get(key)
    if (before !== undefined) return before
    const own = answers.get(operation)
    const answer = own === undefined ? await state.answer(operation, input) : { status: 200, body: own(input) }
    if (key !== null) kept.set(key, answer)
    return answer
  }

  return {
    url,
    calls,
    async fetch(target, init) {
      init.signal?.throwIfAborted()
      const { operation, input } = callIn(target.slice(url.length), init)
      calls.push({ operation, input })
      try {
        return response(await answered(operation, input, init))
      } catch (thrown) {
        if (!(thrown instanceof Refusal)) throw thrown
        return response(problemOf(thrown))
      }
    },
    objects: (collection) => state.of(collection).filter(({ deletedAt }) => deletedAt === null),
    add: (collection, fields) => state.add(collection, fields),
    refuse(code, { times = 1, status = statuses[code] ?? 400, retryAfterSeconds = 0, operation } = {}) {
      refusing.push({ code, status, left: times, retryAfterSeconds, operation })
    },
    answer: (operation, answer) => void answers.set(operation, answer),
    async delivery({ secret, event = state.events.at(-1), brand, id = crypto.randomUUID() }) {
      const body = JSON.stringify(event)
      const type = String((event as { type?: unknown } | undefined)?.type)
      const headers = await signWebhook(body, { secret, id, brand, type, unixSeconds: Math.floor(Date.now() / 1_000) })
      return { body, headers }
    },
  }
}

/** The operation that a request calls, and its input. */
function callIn(target: string, init: RequestInit): FakeCall & { input: Record<string, unknown> } {
  const [pathname = '', query = ''] = target.split('?')
  const parts = pathname.slice(apiPrefix.length).split('/')
  const fits = ([, how]: readonly [string, string]): boolean => {
    const [method, path = ''] = how.split(' ')
    const template = path.split('/')
    const isSame = (part: string, at: number) => part === parts[at] || part.startsWith('{')
    return method === init.method && template.length === parts.length && template.every(isSame)
  }
  // One that names the path is meant rather than one that takes any name there.
  const found = Object.entries(operations)
    .filter(fits)
    .toSorted(([, a], [, b]) => namesIn(a) - namesIn(b))[0]
  if (found === undefined) throw new Error(`There is no operation at ${init.method} ${pathname}`)
  const [operation, how] = found
  const path = how.split(' ')[1] ?? ''
  const named = path
    .split('/')
    .flatMap((part, at): [string, unknown][] =>
      part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(parts[at] ?? '')]] : [],
    )
  const headers = new Headers(init.headers)
  const [, expected] = /^"(\d+)"$/.exec(headers.get('if-match') ?? '') ?? []
  const body = typeof init.body === 'string' && headers.get('content-type') === 'application/json' ? init.body : '{}'
  return {
    operation: operation as OperationName,
    input: {
      ...Object.fromEntries(new URLSearchParams(query)),
      ...(JSON.parse(body) as object),
      ...Object.fromEntries(named),
      ...(expected !== undefined && { expectedVersion: Number(expected) }),
      ...(headers.get('if-none-match') === '*' && { createOnly: true }),
    },
  }
}

function problemOf({ status, code, message: detail, more }: Refusal): Answer {
  const type = `/docs/errors/${code}`
  return { status, body: { type, title: code, status, detail, instance: '', code, requestId: 'fake', ...more } }
}

const namesIn = (how: string): number => how.split('{').length

function response({ status, body }: Answer): Response {
  const retryAfter = (body as { retryAfterSeconds?: number } | null)?.retryAfterSeconds
  const headers = {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': `${retryAfter}` }),
  }
  return new Response(status === 204 ? null : JSON.stringify(body), { status, headers })
}
