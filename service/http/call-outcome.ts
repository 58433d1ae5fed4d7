// What the gateway writes into the API log about an answer and cannot see from outside: the object that was made, and
// why the call was refused, over MCP as well, where a refusal is a result like any other.
import type { FastifyReply } from 'fastify'
import { outcomeHeader, outcomeText } from '#contract/internal/api-calls.ts'

/** Goes no further than the gateway. */
export function tellOutcome(reply: FastifyReply, outcome: Parameters<typeof outcomeText>[0]): void {
  if (!reply.raw.headersSent) reply.header(outcomeHeader, outcomeText(outcome))
}

type Content = readonly { readonly text?: unknown }[]
type RpcAnswer = {
  readonly error?: { readonly message?: string; readonly data?: { readonly code?: string } }
  readonly result?: { readonly isError?: boolean; readonly content?: Content }
}

/** Of one message, or of the first of a batch that was refused. */
export function tellRpcOutcome(reply: FastifyReply, answers: readonly object[]): void {
  for (const answer of answers) {
    const refused = refusalIn(answer)
    if (refused !== null) return tellOutcome(reply, refused)
  }
}

function refusalIn({ error, result }: RpcAnswer): { readonly code: string; readonly detail: string } | null {
  if (error !== undefined) return { code: error.data?.code ?? 'internal_error', detail: error.message ?? '' }
  if (result?.isError !== true) return null
  // The first line is `code: detail`; the fields that were wrong are in lines of their own.
  const text = result.content?.[0]?.text
  const [line = ''] = typeof text === 'string' ? text.split('\n', 1) : []
  const [, code = 'internal_error', detail = ''] = /^(\w+):\s*(.*)$/.exec(line) ?? []
  return { code, detail }
}
