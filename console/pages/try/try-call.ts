// Sends what was written, and reads what comes back: bounded in size and time, and never more than text.
import { readAnswer } from '#clients/typescript/src/answer.ts'
import type { Me } from '#contract/me.ts'
import { apiPrefix } from '#contract/route-paths.ts'
import { askForPassword } from '../../app/confirmation.ts'
import type { TriedRequest } from './try-request.ts'
import { texts } from './texts.tsx'

/** With a key, as a program does, without the session's cookie; or with the session, as the pages do. */
export type Sender =
  | { readonly kind: 'key'; readonly secret: string; readonly workspaceId: string | null }
  | { readonly kind: 'session' }

export type Answer = {
  readonly status: number
  readonly ms: number
  readonly requestId: string | null
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: AnswerBody
  /** Of an error. */
  readonly code: string | null
}
export type AnswerBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'binary'; readonly type: string; readonly bytes: Blob; readonly isCut: boolean }

const answerWithinMs = 30_000
const bytesMax = 1_000_000

export async function send(request: TriedRequest, sender: Sender, signal: AbortSignal): Promise<Answer> {
  const answer = await sendOnce(request, sender, signal)
  if (sender.kind !== 'session' || answer.code !== 'confirmation_required') return answer
  return (await askForPassword()) ? sendOnce(request, sender, signal) : answer
}

async function sendOnce({ method, target, headers, body }: TriedRequest, sender: Sender, signal: AbortSignal) {
  const startedAt = performance.now()
  const response = await fetch(target, {
    method,
    headers: { ...headers, ...headersOf(sender) },
    body: body === null ? null : JSON.stringify(body),
    credentials: sender.kind === 'session' ? 'same-origin' : 'omit',
    cache: 'no-store',
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
  })
  const { bytes, isCut } = await readAtMost(response)
  const read = await bodyOf(response, bytes, isCut)
  return {
    status: response.status,
    ms: performance.now() - startedAt,
    requestId: response.headers.get('x-request-id'),
    headers: [...response.headers],
    body: read,
    code: response.status >= 400 && read.kind === 'text' ? codeIn(read.text) : null,
  } satisfies Answer
}

const headersOf = (sender: Sender): Readonly<Record<string, string>> =>
  sender.kind === 'session'
    ? {}
    : {
        authorization: texts.bearer(sender.secret),
        ...(sender.workspaceId !== null && { 'x-workspace-id': sender.workspaceId }),
      }

/** An answer without an end is left once enough of it is there. */
async function readAtMost({ body }: Response): Promise<{ bytes: Blob; isCut: boolean }> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = body?.getReader()
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    chunks.push(read.value)
    length += read.value.length
    if (length <= bytesMax) continue
    await reader?.cancel()
    return { bytes: new Blob(chunks), isCut: true }
  }
  return { bytes: new Blob(chunks), isCut: false }
}

async function bodyOf({ headers }: Response, bytes: Blob, isCut: boolean): Promise<AnswerBody> {
  if (bytes.size === 0) return { kind: 'none' }
  const type = headers.get('content-type') ?? ''
  if (!/json|^text\//.test(type)) return { kind: 'binary', type, bytes, isCut }
  const text = await bytes.text()
  return { kind: 'text', text: isCut ? text : formatted(text), isCut }
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function codeIn(text: string): string | null {
  try {
    const { code } = JSON.parse(text) as { readonly code?: unknown }
    return typeof code === 'string' ? code : null
  } catch {
    return null
  }
}

/** What a key is and may do. Throws the refusal of a key that is none, or is refused here. */
export async function keyBehind(secret: string, signal: AbortSignal): Promise<Me> {
  const response = await fetch(`${apiPrefix}/me`, {
    headers: { authorization: texts.bearer(secret) },
    credentials: 'omit',
    cache: 'no-store',
    signal,
  })
  // The service checks its answers against the contract.
  return (await readAnswer(response)) as Me
}
