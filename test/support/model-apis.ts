// Stand-ins for the APIs of two providers of models, as strict with the names of tools as those are. A conversation without
// the result of a tool is answered with a call of the tool that the test has chosen, one with it by a sentence.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Call = { readonly name: string; readonly args: object }
export type ModelApis = AsyncDisposable & {
  readonly url: string
  /** The names of the tools of each request that was taken. */
  readonly offered: string[][]
  /** What the conversation says of the call that was made. */
  readonly results: string[]
}
type ChatRequest = {
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}
type MessagesRequest = {
  readonly tools?: readonly { readonly name: string }[]
  readonly messages: readonly { readonly content: unknown }[]
}
type Read = { readonly names: readonly string[]; readonly result: string | null }

/** What both say in their references. */
const nameForm = /^[a-zA-Z0-9_-]{1,64}$/
const said = 'The tool has answered.'

export async function startModelApis({ name, args }: Call): Promise<ModelApis> {
  const offered: string[][] = []
  const results: string[] = []
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, input_tokens: 1, output_tokens: 1 }

  function chat({ names, result }: Read) {
    const bad = names.findIndex((each) => !nameForm.test(each))
    if (bad >= 0) return refusal(`Invalid 'tools[${bad}].function.name': string does not match pattern.`)
    const calls = [{ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }]
    const message = result === null ? { content: null, tool_calls: calls } : { content: said }
    const choice = { index: 0, finish_reason: result === null ? 'tool_calls' : 'stop' }
    const choices = [{ ...choice, message: { role: 'assistant', ...message } }]
    return { id: 'chat_1', object: 'chat.completion', created: 1, model: 'test', choices, usage }
  }
  function messages({ names, result }: Read) {
    const bad = names.findIndex((each) => !nameForm.test(each))
    if (bad >= 0) return refusal(`tools.${bad}.custom.name: String should match pattern '${nameForm.source}'`)
    const content =
      result === null ? { type: 'tool_use', id: 'toolu_1', name, input: args } : { type: 'text', text: said }
    const stop = { stop_reason: result === null ? 'tool_use' : 'end_turn', stop_sequence: null }
    return { id: 'msg_1', type: 'message', role: 'assistant', model: 'test', content: [content], ...stop, usage }
  }
  const answerTo = (path: string, body: unknown) => {
    const read = path.endsWith('/messages') ? readMessages(body as MessagesRequest) : readChat(body as ChatRequest)
    const answer = path.endsWith('/messages') ? messages(read) : chat(read)
    if ('error' in answer) return answer
    offered.push([...read.names])
    if (read.result !== null) results.push(read.result)
    return answer
  }
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const answer = answerTo(request.url ?? '', JSON.parse(Buffer.concat(chunks).toString('utf8')))
    response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, offered, results },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const refusal = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } })

function readChat({ tools = [], messages }: ChatRequest): Read {
  const result = messages.find(({ role }) => role === 'tool')?.content
  return {
    names: tools.map((tool) => tool.function.name),
    result: result === undefined ? null : JSON.stringify(result),
  }
}

function readMessages({ tools = [], messages }: MessagesRequest): Read {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? (content as { type: string }[]) : []))
  const result = blocks.find(({ type }) => type === 'tool_result')
  return { names: tools.map((tool) => tool.name), result: result === undefined ? null : JSON.stringify(result) }
}
