// What is logged: without secrets, and written in its order whatever the reader does; what cannot be is counted.
import { expect, test } from 'vitest'
import { lineWriter, logger, maskedText, withoutSecrets, throttledLog } from '#runtime/log.ts'
import { makeToken } from '#runtime/bearer-tokens.ts'
import { logBuffer } from '#runtime/log-buffer.ts'

const { token, prefix } = makeToken('wsk')
const plain =
  '{"id":"0198c0de-0000-7000-8000-000000000001","url":"http://service:8081/internal","event":"projects.updated"}'

test.each([
  ['a token keeps its readable start', `{"msg":"refused ${token}"}`, `{"msg":"refused ${prefix}_[redacted]"}`],
  ['a signing secret is masked', '{"msg":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}', '{"msg":"whsec_[redacted]"}'],
  ['so is the password in an address', 'at postgres://app:hunter2@db:5432/a', 'at postgres://app:[redacted]@db:5432/a'],
  ['identifiers and ordinary addresses are left alone', plain, plain],
])('%s', (_what, line, masked) => {
  expect(withoutSecrets(line)).toBe(masked)
})

test('fields that hold secrets are masked at any depth, whatever is in them', () => {
  const headers = { Authorization: 'Basic "x"', cookie: 'a=b', 'set-cookie': ['a', 'b'] }
  const line = withoutSecrets(JSON.stringify({ req: { headers }, token: 'short', ms: 3 }))

  const masked = { Authorization: '[redacted]', cookie: '[redacted]', 'set-cookie': '[redacted]' }
  expect(JSON.parse(line)).toEqual({ req: { headers: masked }, token: '[redacted]', ms: 3 })
})

test('a line that is put together has the form of any other, and there is none below the level', () => {
  const lines: string[] = []
  const log = logger('info', 'sample', { write: (line) => void lines.push(line) })
  const fields = { method: 'GET', ms: 1.5, keyId: null, traceId: undefined }

  lineWriter(log, 'request')(fields)
  log.info(fields, 'request')

  const [own, ofPino] = lines.map((line) => ({ ...JSON.parse(line), time: 0 }) as object)
  expect(own).toEqual(ofPino)
  expect(Object.keys(own ?? {})).toEqual(Object.keys(ofPino ?? {}))
  lineWriter(logger('warn', 'sample', { write: (line) => void lines.push(line) }), 'request')(fields)
  expect(lines).toHaveLength(2)
})

test('a caller’s word is masked like a line', () => {
  expect(maskedText(token)).toBe(`${prefix}_[redacted]`)
  expect(maskedText('https://user:hunter2@host/')).toBe('https://user:[redacted]@host/')
  expect(maskedText('0198c0de-0000-7000-8000-000000000001')).toBe('0198c0de-0000-7000-8000-000000000001')
})

test('the first of a cause is logged at once, the rest once in a while with their number, and no cause hides another', () => {
  let now = 0
  const said: string[] = []
  const throttled = throttledLog(1_000, () => now)
  const happens = (cause: string, count: number) => throttled(cause, count, (all) => said.push(`${cause} ${all}`))

  happens('a', 2)
  happens('a', 3)
  happens('b', 1)
  now = 999
  happens('a', 4)
  now = 1_000
  happens('a', 1)

  expect(said).toEqual(['a 2', 'b 1', 'a 8'])
})

type Done = (error: NodeJS.ErrnoException | null, bytes: number) => void
const busy = (): NodeJS.ErrnoException => Object.assign(new Error('busy'), { code: 'EAGAIN' })
const gone = (): NodeJS.ErrnoException => Object.assign(new Error('gone'), { code: 'EPIPE' })

/** A reader that takes what is written when the test says so. */
function slowReader(options: { heldMax?: number } = {}) {
  const read: Buffer[] = []
  const pending: { bytes: Buffer; done: Done }[] = []
  const told: number[] = []
  let syncErrors = 0
  const onDropped = (count: number) => void told.push(count)
  const buffer = logBuffer(
    1,
    { onDropped, flushEveryMs: 1, ...options },
    {
      write: (_fd, bytes, done) => void pending.push({ bytes: bytes as Buffer, done }),
      writeSync: (_fd, bytes) => {
        if (syncErrors-- > 0) throw busy()
        read.push(bytes as Buffer)
        return bytes.length
      },
    },
  )
  const asked = async () => {
    while (pending.length === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    return pending.shift()!
  }
  return {
    buffer,
    told,
    read: () => Buffer.concat(read).toString(),
    pending: () => pending.length,
    failSync: (times: number) => (syncErrors = times),
    /** Takes so many bytes of the next write, or fails it. */
    take: async (count = Infinity, error: NodeJS.ErrnoException | null = null) => {
      const { bytes, done } = await asked()
      const taken = error === null ? bytes.subarray(0, count) : Buffer.alloc(0)
      read.push(taken)
      done(error, taken.length)
    },
  }
}

test('lines are written together, in their order, one write at a time', async () => {
  const reader = slowReader()
  for (const line of ['a\n', 'ü\n', 'c\n']) reader.buffer.write(line)
  await reader.take()
  reader.buffer.write('d\n')
  await reader.take()

  expect(reader.read()).toBe('a\nü\nc\nd\n')
  expect(reader.pending()).toBe(0)
})

test('a write that took only a part, or found the pipe full, is gone on with', async () => {
  const reader = slowReader()
  reader.buffer.write('grüße\n')
  await reader.take(3)
  await reader.take(0, busy())
  await reader.take()

  expect(reader.read()).toBe('grüße\n')
})

test('what waits is bounded: the rest is dropped, counted, and told of when there is room again', async () => {
  const reader = slowReader({ heldMax: 4 })
  reader.buffer.write('1\n')
  await new Promise((resolve) => setTimeout(resolve, 5))
  for (const line of ['2\n', '3\n', '4\n', '5\n']) reader.buffer.write(line)
  expect([reader.buffer.dropped(), reader.told]).toEqual([2, []])

  await reader.take()
  await reader.take()

  expect([reader.read(), reader.told]).toEqual(['1\n2\n3\n', [2]])
})

test('at the end all that waits is written at once, a full pipe or not', () => {
  const reader = slowReader()
  reader.buffer.write('last\n')
  reader.failSync(2)

  reader.buffer.flushSync()

  expect(reader.read()).toBe('last\n')
})

test('when nobody reads any more, lines are dropped and nothing fails', async () => {
  const reader = slowReader()
  reader.buffer.write('a\n')
  await reader.take(0, gone())
  reader.buffer.write('b\n')
  reader.buffer.flushSync()

  expect([reader.read(), reader.buffer.dropped()]).toEqual(['', 1])
})
