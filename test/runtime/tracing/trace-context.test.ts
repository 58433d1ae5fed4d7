import { expect, test } from 'vitest'
import {
  childOf,
  fromStoredTrace,
  isSampled,
  newTraceparent,
  readTraceparent,
  readTracestate,
  sampled,
  spanIdOf,
  storedTrace,
  traceIdOf,
  unsampled,
} from '#runtime/tracing/trace-context.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${spanId}-01`

test('a traceparent is read in the form of W3C Trace Context alone, of a later version what this one says too', () => {
  expect(readTraceparent(traceparent)).toBe(traceparent)
  expect(readTraceparent(`cc-${traceId}-${spanId}-01`)).toBe(traceparent)
  expect(readTraceparent(`cc-${traceId}-${spanId}-01-what-will-be`)).toBe(traceparent)
  for (const malformed of [
    undefined,
    '',
    'junk',
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `${traceparent}-more`,
    `cc-${traceId}-${spanId}-01.more`,
    `00-${traceId}-${spanId}-1`,
    ` ${traceparent}`,
    [traceparent],
  ])
    expect(readTraceparent(malformed)).toBeNull()
})

test('a tracestate of other characters or lengths than the standard allows is left out', () => {
  expect(readTracestate('a=1,b=2')).toBe('a=1,b=2')
  for (const malformed of [undefined, '', 'ä=1', 'a=\n', 'a'.repeat(513)]) expect(readTracestate(malformed)).toBeNull()
})

test('new traces and spans have ids of their own, however many are made', () => {
  const made = Array.from({ length: 1_000 }, newTraceparent)
  const children = made.map(childOf)

  expect(made.map(readTraceparent)).toEqual(made)
  expect(made.some(isSampled)).toBe(false)
  expect(new Set(made.map(traceIdOf)).size).toBe(made.length)
  expect(new Set([...made, ...children].map(spanIdOf)).size).toBe(2 * made.length)
  expect(children.map(traceIdOf)).toEqual(made.map(traceIdOf))
  expect(children.every(isSampled)).toBe(true)
})

test('what is stored of a trace is 25 bytes, and gives it back', () => {
  for (const each of [traceparent, unsampled(traceparent), newTraceparent()]) {
    expect(Buffer.from(storedTrace(each), 'hex')).toHaveLength(25)
    expect(fromStoredTrace(storedTrace(each))).toBe(each)
  }
  expect([isSampled(unsampled(traceparent)), sampled(unsampled(traceparent))]).toEqual([false, traceparent])
})
