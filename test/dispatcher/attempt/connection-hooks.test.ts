import { expect, test } from 'vitest'
import { interimFilter } from '../../../dispatcher/attempt/connection-hooks.ts'

const go = 'HTTP/1.1 100 Continue\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'
const final = 'HTTP/1.1 200 OK\r\nContent-Length: 24\r\n\r\nHTTP/1.1 100 Continue\r\n\r'

/** What is left of the pieces of one answer. */
function left(pieces: readonly string[]): string {
  const filter = interimFilter()
  filter.begin()
  return pieces.map((piece) => filter.pass(Buffer.from(piece)).toString()).join('')
}

test.each([
  ['none', ''],
  ['a 100', go],
  ['two of them', go + go],
  ['hints', hints],
  ['hints between two', go + hints + go],
  ['a 100 of HTTP/1.0', go.replace('1.1', '1.0')],
])('the final answer is left as it is behind %s, wherever the bytes are parted', (_what, interim) => {
  const all = interim + final

  for (let at = 0; at <= all.length; at++) expect(left([all.slice(0, at), all.slice(at)])).toBe(final)
  expect(left(all.split(''))).toBe(final)
})

test.each(['SSH-2.0-OpenSSH\r\n', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 'HTTP/2.0 100 Continue\r\n\r\n', '\r\n'])(
  'what is no interim answer is left as it is: %j',
  (text) => {
    expect(left([text])).toBe(text)
    expect(left(text.split(''))).toBe(text)
  },
)

test('interim answers without end are left to whoever reads on', () => {
  const endless = go.repeat(10_000)

  expect(left([endless]).length).toBeGreaterThan(endless.length - 16 * 1024 - 1)
  expect(left([`HTTP/1.1 100 Continue\r\nx: ${'y'.repeat(20_000)}`])).toContain('HTTP/1.1 100 Continue')
})

test('each request has an answer of its own', () => {
  const filter = interimFilter()
  const answer = () => {
    filter.begin()
    return filter.pass(Buffer.from(go + final)).toString()
  }

  expect([answer(), answer()]).toEqual([final, final])
})
