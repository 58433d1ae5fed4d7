import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { s3Store } from '../../../service/files/s3-store.ts'
import { diskStore, type FileStore } from '../../../service/files/store.ts'
import { filesFolder } from '../../support/file-store.ts'
import { startS3Server, type S3Server } from '../../support/servers/s3-server.ts'

const folder = filesFolder()
let server: S3Server
beforeAll(async () => {
  server = await startS3Server()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})
const signal = new AbortController().signal
const bytes = randomBytes(300_000)
const write = (store: FileStore, id: string, source = Readable.from([bytes])) =>
  store.write({ workspaceId: 'acme', id }, source, bytes.length, signal)

describe.each([
  ['a disk', () => diskStore(folder)],
  ['S3', () => s3Store(server.config)],
])('on %s', (_where, open) => {
  test('a blob is read as it was written, in whole and in part, until it is removed, also twice', async () => {
    const [store, name] = [open(), { workspaceId: 'acme', id: 'whole' }]
    await write(store, 'whole')

    const read = async (range: { start: number; end: number } | null) => buffer(await store.read(name, range, signal))

    expect((await read(null)).equals(bytes)).toBe(true)
    expect((await read({ start: 10, end: 99_999 })).equals(bytes.subarray(10, 100_000))).toBe(true)
    await store.remove(name)
    await store.remove(name)
    await expect(read(null)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('what breaks off is an error, and what is there of it can be removed', async () => {
    const store = open()
    const broken = Readable.from(
      (function* () {
        yield bytes.subarray(0, 1_000)
        throw new Error('gone')
      })(),
    )

    await expect(write(store, 'broken', broken)).rejects.toThrow()
    await store.remove({ workspaceId: 'acme', id: 'broken' })
  })
})

test.each(['fails', 'hangs'] as const)('an S3 that %s is told of as unavailable, in bounded time', async (how) => {
  const store = s3Store(server.config, { answerMs: 300 })
  server.behave(how)

  const refusals = [
    write(store, how),
    store.read({ workspaceId: 'acme', id: how }, null, signal),
    store.remove({ workspaceId: 'acme', id: how }),
  ]
  const told = await Promise.allSettled(refusals)
  server.behave('well')

  for (const each of told) expect(each).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
})

test('a wrong secret of S3 is told of as unavailable, and not to callers', async () => {
  const store = s3Store({ ...server.config, secretAccessKey: 'another' })

  await expect(write(store, 'x')).rejects.toMatchObject({
    code: 'unavailable',
    cause: { message: expect.stringContaining('403') },
  })
})
