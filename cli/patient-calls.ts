// Calls of commands that go on until they are ended: when the installation is away they say so once, and again when it
// is back.
import { operationNamed } from '#contract/api.ts'
import { requestFor, type Options } from '#clients/client.ts'
import { readAnswer } from '#clients/typescript/src/answer.ts'
import { ApiError, ConnectionError } from '#clients/typescript/src/errors.ts'
import type { Sender } from '#clients/typescript/src/send.ts'
import { codeOf } from './profiles.ts'

/** As long as the dispatcher waits for a receiver. */
export const answerWithinMs = 15_000

/** A call for either audience. Says once that the installation is away, and that it is back. */
export function sendWith(options: Options, note: (text: string) => void): Sender['send'] {
  let isAway = false
  return async (name, input, { signal, timeoutMs = answerWithinMs } = {}) => {
    const signals = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])]
    try {
      const request = requestFor(operationNamed(name), input as Record<string, unknown>, options)
      const answer = await readAnswer(await fetch(request, { signal: AbortSignal.any(signals) }))
      if (isAway) note('Connected again.\n')
      isAway = false
      return answer
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof ApiError && error.status < 500) throw error
      if (!isAway) note(`${options.baseUrl} does not answer. Trying again.\n`)
      isAway = true
      throw error instanceof ApiError || error instanceof ConnectionError
        ? error
        : new ConnectionError(`${options.baseUrl} does not answer: ${reasonOf(error)}`, null, error)
    }
  }
}

/** Why nothing was answered. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer in ${answerWithinMs / 1_000} s`
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  // Of several addresses of one name each has an error of its own.
  return (cause instanceof Error && cause.message) || codeOf(cause) || String(error)
}
