// A typed client of the API, derived from the contract: it takes the name and input of an operation and returns its output.
import { operations, type OperationName, type OperationNamed } from '#contract/api.ts'
import type { Problem } from '#contract/problem-details.ts'
import { methodOf, pathOf, type Audience, type Input, type Operation, type Output } from '#contract/operation.ts'
import { parameterNames, pathFor } from '#contract/route-paths.ts'
import { textOfList } from '#contract/text-values.ts'

export type Options = {
  readonly baseUrl: string
  /** An API key for the audience `api`, the operator token for `settings`. */
  readonly token: string
  readonly audience: Audience
  /** Required for keys that are not bound to a workspace, and for the settings API. */
  readonly workspaceId?: string
  /** The User-Agent header. */
  readonly userAgent?: string
}

/** The API answered with an error. `problem` is the body. */
export class ApiError extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`)
    this.problem = problem
  }
}

export type Client = {
  call<N extends OperationName>(name: N, input: Input<OperationNamed<N>>): Promise<Output<OperationNamed<N>>>
}

export const client = (options: Options): Client => ({
  async call(name, input) {
    const operation = operations.find((declared) => declared.name === name)
    if (operation === undefined) throw new Error(`There is no operation ${name}`)
    const response = await fetch(requestFor(operation, input as Record<string, unknown>, options))
    const body = await bodyOf(response)
    // The service checks its answers against the contract.
    return body as never
  },
})

/** Throws an ApiError where the answer is one. */
export async function bodyOf(response: Response): Promise<unknown> {
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

/** Puts each field of the input into path, query, If-Match or body. */
export function requestFor(operation: Operation, input: Readonly<Record<string, unknown>>, options: Options): Request {
  const { expectedVersion, ...values } = input
  const inPath = parameterNames(pathOf(operation))
  const rest = Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !inPath.includes(name) && value !== undefined),
  )
  const takesQuery = ['GET', 'DELETE'].includes(methodOf(operation))
  const url = new URL(
    options.baseUrl + filled(pathFor(operation, options.audience), { ...values, workspaceId: options.workspaceId }),
  )
  if (takesQuery) for (const [name, value] of Object.entries(rest)) url.searchParams.set(name, asText(value))
  return new Request(url, {
    method: methodOf(operation),
    headers: headersFor(options, expectedVersion),
    ...(!takesQuery && { body: JSON.stringify(rest) }),
  })
}

function headersFor(
  { token, audience, workspaceId, userAgent }: Options,
  expectedVersion: unknown,
): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
    ...(audience === 'api' && workspaceId !== undefined && { 'x-workspace-id': workspaceId }),
    ...(expectedVersion !== undefined && { 'if-match': `"${asText(expectedVersion)}"` }),
  }
}

function filled(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${path} needs ${name}`)
    return encodeURIComponent(asText(value))
  })
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return textOfList(value.map(asText))
  return typeof value === 'string' ? value : JSON.stringify(value)
}
