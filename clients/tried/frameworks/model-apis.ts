// Stand-ins for three APIs of models, as strict with the names of tools as those are. A conversation without the result
// of a tool is answered with a call of the tool that the trial has chosen, one with it by a sentence.
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
/** What a request says: its tools, and the result of the call where there was one. */
type Read = { readonly names: readonly string[]; readonly result: unknown }
type Dialect = {
  readonly path: string
  readonly read: (body: never) => Read
  readonly refusal: (tool: number) => string
  readonly call: (call: Call) => object
  readonly sentence: object
}

/** What all of them say in their references. */
const nameForm = /^[a-zA-Z0-9_-]{1,64}$/
export const sentence = 'The tool has answered.'

/** Each answer has an id of its own: an agent takes a message with a known id for a change of that one. */
const chatOf = (finish: string, message: object) => ({
  id: `chat_${finish}`,
  object: 'chat.completion',
  created: 1,
  model: 'test',
  choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', ...message } }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})
type ChatRequest = {
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}
/** OpenAI, Chat Completions. */
const chat: Dialect = {
  path: '/chat/completions',
  read: ({ tools = [], messages }: ChatRequest) => ({
    names: tools.map((tool) => tool.function.name),
    result: messages.find(({ role }) => role === 'tool')?.content,
  }),
  refusal: (tool) => `Invalid 'tools[${tool}].function.name': string does not match pattern.`,
  call: ({ name, args }) =>
    chatOf('tool_calls', {
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    }),
  sentence: chatOf('stop', { content: sentence }),
}

const responseOf = (type: string, item: object) => ({
  id: `resp_${type}`,
  object: 'response',
  created_at: 1,
  model: 'test',
  status: 'completed',
  output: [{ type, status: 'completed', ...item }],
  usage: {
    input_tokens: 1,
    output_tokens: 1,
    total_tokens: 2,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  },
})
type ResponsesRequest = {
  readonly tools?: readonly { readonly name: string }[]
  readonly input: string | readonly { readonly type?: string; readonly output?: unknown }[]
}
/** OpenAI, Responses. */
const responses: Dialect = {
  path: '/responses',
  read: ({ tools = [], input }: ResponsesRequest) => ({
    names: tools.map(({ name }) => name),
    result: (typeof input === 'string' ? [] : input).find(({ type }) => type === 'function_call_output')?.output,
  }),
  refusal: (tool) => `Invalid 'tools[${tool}].name': string does not match pattern.`,
  call: ({ name, args }) =>
    responseOf('function_call', { id: 'fc_1', call_id: 'call_1', name, arguments: JSON.stringify(args) }),
  sentence: responseOf('message', {
    id: 'msg_1',
    role: 'assistant',
    content: [{ type: 'output_text', text: sentence, annotations: [] }],
  }),
}

const messageOf = (reason: string, block: object) => ({
  id: `msg_${reason}`,
  type: 'message',
  role: 'assistant',
  model: 'test',
  content: [block],
  stop_reason: reason,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
})
type MessagesRequest = {
  readonly tools?: readonly { readonly name: string }[]
  readonly messages: readonly { readonly content: unknown }[]
}
/** Anthropic, Messages. */
const messages: Dialect = {
  path: '/messages',
  read: ({ tools = [], messages }: MessagesRequest) => ({
    names: tools.map(({ name }) => name),
    result: messages
      .flatMap(({ content }) => (Array.isArray(content) ? (content as { type: string }[]) : []))
      .find(({ type }) => type === 'tool_result'),
  }),
  refusal: (tool) => `tools.${tool}.custom.name: String should match pattern '${nameForm.source}'`,
  call: ({ name, args }) => messageOf('tool_use', { type: 'tool_use', id: 'toolu_1', name, input: args }),
  sentence: messageOf('end_turn', { type: 'text', text: sentence }),
}

const dialects = [chat, responses, messages]

export async function startModelApis(call: Call): Promise<ModelApis> {
  const offered: string[][] = []
  const results: string[] = []

  function answerTo(url: string, body: unknown): { readonly status: number; readonly body: object } {
    const dialect = dialects.find(({ path }) => url.split('?')[0]?.endsWith(path))
    if (dialect === undefined) return { status: 404, body: refusalOf('There is no such address here.') }
    const { names, result } = dialect.read(body as never)
    const bad = names.findIndex((each) => !nameForm.test(each))
    if (bad >= 0) return { status: 400, body: refusalOf(dialect.refusal(bad)) }
    offered.push([...names])
    if (result === undefined) return { status: 200, body: dialect.call(call) }
    results.push(JSON.stringify(result))
    return { status: 200, body: dialect.sentence }
  }
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { status, body } = answerTo(request.url ?? '', JSON.parse(Buffer.concat(chunks).toString('utf8')))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    offered,
    results,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const refusalOf = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } })
