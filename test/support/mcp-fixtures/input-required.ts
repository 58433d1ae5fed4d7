// The conformance suite's tools and its prompt that ask the client for something before they complete: the question is
// a result, the client calls again with the answer.
import { randomUUID } from 'node:crypto'
import {
  ProtocolError,
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type InputRequest,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { rpcCodes } from '#contract/faults/json-rpc.ts'
import { capabilitiesIn, text, type FixtureCall, type FixturePrompt, type FixtureTool } from './fixture.ts'

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
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens })

const answered = ({ context }: Pick<FixtureCall, 'context'>, key: string): boolean =>
  inputResponse(context.mcpReq.inputResponses, key).kind !== 'missing'
const accepted = ({ context }: Pick<FixtureCall, 'context'>, key: string) =>
  acceptedContent(context.mcpReq.inputResponses, key)

/** Completes as soon as the client has answered. */
const asking = (key: string, request: InputRequest): FixtureTool => ({
  run: async (call) => (answered(call, key) ? text('Thank you') : inputRequired({ inputRequests: { [key]: request } })),
})

/** Completes when the client sends back the state together with the answer. */
const confirming: FixtureTool = {
  run: async (call) => {
    const isConfirmed = (await lastState(call.context)) === 'asked' && accepted(call, 'confirm') !== undefined
    if (isConfirmed) return text('state-ok')
    return inputRequired({
      inputRequests: { confirm: ask('Please confirm', 'ok') },
      requestState: await state.mint('asked', call.context),
    })
  },
}

const askingTwice: FixtureTool = {
  run: async (call) => {
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
}

const everyKind = {
  user_name: ask('What is your name?', 'name'),
  greeting: sample('Generate a greeting', 50),
  client_roots: inputRequired.listRoots(),
}

const askingForAll: FixtureTool = {
  run: async (call) =>
    Object.keys(everyKind).every((key) => answered(call, key))
      ? text('Thank you')
      : inputRequired({ inputRequests: everyKind, requestState: await state.mint('asked', call.context) }),
}

const askingWhatClientCan: FixtureTool = {
  run: async ({ context }) => {
    const can = capabilitiesIn(context)
    return inputRequired({
      inputRequests: {
        ...(can.elicitation && { user_name: everyKind.user_name }),
        ...(can.sampling && { greeting: everyKind.greeting }),
      },
    })
  },
}

export const askingTools: Record<string, FixtureTool> = {
  test_input_required_result_elicitation: {
    run: async (call) => {
      const name = accepted(call, 'user_name')?.['name']
      if (typeof name === 'string') return text(`Hello, ${name}!`)
      return inputRequired({ inputRequests: { user_name: everyKind.user_name } })
    },
  },
  test_input_required_result_sampling: asking('capital_question', sample('What is the capital of France?', 100)),
  test_input_required_result_list_roots: asking('client_roots', inputRequired.listRoots()),
  test_input_required_result_request_state: confirming,
  test_input_required_result_tampered_state: confirming,
  test_input_required_result_multiple_inputs: askingForAll,
  test_input_required_result_multi_round: askingTwice,
  test_input_required_result_capabilities: askingWhatClientCan,
  test_streaming_elicitation: asking('confirm', ask('Please confirm', 'ok')),
}

export const askingPrompt: FixturePrompt = {
  get: async (_args, context) => {
    const given = accepted({ context }, 'user_context')
    if (given === undefined)
      return inputRequired({ inputRequests: { user_context: ask('What context should the prompt use?', 'context') } })
    const message = `Use this context: ${String(given['context'])}`
    return { messages: [{ role: 'user', content: { type: 'text', text: message } }] }
  },
}
