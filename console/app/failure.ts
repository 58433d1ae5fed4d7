// An error in words.
import { ApiError } from '#clients/typescript/src/errors.ts'
import type { Failure } from '../ui/failure.ts'
import { texts } from './texts.tsx'

/** What went wrong in the page itself, in words for the person. */
export class PageError extends Error {
  readonly title: string

  constructor(title: string, detail: string, cause: unknown) {
    super(detail, { cause })
    this.title = title
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) {
    const { title, detail, hint = null, requestId } = error.problem
    return { title, detail, hint, requestId }
  }
  if (error instanceof PageError) return { title: error.title, detail: error.message, hint: null, requestId: null }
  return {
    title: texts.noResponse,
    // Browsers throw a TypeError, each with words of its own, where the server was not reached.
    detail: error instanceof Error && !(error instanceof TypeError) ? error.message : texts.theServerCouldNotBe,
    hint: texts.checkYourConnectionAndTry,
    requestId: null,
  }
}
