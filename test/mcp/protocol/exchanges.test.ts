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
import { mcpStage } from '../support/stage.ts'

const call = toolCall('any')
const calls = (count: number) => Array.from({ length: count }, (_, id) => ({ ...call, id }))
const read = request('resources/read', { uri: 'workspace://tasks/x' })
const forEver = () => new Promise<never>(() => {})
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

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

    const legacy = await stage.post(call)
    const modern = await stage.postModern('tools/call', { name: 'any' })

    for (const answer of [legacy, modern])
      expect(answer).toMatchObject({ status: 200, body: { id: 7, result: stopped } })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })

  test('ends any other message with an error', async () => {
    await using stage = mcpStage(slow([]), { deadlineMs: 20 })
    const error = { code: -32603, data: { code: 'timeout', requestId: 'request-1' } }

    expect(await stage.post(read)).toMatchObject({ status: 200, body: { error } })
    expect(await stage.postModern('resources/read', { uri: 'x:y' })).toMatchObject({ status: 200, body: { error } })
  })

  test('is one for a whole batch: what had not begun was not done, and says so', async () => {
    const signals: AbortSignal[] = []
    await using stage = mcpStage(slow(signals), { deadlineMs: 20 })

    const { body } = await stage.post(calls(6))

    expect(body.slice(0, 4)).toMatchObject(Array.from({ length: 4 }, (_, id) => ({ id, result: stopped })))
    expect(body.slice(4)).toMatchObject([
      { id: 4, error: { message: expect.stringContaining('Nothing was done'), data: { code: 'timeout' } } },
      { id: 5 },
    ])
    expect(signals).toHaveLength(4)
  })
})

describe('a client that goes away', () => {
  const modern = modernRequest('tools/call', { name: 'any' })

  test.each([
    ['of an older version', call, {}, 1],
    ['of 2026-07-28', modern.body, modern.headers, 1],
    ['with a batch', calls(9), {}, 4],
  ])('%s stops what it has called, and nothing more begins', async (_name, body, headers, running) => {
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
    expect(result).toMatchObject({ id: 7, result: { content: [{ text: 'done' }] } })
    expect(progress.map(({ method, params }) => [method, params.progressToken, params.progress])).toEqual(
      [100, 50, 0].map((done) => ['notifications/progress', 'token', done]),
    )
  })

  test('is not sent to a client that has no token for it, that takes JSON alone, or of an older version', async () => {
    await using stage = mcpStage(working)

    const answers = [
      await stage.postModern('tools/call', { name: 'any' }),
      await stage.postModern('tools/call', asked, { accept: 'application/json' }),
      await stage.post(request('tools/call', asked)),
    ]

    const done = { status: 200, body: { id: 7, result: { content: [{ text: 'done' }] } } }
    for (const answer of answers) expect(answer).toMatchObject(done)
  })
})

describe('what a feature throws', () => {
  const throwing = (thrown: unknown): Partial<McpFeatures> => ({
    callTool: () => Promise.reject(thrown),
    readResource: () => Promise.reject(thrown),
  })
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

  test.each<[string, Partial<McpFeatures>]>([
    ['an unknown error', throwing(new Error('SELECT secret'))],
    ['a result that is none', { callTool: async () => ({ content: 5 }) as never }],
  ])('%s tells the request’s id alone, in no words of others', async (_name, features) => {
    await using stage = mcpStage(features)

    for (const { status, body } of [await stage.post(call), await stage.postModern('tools/call', { name: 'any' })]) {
      expect(status).toBe(200)
      expect(body.error).toMatchObject({ code: -32603, data: { code: 'internal_error', requestId: 'request-1' } })
      expect(JSON.stringify(body)).not.toMatch(/secret|invalid_type|expected/)
    }
  })

  test('a missing resource has the number of its era, and the URI', async () => {
    await using stage = mcpStage(throwing(new Fault('not_found', 'There is no such task.')))
    const uri = 'workspace://tasks/x'

    expect((await stage.post(read)).body.error).toMatchObject({ code: -32002, data: { uri } })
    expect((await stage.postModern('resources/read', { uri })).body.error).toMatchObject({
      code: -32602,
      data: { uri, code: 'not_found' },
    })
  })

  test('an error that is made for the protocol passes, with a code and the request’s id', async () => {
    await using stage = mcpStage(throwing(new ProtocolError(-32602, 'Unknown tool: any')))

    expect((await stage.post(call)).body.error).toEqual({
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
    const answer = await stage.post(request('tools/list'), headers)
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
      body: { id: 7, error: { code: -32600, data: { code: 'invalid_header', errors: [{ header }] } } },
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

  await stage.post(request('tools/call', { name: 'x', _meta: { traceparent, tracestate: 'a=b' } }))
  await stage.postModern('tools/call', { name: 'x', _meta: { traceparent } })
  await stage.post(request('tools/call', { name: 'x', _meta: { traceparent: 'x' } }))

  expect(traces).toEqual([{ traceparent, tracestate: 'a=b' }, { traceparent }, undefined])
})
