// How messages are exchanged, whatever is served: nothing hangs, what is stopped says so, and errors are in our words.

import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ProtocolError } from '@modelcontextprotocol/server'
import { Fault } from '#contract/faults/fault.ts'
import type { McpFeatures } from '../../../service/mcp/features.ts'
import type { Exchange } from '../../../service/mcp/tools/runner.ts'
import { mcpStage, modernMeta, type Stage } from './stage.ts'

const call = (id: number, name = 'any', args = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
const forEver = () => new Promise<never>(() => {})
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

describe('a message that the SDK would drop', () => {
  const dropped: [string, object, number, string][] = [
    ['an unknown member', { foo: 1 }, -32600, '`foo` has no place in this message.'],
    ['`result` beside `method`', { result: {} }, -32600, '`result` has no place in this message.'],
    ['a number for _meta', { params: { _meta: 5 } }, -32602, '`params._meta` must be an object.'],
    [
      'an object for a progress token',
      { params: { _meta: { progressToken: {} } } },
      -32602,
      '`params._meta.progressToken` must be text or a number.',
    ],
  ]

  test.each(dropped)('%s is refused alone, and costs no other entry of a batch its answer', async (...given) => {
    const [, more, code, message] = given
    await using stage = mcpStage({})
    const bad = { jsonrpc: '2.0', id: 2, method: 'ping', ...more }

    const alone = await stage.post(bad)
    const batch = await stage.post([call(1), bad, call(3)])

    expect(alone).toMatchObject({ status: 400, body: { id: 2, error: { code, message } } })
    expect(batch).toMatchObject({ status: 200, body: [{ id: 1, result: {} }, { id: 2, error: { code } }, { id: 3 }] })
  })
})

describe('the deadline', () => {
  const slow = (signals: AbortSignal[]): Partial<McpFeatures> => ({
    callTool: (_name, _args, { signal }) => {
      signals.push(signal)
      return forEver()
    },
    readResource: forEver,
  })
  const stopped = {
    isError: true,
    structuredContent: { code: 'timeout', requestId: 'request-1', hint: expect.stringContaining('idempotencyKey') },
    content: [{ text: expect.stringContaining('may have been made') }],
  }

  test('ends a tool call in either era, aborts what it does, and says how to find out what happened', async () => {
    const signals: AbortSignal[] = []
    await using stage = mcpStage(slow(signals), { deadlineMs: 20 })

    const legacy = await stage.post(call(1))
    const modern = await stage.postModern('tools/call', { name: 'any' })

    expect(legacy).toMatchObject({ status: 200, body: { id: 1, result: stopped } })
    expect(modern).toMatchObject({ status: 200, body: { id: 1, result: stopped } })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })

  test('ends any other message with an error', async () => {
    await using stage = mcpStage(slow([]), { deadlineMs: 20 })
    const error = { code: -32603, data: { code: 'timeout', requestId: 'request-1' } }

    const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'x:y' } }
    expect(await stage.post(read)).toMatchObject({ status: 200, body: { error } })
    expect(await stage.postModern('resources/read', { uri: 'x:y' })).toMatchObject({ status: 200, body: { error } })
  })

  test('is one for a whole batch: what had not begun was not done, and says so', async () => {
    const signals: AbortSignal[] = []
    await using stage = mcpStage(slow(signals), { deadlineMs: 20 })

    const { body } = await stage.post(Array.from({ length: 6 }, (_, id) => call(id)))

    expect(body.slice(0, 4)).toMatchObject(Array.from({ length: 4 }, (_, id) => ({ id, result: stopped })))
    expect(body.slice(4)).toMatchObject([
      { id: 4, error: { message: expect.stringContaining('Nothing was done'), data: { code: 'timeout' } } },
      { id: 5 },
    ])
    expect(signals).toHaveLength(4)
  })
})

describe('a client that goes away', () => {
  const goAway = async (stage: Stage, body: unknown, headers: object, started: Promise<unknown>) => {
    await stage.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = stage.app.server.address() as AddressInfo
    const sent = httpRequest({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: '/api/mcp',
      headers: { 'content-type': 'application/json', ...stage.headers(), ...headers },
    })
    sent.on('error', () => {})
    sent.end(JSON.stringify(body))
    await started
    sent.destroy()
  }
  const modernCall = { ...call(1), params: { name: 'any', _meta: modernMeta } }
  const modernHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'any' }

  test.each([
    ['of an older version', call(1), {}],
    ['of 2026-07-28', modernCall, modernHeaders],
    ['with a batch', Array.from({ length: 9 }, (_, id) => call(id)), {}],
  ])('%s stops what it has called, and nothing more begins', async (_name, body, headers) => {
    const begun: AbortSignal[] = []
    const started = Promise.withResolvers<void>()
    await using stage = mcpStage({
      callTool: async (_tool, _args, { signal }) => {
        begun.push(signal)
        if (begun.length === (Array.isArray(body) ? 4 : 1)) started.resolve()
        return forEver()
      },
    })

    await goAway(stage, body, headers, started.promise)
    await Promise.all(begun.map(async (signal) => signal.aborted || once(signal, 'abort')))
    // Closing waits for whatever still runs.
    await stage.app.close()

    expect(begun).toHaveLength(Array.isArray(body) ? 4 : 1)
  })
})

describe('progress', () => {
  const working: Partial<McpFeatures> = {
    callTool: async (_name, _args, { onProgress }) => {
      for (const done of [0, 0, 50, 20, 100]) onProgress?.(done, 100)
      return text('done')
    },
  }
  const asked = { name: 'any', _meta: { progressToken: 'token' } }
  const eventsIn = (body: string) =>
    body.split('\n\n').flatMap((frame) => {
      const data = frame.split('\n').find((line) => line.startsWith('data: '))
      return data === undefined ? [] : [JSON.parse(data.slice(6))]
    })

  test('is streamed to a client of 2026-07-28 that asks for it, ever rising, with the result at its end', async () => {
    await using stage = mcpStage(working)

    const { status, headers, body } = await stage.postModern('tools/call', asked)

    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    const [result, ...progress] = eventsIn(body).toReversed()
    expect(result).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
    expect(progress.map(({ method, params }) => [method, params.progressToken, params.progress])).toEqual(
      [100, 50, 0].map((done) => ['notifications/progress', 'token', done]),
    )
  })

  test.each([
    ['without a token', { name: 'any' }, {}],
    ['that takes JSON alone', asked, { accept: 'application/json' }],
  ])('a client %s is answered with JSON', async (_name, params, headers) => {
    await using stage = mcpStage(working)

    expect(await stage.postModern('tools/call', params, headers)).toMatchObject({
      status: 200,
      body: { result: { content: [{ text: 'done' }] } },
    })
  })

  test('is not sent to older versions', async () => {
    await using stage = mcpStage(working)

    const answer = await stage.post({ ...call(1), params: asked })

    expect(answer.body).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
  })
})

describe('what a feature throws', () => {
  const throwing = (thrown: unknown): Partial<McpFeatures> => ({
    callTool: () => Promise.reject(thrown),
    readResource: () => Promise.reject(thrown),
  })
  const read = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'workspace://tasks/x' } }

  test('a fault keeps its code, its members and the request’s id', async () => {
    await using stage = mcpStage(
      throwing(new Fault('rate_limited', 'Slowly.', { retryAfterSeconds: 3, hint: 'Wait.' })),
    )
    const error = {
      code: -31029,
      message: 'Slowly.',
      data: { code: 'rate_limited', retryAfterSeconds: 3, hint: 'Wait.', requestId: 'request-1' },
    }

    expect((await stage.post(read)).body.error).toEqual(error)
    expect((await stage.postModern('resources/read', { uri: 'x:y' })).body.error).toEqual(error)
  })

  test('an unknown error tells the request’s id alone', async () => {
    await using stage = mcpStage(throwing(new Error('SELECT secret')))

    const answers = [await stage.post(call(1)), await stage.postModern('tools/call', { name: 'any' })]

    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body.error).toMatchObject({ code: -32603, data: { code: 'internal_error', requestId: 'request-1' } })
      expect(JSON.stringify(body)).not.toContain('secret')
    }
  })

  test('a result that is none is an error of ours, without the validator’s words', async () => {
    await using stage = mcpStage({ callTool: async () => ({ content: 5 }) as never })

    const answers = [await stage.post(call(1)), await stage.postModern('tools/call', { name: 'any' })]

    for (const { body } of answers) {
      expect(body.error).toMatchObject({ code: -32603, data: { requestId: 'request-1' } })
      expect(JSON.stringify(body)).not.toMatch(/invalid_type|expected/)
    }
  })

  test('a missing resource has the number of its era, and the URI', async () => {
    await using stage = mcpStage(throwing(new Fault('not_found', 'There is no such task.')))

    expect((await stage.post(read)).body.error).toMatchObject({ code: -32002, data: { uri: read.params.uri } })
    expect((await stage.postModern('resources/read', read.params)).body.error).toMatchObject({
      code: -32602,
      data: { uri: read.params.uri, code: 'not_found' },
    })
  })

  test('an error that is made for the protocol passes, with a code and the request’s id', async () => {
    await using stage = mcpStage(throwing(new ProtocolError(-32602, 'Unknown tool: any')))

    expect((await stage.post(call(1))).body.error).toEqual({
      code: -32602,
      message: 'Unknown tool: any',
      data: { code: 'invalid_parameter', requestId: 'request-1' },
    })
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
    const answer = await stage.post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers)
    return { answer, caller }
  }

  test('is all of it, unless headers say otherwise', async () => {
    expect((await seen({})).caller).toMatchObject({
      isReadonly: false,
      toolsets: null,
      naming: 'dots',
      hasStructuredContent: true,
    })
    const narrow = {
      'x-mcp-readonly': 'true',
      'x-mcp-toolsets': 'tasks, context',
      'x-mcp-tool-names': 'underscore',
      'mcp-protocol-version': '2025-03-26',
    }
    expect((await seen(narrow)).caller).toMatchObject({
      isReadonly: true,
      toolsets: new Set(['tasks', 'context']),
      naming: 'underscores',
      hasStructuredContent: false,
    })
  })

  test.each([
    ['x-mcp-readonly', 'yes'],
    ['x-mcp-toolsets', 'tasks,taks'],
    ['x-mcp-tool-names', 'camel'],
  ])('a value of %s that is none is refused by name', async (header, value) => {
    expect((await seen({ [header]: value })).answer).toMatchObject({
      status: 400,
      body: { id: 1, error: { code: -32600, data: { code: 'invalid_header', errors: [{ header }] } } },
    })
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

  await stage.post({ ...call(1), params: { name: 'x', _meta: { traceparent, tracestate: 'a=b' } } })
  await stage.postModern('tools/call', { name: 'x', _meta: { traceparent } })
  await stage.post({ ...call(1), params: { name: 'x', _meta: { traceparent: 'x' } } })

  expect(traces).toEqual([{ traceparent, tracestate: 'a=b' }, { traceparent }, undefined])
})
