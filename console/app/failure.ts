// An error in words.
import { ApiError } from '#clients/typescript/src/errors.ts'
import type { Failure } from '../ui/failure.ts'

export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) {
    const { title, detail, hint = null, requestId } = error.problem
    return { title, detail, hint, requestId }
  }
  return {
    title: 'No response',
    detail: error instanceof Error ? error.message : 'The request failed.',
    hint: 'Check your connection and try again.',
    requestId: null,
  }
}
