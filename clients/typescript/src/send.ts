// Sends a call: the key, a limit of time for each attempt, and the same request again where that is safe.
import { readAnswer } from './answer.ts'
import { ApiError, ConnectionError } from './errors.ts'
import { apiPrefix, operations, type OperationName } from './operations.ts'
import { budgetIn, waitMs, type Budget } from './rate-limit.ts'
import { buildRequest } from './request.ts'
import { retryAfterIn, retryDelayMs, type Failure } from './retry.ts'

export type ClientOptions = {
  /** Where the installation is, such as `https://workspace.example`. */
  readonly baseUrl: string
  /** Left out where something between adds it, such as your own server behind a page. */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined
  /** For a key that is bound to no workspace. */
  readonly workspaceId?: string | undefined
  /** How often a call that failed is sent again, where that is safe. Default: 4. */
  readonly retries?: number | undefined
  /** For each attempt. Default: 30 seconds. */
  readonly timeoutMs?: number | undefined
  /** Is put before the name of this client. */
  readonly userAgent?: string | undefined
  /** In place of the global one. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** A key in a page can be read by all who open it. */
  readonly allowKeyInBrowser?: boolean | undefined
}

export type CallOptions = {
  readonly signal?: AbortSignal | undefined
  /** Default: one of its own for each call that changes something. */
  readonly idempotencyKey?: string | undefined
  readonly retries?: number | undefined
  readonly timeoutMs?: number | undefined
}

export type UploadBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string

export type Sender = {
  /** The answer's JSON, or the answer itself where it is bytes. */
  send(name: OperationName, input: object, options?: CallOptions, body?: UploadBody): Promise<unknown>
  /** Waits until calls of this cost fit into the rate limit. */
  pace(cost: number, signal?: AbortSignal): Promise<void>
}

const version = '0.3.0'
const retriesDefault = 4
const timeoutMsDefault = 30_000
const paceMsMax = 120_000

export function sender(options: ClientOptions): Sender {
  if (isBrowser() && options.apiKey !== undefined && options.allowKeyInBrowser !== true)
    throw new Error('A key in a page can be read by all who open it. Call through a server of your own, without a key.')
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const fetched = options.fetch ?? ((url, init) => globalThis.fetch(url, init))
  let budget: Budget | null = null

  async function send(name: OperationName, input: object, call: CallOptions = {}, upload?: UploadBody) {
    const { method, path, marks } = placeOf(name)
    const { target, headers, body } = buildRequest({ method, path }, input as Record<string, unknown>)
    const { 'content-type': _json, ...conditions } = headers
    const init = {
      method,
      headers: {
        ...(upload === undefined && body !== null ? headers : conditions),
        ...(await headersOf(options, name, call)),
      },
      body: upload ?? body,
    }
    const retries = call.retries ?? options.retries ?? retriesDefault
    const mayRepeat = method === 'GET' || takesKey(name)
    for (let attempt = 0; ; attempt++) {
      const limit = timeLimit(call.timeoutMs ?? options.timeoutMs ?? timeoutMsDefault, call.signal)
      let response: Response | null = null
      try {
        response = await fetched(baseUrl + target, { ...init, signal: limit.signal })
        budget = budgetIn(response.headers, Date.now()) ?? budget
        if (marks.includes('bytes') && response.ok) return limit.handOver(response)
        return await readAnswer(response)
      } catch (error) {
        call.signal?.throwIfAborted()
        const thrown = asError(error, limit.isOver())
        const delay =
          attempt >= retries
            ? null
            : retryDelayMs(failureOf(thrown, response), { attempt, mayRepeat, random: Math.random() })
        if (delay === null) throw thrown
        await pause(delay, call.signal)
      } finally {
        limit.end()
      }
    }
  }

  return {
    send,
    pace: (cost, signal) => pause(Math.min(waitMs(budget, cost, Date.now()), paceMsMax), signal),
  }
}

const isBrowser = (): boolean => 'document' in globalThis

async function headersOf(
  { apiKey, workspaceId, userAgent }: ClientOptions,
  name: OperationName,
  { idempotencyKey }: CallOptions,
): Promise<Record<string, string>> {
  const key = typeof apiKey === 'function' ? await apiKey() : apiKey
  const own = `workspace-integration-client/${version}`
  return {
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    ...(workspaceId !== undefined && { 'x-workspace-id': workspaceId }),
    ...(takesKey(name) && { 'idempotency-key': idempotencyKey ?? randomKey() }),
    // A page may not say who it is.
    ...(!isBrowser() && { 'user-agent': userAgent === undefined ? own : `${userAgent} ${own}` }),
  }
}

export function placeOf(name: OperationName): { method: string; path: string; marks: readonly string[] } {
  const [method = '', path = '', ...marks] = operations[name].split(' ')
  return { method, path: apiPrefix + path, marks }
}

/** The upload of bytes keeps no answer for a repetition. */
function takesKey(name: OperationName): boolean {
  const { method, marks } = placeOf(name)
  return method !== 'GET' && !marks.includes('upload')
}

/** Not `randomUUID`, which pages without https lack. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

function asError(error: unknown, isOver: boolean): ApiError | ConnectionError {
  if (error instanceof ApiError || error instanceof ConnectionError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new ConnectionError(isOver ? 'No answer came in time.' : `No answer came: ${reason}`, null, error)
}

function failureOf(error: ApiError | ConnectionError, response: Response | null): Failure {
  if (response === null || error.status === null) return { kind: 'unanswered' }
  return {
    kind: 'refused',
    status: error.status,
    code: error instanceof ApiError ? error.code : null,
    retryAfterSeconds: retryAfterIn(response.headers.get('retry-after'), Date.now()),
  }
}

/** Ends the attempt when its time is over, or when the caller wants no more of it. */
function timeLimit(ms: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    controller.abort(new Error('The time is over.'))
  }, ms)
  let isHandedOver = false
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted === true) abort()
  signal?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    isOver: () => isOver,
    /** The bytes of this answer come without a limit of time, and end with the caller's signal. */
    handOver(response: Response): Response {
      isHandedOver = true
      return response
    },
    end() {
      clearTimeout(timer)
      if (!isHandedOver) signal?.removeEventListener('abort', abort)
    },
  }
}

/** Rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted === true) abort()
    signal?.addEventListener('abort', abort, { once: true })
  })
}
