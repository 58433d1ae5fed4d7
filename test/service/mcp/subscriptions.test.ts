// How many streams of subscriptions may be open, and for how long.
import { expect, test } from 'vitest'
import type { Exchange } from '../../../service/mcp/tools/runner.ts'
import { openSubscriptions } from '../../../service/mcp/subscriptions.ts'
import { principal } from './stage.ts'

const forEver = () => new Promise<never>(() => {})
const exchangeIn = (workspaceId: string): Omit<Exchange, 'signal'> => ({
  caller: {
    principal: { ...principal, workspaceId, scopes: ['tasks:read', 'events:read'] },
    isReadonly: false,
    toolsets: null,
    naming: 'dots',
    hasStructuredContent: true,
  },
  execute: forEver,
})
const noEnd = () => {}

test('a workspace has its share of the streams, and gets it back when one ends', () => {
  const { signal } = new AbortController()
  const streams = openSubscriptions(signal, { all: 3, perWorkspace: 2, lifetimeMs: 60_000 })

  const first = streams.open(exchangeIn('a'), noEnd)
  streams.open(exchangeIn('a'), noEnd)
  expect(streams.open(exchangeIn('a'), noEnd)).toBeNull()
  streams.open(exchangeIn('b'), noEnd)
  expect(streams.open(exchangeIn('c'), noEnd)).toBeNull()

  first?.end()
  first?.end()

  expect(streams.open(exchangeIn('a'), noEnd)).not.toBeNull()
  expect(streams.open(exchangeIn('c'), noEnd)).toBeNull()
})

test.each([
  ['when its time is over', 10, () => {}],
  ['when the service closes', 60_000, (closing: AbortController) => closing.abort()],
])('a stream ends %s', async (_name, lifetimeMs, act) => {
  const closing = new AbortController()
  const ended = Promise.withResolvers<void>()

  openSubscriptions(closing.signal, { all: 1, perWorkspace: 1, lifetimeMs }).open(exchangeIn('a'), ended.resolve)
  act(closing)

  await ended.promise
})

test('a stream ends when the feed refuses to go on', async () => {
  const ended = Promise.withResolvers<void>()
  const refusing = { ...exchangeIn('a'), execute: () => Promise.reject(new Error('expired')) }

  openSubscriptions(new AbortController().signal).open(refusing, ended.resolve)

  await ended.promise
})

test('none opens once the service is closing', () => {
  expect(openSubscriptions(AbortSignal.abort()).open(exchangeIn('a'), noEnd)).toBeNull()
})
