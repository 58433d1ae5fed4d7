// What is logged is written, in order, whatever the reader does; what cannot be is counted.
import { expect, test } from 'vitest'
import { logBuffer } from '#runtime/log-buffer.ts'

type Done = (error: NodeJS.ErrnoException | null, bytes: number) => void
const busy = (): NodeJS.ErrnoException => Object.assign(new Error('busy'), { code: 'EAGAIN' })
const gone = (): NodeJS.ErrnoException => Object.assign(new Error('gone'), { code: 'EPIPE' })

/** A reader that takes what is written when the test says so. */
function slowReader(options: { heldMax?: number } = {}) {
  const read: Buffer[] = []
  const pending: { bytes: Buffer; done: Done }[] = []
  const told: number[] = []
  let syncErrors = 0
  const buffer = logBuffer(
    1,
    { onDropped: (count) => told.push(count), flushEveryMs: 1, ...options },
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
