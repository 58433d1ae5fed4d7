// The answer to a call: what the operation gives, or the error that the API answered with.
import type { Problem } from '#contract/faults/problem-details.ts'

/** The API answered with an error. `problem` is the body. */
export class ApiError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`)
    this.problem = problem
  }
}

/** Returns null where the answer has no body. */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text()
  const body = text === '' ? null : parsed(text, response)
  if (!response.ok) throw new ApiError(body as Problem)
  return body
}

/** Throws when the text is not JSON: something in front of the API, such as a balancer, has answered. */
function parsed(text: string, { status, url }: Response): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${new URL(url).origin} answered ${status}, with something that is no JSON.`)
  }
}
