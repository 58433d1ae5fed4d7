// A typed client of the API, derived from the contract: it takes the name and input of an operation and returns its
// output.
import { operations, type OperationName, type OperationNamed } from '#contract/api.ts'
import { methodOf, type Audience, type Input, type Operation, type Output } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { buildRequest } from './typescript/src/request.ts'
import { readAnswer } from './typescript/src/answer.ts'

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

export type Client = {
  call<N extends OperationName>(name: N, input: Input<OperationNamed<N>>): Promise<Output<OperationNamed<N>>>
}

export const client = (options: Options): Client => ({
  async call(name, input) {
    const operation = operations.find((declared) => declared.name === name)
    if (operation === undefined) throw new Error(`There is no operation ${name}`)
    const response = await fetch(requestFor(operation, input as Record<string, unknown>, options))
    // The service checks its answers against the contract.
    return (await readAnswer(response)) as never
  },
})

export function requestFor(operation: Operation, input: Readonly<Record<string, unknown>>, options: Options): Request {
  const place = { method: methodOf(operation), path: pathFor(operation, options.audience) }
  const { method, target, headers, body } = buildRequest(place, input, options.workspaceId)
  return new Request(options.baseUrl + target, { method, body, headers: { ...headers, ...headersFor(options) } })
}

const headersFor = ({ token, audience, workspaceId, userAgent }: Options): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(userAgent !== undefined && { 'user-agent': userAgent }),
  ...(audience === 'api' && workspaceId !== undefined && { 'x-workspace-id': workspaceId }),
})
