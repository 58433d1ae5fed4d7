// One message of the protocol versions before 2026-07-28, served without a session and answered with JSON.
import type { JSONRPCErrorResponse, JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server'
import { wantsAnswer, type Message } from './json-rpc-messages.ts'

/** The number of these versions for a resource that does not exist; the SDK knows the one of 2026-07-28 alone. */
const resourceNotFound = -32_002

/** Returns null where no answer is wanted. What the message starts ends by the deadline of its server. */
export async function legacyExchange(message: Message, open: () => Server): Promise<object | null> {
  if (!wantsAnswer(message)) return null
  const server = open()
  const answer = Promise.withResolvers<object>()
  // What the SDK drops, it tells nobody else: without this the client would wait for ever.
  Object.assign(server, { onerror: (error: Error) => answer.reject(error) })
  const transport: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: async (sent) => {
      if ('error' in sent) answer.resolve(ofItsVersion(sent, message))
      else if ('result' in sent) answer.resolve(sent)
    },
  }
  await server.connect(transport)
  // `messageError` has judged it by the schema of this very type.
  transport.onmessage?.(message as JSONRPCMessage)
  // After an answer there is nothing left to end, and ending makes an error that costs as much as a look-up.
  return answer.promise.catch(async (error: unknown) => {
    await server.close()
    throw error
  })
}

function ofItsVersion(answer: JSONRPCErrorResponse, { method }: Message): JSONRPCErrorResponse {
  const { error } = answer
  const isMissing = method === 'resources/read' && (error.data as { uri?: unknown } | undefined)?.uri !== undefined
  return isMissing ? { ...answer, error: { ...error, code: resourceNotFound } } : answer
}
