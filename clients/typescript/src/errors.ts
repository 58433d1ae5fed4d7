// What a call throws. An ApiError is what the API has answered; a ConnectionError says that it has not.
import type { CommonErrorCode, ErrorCode, OwnErrorCodes, Problem } from './schema.ts'

/** The codes that a call can be refused with: `ErrorsOf<'tasks.update'>`. */
export type ErrorsOf<N extends keyof OwnErrorCodes> = CommonErrorCode | OwnErrorCodes[N]

/** The API refused the call. `problem` is the body of its answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(`${problem.status} ${problem.code}: ${problem.detail} (request ${problem.requestId})`)
    this.problem = problem
  }

  get code(): ErrorCode {
    return this.problem.code
  }

  get status(): number {
    return this.problem.status
  }

  /** Quote it when you ask about this answer. */
  get requestId(): string {
    return this.problem.requestId
  }
}

/** Is it a refusal by the API, with one of these codes if any are named? */
export function isApiError<C extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly C[]
): error is ApiError & { readonly code: C } {
  return error instanceof ApiError && (codes.length === 0 || codes.some((code) => code === error.code))
}

/** No answer came, or one that is not the API's: of something that stands between, such as a balancer. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  /** Of the answer, if one came. */
  readonly status: number | null

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
  }
}
