// A call of an operation on behalf of a tool's caller.
import type { Input, Operation, Output } from '#contract/operation.ts'
import type { Answer, OperationRequest } from '../execution/operation-request.ts'
import type { Exchange } from './exchange.ts'

type Options = Pick<OperationRequest, 'idempotencyKey' | 'dryRun' | 'onProgress'>

export type AnswerOf<P extends Operation> = Omit<Answer, 'body'> & { readonly body: Output<P> }

/** `input` is validated by the operation. */
export async function callOperation<P extends Operation>(
  operation: P,
  input: Input<P> | Readonly<Record<string, unknown>>,
  { caller, execute, signal }: Exchange,
  options: Options = {},
): Promise<AnswerOf<P>> {
  const { body, ...rest } = await execute({ operation, input, principal: caller.principal, signal, ...options })
  // `execute` has validated the body against the operation's output.
  return { ...rest, body: body as Output<P> }
}
