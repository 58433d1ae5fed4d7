// The answer to a call: what the operation gives, or the error that the API answered with.
import { ApiError, ConnectionError } from './errors.ts'
import type { Problem } from './schema.ts'

/** Returns null where the answer has no body. */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text()
  const body = text === '' ? null : parsed(text, response)
  if (response.ok) return body
  if (!isProblem(body)) throw notOurs(response, 'something that is no problem of the API')
  throw new ApiError(body)
}

/** Throws when the text is not JSON: something in front of the API, such as a balancer, has answered. */
function parsed(text: string, response: Response): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notOurs(response, 'something that is no JSON')
  }
}

const notOurs = ({ url, status }: Response, what: string): ConnectionError =>
  new ConnectionError(`${originOf(url)} answered ${status}, with ${what}.`, status)

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string'

/** The address of a response that was made by hand is empty. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'The server')
