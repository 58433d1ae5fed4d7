// Calls of the settings API, typed by the contract. A call that needs the password again asks for it and is repeated; a
// call without a session notifies the listeners.
import { routes } from 'virtual:routes'
import { buildRequest } from '#clients/typescript/src/request.ts'
import { readAnswer } from '#clients/typescript/src/answer.ts'
import { ApiError } from '#clients/typescript/src/errors.ts'
import type { OperationName, OperationNamed } from '#contract/api.ts'
import type { Input, Output } from '#contract/operation.ts'
import { askForPassword } from './confirmation.ts'

type Options = {
  /** For operations in a workspace. */
  readonly workspaceId?: string | undefined
  readonly signal?: AbortSignal
}

export async function call<N extends OperationName>(
  name: N,
  input: Input<OperationNamed<N>>,
  options: Options = {},
): Promise<Output<OperationNamed<N>>> {
  try {
    return await send(name, input, options)
  } catch (error) {
    if (codeOf(error) === 'not_signed_in') for (const listener of signedOut) listener()
    if (codeOf(error) === 'second_factor_required') for (const listener of lackingFactor) listener()
    if (codeOf(error) !== 'confirmation_required' || !(await askForPassword())) throw error
    return send(name, input, options)
  }
}

const signedOut = new Set<() => void>()

/** Calls back when a call was refused because there is no session. */
export const onSignedOut = (listener: () => void): void => void signedOut.add(listener)

const lackingFactor = new Set<() => void>()

/** Calls back when a call was refused because the workspace requires a second factor by now. */
export const onSecondFactorRequired = (listener: () => void): void => void lackingFactor.add(listener)

/** The code that the API refused a call with; null for any other error. */
export const codeOf = (error: unknown): string | null => (error instanceof ApiError ? error.problem.code : null)

function requestOf<N extends OperationName>(name: N, input: Input<OperationNamed<N>>, workspaceId: string | undefined) {
  const route = routes[name]
  if (route === undefined) throw new Error(`This page uses an unknown operation (${name}). Reload the page.`)
  const [method = '', path = ''] = route.split(' ')
  return buildRequest({ method, path }, input as Record<string, unknown>, workspaceId)
}

/** Of an operation that only reads: what a link to its file leads to. */
export const addressOf = <N extends OperationName>(
  name: N,
  input: Input<OperationNamed<N>>,
  workspaceId: string,
): string => requestOf(name, input, workspaceId).target

async function send<N extends OperationName>(
  name: N,
  input: Input<OperationNamed<N>>,
  { workspaceId, signal }: Options,
): Promise<Output<OperationNamed<N>>> {
  const { method, target, body, headers } = requestOf(name, input, workspaceId)
  const response = await fetch(target, { method, body, headers, cache: 'no-store', ...(signal && { signal }) })
  // The service checks its answers against the contract.
  return (await readAnswer(response)) as Output<OperationNamed<N>>
}
