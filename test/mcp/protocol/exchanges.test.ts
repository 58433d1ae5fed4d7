// How messages are exchanged, whatever is served: nothing hangs, what is stopped says so, and errors are in our words.
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ProtocolError } from '@modelcontextprotocol/server'
import { Fault } from '#contract/faults/fault.ts'
import type { McpFeatures } from '../../../service/mcp/features.ts'
import type { Exchange } from '../../../service/mcp/tools/runner.ts'
import { modernRequest, request, toolCall } from '../support/messages.ts'
import { mcpStage, type Stage } from '../support/stage.ts'

const call = toolCall('any')
const calls = (count: number) => Array.from({ length: count }, (_, id) => ({ ...call, id }))
const forEver = () => new Promise<never>(() => {})
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })
const requestId = 'request-1'

/** In both eras. */
const calledOn = async ({ post, postModern }: Stage) => [
  await post(call),
  await postModern('tools/call', { name: 'any' }),
]
const uri = 'workspace://tasks/x'
const readOn = async ({ post, postModern }: Stage) => [
  await post(request('resources/read', { uri })),
  await postModern('resources/read', { uri }),
]

describe('the deadline', () => {
  const slow = (signals: AbortSignal[]) => {
    const callTool: McpFeatures['callTool'] = (_name, _args, { signal }) => {
      signals.push(signal)
      return forEver()
    }
    return mcpStage({ callTool, readResource: forEver }, { deadlineMs: 20 })
  }
  const stopped = {
    isError: true,
    structuredContent: { code: 'timeout', requestId, hint: expect.stringContaining('idempotencyKey') },
    content: [{ text: expect.stringContaining('may have been made') }],
  }

  test('ends a call in either era, aborts what it does, and says how to find out what happened; other messages fail', async () => {
    const signals: AbortSignal[] = []
    await using stage = slow(signals)

    const answers = await calledOn(stage)
    const others = await readOn(stage)

    const error = { code: -32603, data: { code: 'timeout', requestId } }
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { id: 7, result: stopped } })
    for (const answer of others) expect(answer).toMatchObject({ status: 200, body: { error } })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })

  test('is one for a whole batch: what had not begun was not done, and says so', async () => {
    const signals: AbortSignal[] = []
    await using stage = slow(signals)

    const { body } = await stage.post(calls(6))

    const error = { message: expect.stringContaining('Nothing was done'), data: { code: 'timeout' } }
    const begun = Array.from({ length: 4 }, (_, id) => ({ id, result: stopped }))
    expect(body).toMatchObject([...begun, { id: 4, error }, { id: 5, error }])
    expect(signals).toHaveLength(4)
  })
})

const modern = modernRequest('tools/call', { name: 'any' })
test.each([
  ['of an older version', call, {}, 1],
  ['of 2026-07-28', modern.body, modern.headers, 1],
  ['with a batch', calls(9), {}, 4],
])(
  'a client %s that goes away stops what it has called, and nothing more begins',
  async (_name, body, headers, running) => {
    const begun: AbortSignal[] = []
    const started = Promise.withResolvers<void>()
    await using stage = mcpStage({
      callTool: async (_tool, _args, { signal }) => {
        begun.push(signal)
        if (begun.length === running) started.resolve()
        return forEver()
      },
    })
    await stage.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = stage.app.server.address() as AddressInfo
    const sent = httpRequest(`http://127.0.0.1:${port}/api/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...stage.headers(), ...headers },
    })
    sent.on('error', () => {})
    sent.end(JSON.stringify(body))
    await started.promise

    sent.destroy()
    await Promise.all(begun.map(async (signal) => signal.aborted || once(signal, 'abort')))
    // Closing waits for whatever still runs.
    await stage.app.close()

    expect(begun).toHaveLength(running)
  },
)

describe('progress', () => {
  const callTool: McpFeatures['callTool'] = async (_name, _args, { onProgress }) => {
    for (const done of [0, 0, 50, 20, 100]) onProgress?.(done, 100)
    return text('done')
  }
  const asked = { name: 'any', _meta: { progressToken: 'token' } }

  test('is streamed to a client of 2026-07-28 that asks for it, ever rising, with the result at its end', async () => {
    await using stage = mcpStage({ callTool })

    const { status, headers, body } = await stage.postModern('tools/call', asked)

    const messages = Array.from(String(body).matchAll(/^data: (.*)$/gm), ([, data = '']) => JSON.parse(data))
    const risen = [0, 50, 100].map((progress) => ({ progressToken: 'token', progress }))
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    expect(messages).toMatchObject([
      ...risen.map((params) => ({ method: 'notifications/progress', params })),
      { id: 7, result: { content: [{ text: 'done' }] } },
    ])
  })

  test('is not sent to a client that has no token for it, that takes JSON alone, or of an older version', async () => {
    await using stage = mcpStage({ callTool })

    const answers = [
      await stage.postModern('tools/call', { name: 'any' }),
      await stage.postModern('tools/call', asked, { accept: 'application/json' }),
      await stage.post(request('tools/call', asked)),
    ]

    const done = { status: 200, body: { id: 7, result: { content: [{ text: 'done' }] } } }
    expect(answers).toMatchObject([done, done, done])
  })
})

describe('what a feature throws', () => {
  const throwing = (thrown: unknown): Partial<McpFeatures> => ({
    callTool: () => Promise.reject(thrown),
    readResource: () => Promise.reject(thrown),
  })

  test('a fault keeps its code, its members and the request’s id', async () => {
    const members = { retryAfterSeconds: 3, hint: 'Wait.' }
    await using stage = mcpStage(throwing(new Fault('rate_limited', 'Slowly.', members)))

    const error = { code: -31029, message: 'Slowly.', data: { code: 'rate_limited', ...members, requestId } }
    expect((await readOn(stage)).map(({ body }) => body.error)).toEqual([error, error])
  })

  test.each<[string, Partial<McpFeatures>]>([
    ['an unknown error', throwing(new Error('SELECT secret'))],
    ['a result that is none', { callTool: async () => ({ content: 5 }) as never }],
  ])('%s tells the request’s id alone, in no words of others', async (_name, features) => {
    await using stage = mcpStage(features)

    for (const { status, body } of await calledOn(stage)) {
      expect(status).toBe(200)
      expect(body.error).toMatchObject({ code: -32603, data: { code: 'internal_error', requestId } })
      expect(JSON.stringify(body)).not.toMatch(/secret|invalid_type|expected/)
    }
  })

  test('a missing resource has the number of its era, and the URI', async () => {
    await using stage = mcpStage(throwing(new Fault('not_found', 'There is no such task.')))

    expect((await readOn(stage)).map(({ body }) => body.error)).toMatchObject([
      { code: -32002, data: { uri } },
      { code: -32602, data: { uri, code: 'not_found' } },
    ])
  })

  test('an error that is made for the protocol passes, with a code and the request’s id', async () => {
    const [code, message] = [-32602, 'Unknown tool: any']
    await using stage = mcpStage(throwing(new ProtocolError(code, message)))

    const { body } = await stage.post(call)

    expect(body.error).toEqual({ code, message, data: { code: 'invalid_parameter', requestId } })
  })
})

describe('what a caller wants to see', () => {
  const seen = async (headers: Record<string, string>) => {
    let caller: Exchange['caller'] | undefined
    await using stage = mcpStage({
      listTools: (exchange) => {
        caller = exchange.caller
        return []
      },
    })
    return { answer: await stage.post(request('tools/list'), headers), caller }
  }

  test('is all of it, unless headers say otherwise', async () => {
    const toolsets = new Set(['tasks', 'context'])
    const asked = { 'x-mcp-readonly': 'true', 'x-mcp-toolsets': 'tasks, context', 'mcp-protocol-version': '2025-03-26' }

    const whole = { isReadonly: false, toolsets: null, hasStructuredContent: true }
    expect((await seen({})).caller).toMatchObject(whole)
    expect((await seen(asked)).caller).toMatchObject({ isReadonly: true, toolsets, hasStructuredContent: false })
  })

  test.each([
    ['x-mcp-readonly', 'yes'],
    ['x-mcp-toolsets', 'tasks,taks'],
    ['x-mcp-tool-names', 'camel'],
  ])('a value of %s that is none is refused by name', async (header, value) => {
    const error = { code: -32600, data: { code: 'invalid_header', errors: [{ header }] } }

    expect((await seen({ [header]: value })).answer).toMatchObject({ status: 400, body: { id: 7, error } })
  })
})

test('the trace context of a message reaches what serves it; what has not its form is ignored', async () => {
  const traces: unknown[] = []
  await using stage = mcpStage({
    callTool: async (_name, _args, { trace }) => {
      traces.push(trace)
      return text('')
    },
  })
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

  await stage.post(request('tools/call', { name: 'x', _meta: { traceparent, tracestate: 'a=b' } }))
  await stage.postModern('tools/call', { name: 'x', _meta: { traceparent } })
  await stage.post(request('tools/call', { name: 'x', _meta: { traceparent: 'x' } }))

  expect(traces).toEqual([{ traceparent, tracestate: 'a=b' }, { traceparent }, undefined])
})
