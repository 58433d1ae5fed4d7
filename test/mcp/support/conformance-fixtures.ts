// The conformance suite’s tools, prompts and resources, for the callers that a test chooses, around the product’s.
import { randomUUID } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type CallToolResult,
  type ClientCapabilities,
  type ContentBlock,
  type GetPromptResult,
  type InputRequest,
  type InputRequiredResult,
  type ReadResourceResult,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { rpcCodes } from '#contract/faults/json-rpc.ts'
import type { McpFeatures } from '../../../service/mcp/features.ts'
import type { Exchange } from '../../../service/mcp/tools/runner.ts'

type Args = Readonly<Record<string, unknown>>
type Call = { readonly args: Args; readonly exchange: Exchange; readonly context: ServerContext }
type FixtureTool = (call: Call) => Promise<CallToolResult | InputRequiredResult>
type FixturePrompt = (
  args: Record<string, string>,
  context: ServerContext,
) => Promise<GetPromptResult | InputRequiredResult>

const words = (value: string) => ({ type: 'text', text: value }) as const
const showing = (...content: ContentBlock[]): CallToolResult => ({ content })
const text = (value: string): CallToolResult => showing(words(value))

/** The published type of the envelope is empty; the SDK has checked this key. */
function capabilitiesIn({ mcpReq }: ServerContext): ClientCapabilities {
  const envelope: Args = mcpReq.envelope ?? {}
  return envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}
}

// What needs nothing of the client.

/** A PNG of one pixel, and a WAV file without samples. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='
const image = { type: 'image', data: png, mimeType: 'image/png' } as const
const embedded = (uri: string, mimeType: string, content: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: content } }) as const
const mixed = embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}')

const plainTools: Record<string, FixtureTool> = {
  test_simple_text: async () => text('This is a simple text response for testing.'),
  test_image_content: async () => showing(image),
  test_audio_content: async () => showing({ type: 'audio', data: wav, mimeType: 'audio/wav' }),
  test_embedded_resource: async () => showing(embedded('test://embedded-resource', 'text/plain', 'Embedded.')),
  test_multiple_content_types: async () => showing(words('Multiple content types test:'), image, mixed),
  test_error_handling: async () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  test_tool_with_progress: async ({ exchange }) => {
    for (const done of [0, 50, 100]) exchange.onProgress?.(done, 100)
    return text('Done')
  },
  // Logging is not declared, so nothing is logged, whatever level the client asks for.
  test_logging_tool: async () => text('Nothing logged'),
  test_missing_capability: async ({ context }) => {
    if (capabilitiesIn(context).sampling !== undefined) return text('The client can sample')
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
  },
  json_schema_2020_12_tool: async () => text('Called'),
  test_header_parameter: async ({ args }) => text(`Region: ${String(args['region'])}`),
}

const inputSchemas: Record<string, Tool['inputSchema']> = {
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
  test_header_parameter: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  },
}

const says = (...contents: ContentBlock[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})

const plainPrompts: Record<string, FixturePrompt> = {
  test_simple_prompt: async () => says(words('This is a simple prompt for testing.')),
  test_prompt_with_arguments: async ({ arg1, arg2 }) =>
    says(words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  test_prompt_with_embedded_resource: async ({ resourceUri = '' }) =>
    says(
      embedded(resourceUri, 'text/plain', 'An embedded resource.'),
      words('Please process the embedded resource above.'),
    ),
  test_prompt_with_image: async () => says(image, words('Please analyze the image above.')),
}

const promptArguments: Record<string, string[]> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
}

const fixtureResources = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
]
const fixtureTemplate = { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }

function readFixture(uri: string): ReadResourceResult | null {
  if (uri === 'test://static-text')
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] }
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: png }] }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id === undefined) return null
  const content = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  return { contents: [{ uri, mimeType: 'application/json', text: content }] }
}

// What asks the client for something before it completes: the question is a result.

const state = createRequestStateCodec<string>({ key: randomUUID() })

/** What the server said in the round before; undefined in the first one. */
async function lastState(context: ServerContext): Promise<string | undefined> {
  const given = context.mcpReq.requestState<string>()
  if (given === undefined) return undefined
  return state.verify(given, context).catch(() => {
    throw new ProtocolError(rpcCodes.invalidParams, 'Invalid requestState')
  })
}

const ask = (message: string, field: string): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  })
const sample = (prompt: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: words(prompt) }], maxTokens })

type InCall = Pick<Call, 'context'>
const answered = ({ context }: InCall, key: string): boolean =>
  inputResponse(context.mcpReq.inputResponses, key).kind !== 'missing'
const accepted = ({ context }: InCall, key: string) => acceptedContent(context.mcpReq.inputResponses, key)

/** Completes as soon as the client has answered. */
const asking =
  (key: string, request: InputRequest): FixtureTool =>
  async (call) =>
    answered(call, key) ? text('Thank you') : inputRequired({ inputRequests: { [key]: request } })

/** Completes when the client sends back the state together with the answer. */
const confirming: FixtureTool = async (call) => {
  const isConfirmed = (await lastState(call.context)) === 'asked' && accepted(call, 'confirm') !== undefined
  if (isConfirmed) return text('state-ok')
  const requestState = await state.mint('asked', call.context)
  return inputRequired({ inputRequests: { confirm: ask('Please confirm', 'ok') }, requestState })
}

const everyKind = {
  user_name: ask('What is your name?', 'name'),
  greeting: sample('Generate a greeting', 50),
  client_roots: inputRequired.listRoots(),
}

const askingTools: Record<string, FixtureTool> = {
  test_input_required_result_elicitation: async (call) => {
    const name = accepted(call, 'user_name')?.['name']
    if (typeof name === 'string') return text(`Hello, ${name}!`)
    return inputRequired({ inputRequests: { user_name: everyKind.user_name } })
  },
  test_input_required_result_sampling: asking('capital_question', sample('What is the capital of France?', 100)),
  test_input_required_result_list_roots: asking('client_roots', inputRequired.listRoots()),
  test_input_required_result_request_state: confirming,
  test_input_required_result_tampered_state: confirming,
  test_input_required_result_multiple_inputs: async (call) =>
    Object.keys(everyKind).every((key) => answered(call, key))
      ? text('Thank you')
      : inputRequired({ inputRequests: everyKind, requestState: await state.mint('asked', call.context) }),
  test_input_required_result_multi_round: async (call) => {
    const last = await lastState(call.context)
    if (last === 'second' && accepted(call, 'step2') !== undefined) return text('Both steps are done')
    const isSecond = last === 'first' && accepted(call, 'step1') !== undefined
    return inputRequired({
      inputRequests: isSecond
        ? { step2: ask('Step 2: What is your favorite color?', 'color') }
        : { step1: ask('Step 1: What is your name?', 'name') },
      requestState: await state.mint(isSecond ? 'second' : 'first', call.context),
    })
  },
  test_input_required_result_capabilities: async ({ context }) => {
    const { elicitation, sampling } = capabilitiesIn(context)
    const { user_name, greeting } = everyKind
    return inputRequired({ inputRequests: { ...(elicitation && { user_name }), ...(sampling && { greeting }) } })
  },
  test_streaming_elicitation: asking('confirm', ask('Please confirm', 'ok')),
}

const askingPrompt: FixturePrompt = async (_args, context) => {
  const given = accepted({ context }, 'user_context')
  if (given !== undefined) return says(words(`Use this context: ${String(given['context'])}`))
  return inputRequired({ inputRequests: { user_context: ask('What context should the prompt use?', 'context') } })
}

const tools = { ...plainTools, ...askingTools }
const prompts: Record<string, FixturePrompt> = { ...plainPrompts, test_input_required_result_prompt: askingPrompt }
const noArguments = { type: 'object', additionalProperties: false } as const
const description = 'A fixture of the conformance suite.'

const listedTools = Object.keys(tools).map((name) => ({
  name,
  description,
  inputSchema: inputSchemas[name] ?? noArguments,
}))
const listedPrompts = Object.keys(prompts).map((name) => ({
  name,
  description,
  arguments: (promptArguments[name] ?? []).map((each) => ({ name: each, required: true })),
}))

export const withFixtures =
  (isFor: (exchange: Exchange) => boolean) =>
  (product: McpFeatures): McpFeatures => {
    const also = <T>(fixtures: readonly T[], exchange: Exchange): readonly T[] => (isFor(exchange) ? fixtures : [])
    return {
      instructions: product.instructions,
      listTools: (exchange) => [...product.listTools(exchange), ...also(listedTools, exchange)],
      callTool: async (name, args, exchange, context) => {
        const fixture = isFor(exchange) ? tools[name] : undefined
        return fixture?.({ args, exchange, context }) ?? product.callTool(name, args, exchange, context)
      },
      listResources: async (cursor, exchange) => {
        const listed = await product.listResources(cursor, exchange)
        return { ...listed, resources: [...listed.resources, ...also(fixtureResources, exchange)] }
      },
      listResourceTemplates: (exchange) => {
        const { resourceTemplates } = product.listResourceTemplates(exchange)
        return { resourceTemplates: [...resourceTemplates, ...also([fixtureTemplate], exchange)] }
      },
      readResource: async (uri, exchange) =>
        (isFor(exchange) ? readFixture(uri) : null) ?? product.readResource(uri, exchange),
      listPrompts: (exchange) => ({
        prompts: [...product.listPrompts(exchange).prompts, ...also(listedPrompts, exchange)],
      }),
      getPrompt: async (name, args, exchange, context) => {
        const fixture = isFor(exchange) ? prompts[name] : undefined
        return fixture?.(args, context) ?? product.getPrompt(name, args, exchange, context)
      },
      complete: async (params, exchange) =>
        isFor(exchange) && isFixture(params.ref) ? { completion: { values: [] } } : product.complete(params, exchange),
    }
  }

const isFixture = (ref: { readonly type: string; readonly name?: string; readonly uri?: string }): boolean =>
  ref.type === 'ref/prompt' ? (ref.name ?? '') in prompts : ref.uri === fixtureTemplate.uriTemplate
