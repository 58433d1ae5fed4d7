// Files as an integrator uses them: announced, uploaded to a signed address, named by objects, and read in whole or in
// part. Operations: files.create, files.list, files.get, files.delete, files.restore, files.purge, files.release,
// files.quarantine, files.create-download-address. Transfers: files.upload, files.download.
import { createHash, randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { cleanUpFiles } from '../../service/files/clean-up.ts'
import { diskStore, faultOfDisk, type FileStore } from '../../service/files/store.ts'
import { eventually } from '../support/eventually.ts'
import { filesFolder } from '../support/file-store.ts'
import { describeModes, must, sharedSystem, startSystem } from '../support/system.ts'
import { callsOf, told, type Body } from './calls.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const text = Buffer.from('Dear all,\n\nthe minutes of Monday.\n')
/** Too large to be read before it goes on. */
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex'),
  Buffer.from('1f15c4890003000049444154', 'hex'),
  randomBytes(200_000),
])

describeModes('files', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const { call, post, get, patch, eventsAfter } = callsOf(tenant)
  const announce = (bytes: Buffer, more = {}): Promise<Body> =>
    post('/files', { name: 'minutes.txt', bytes: bytes.length, ...more })
  const answerOf = async (response: Response) => {
    const body = await response.text()
    return { status: response.status, body: body === '' ? null : JSON.parse(body) }
  }
  const put = async (url: string, body: Buffer, headers = {}) =>
    answerOf(await fetch(system.url + url, { method: 'PUT', body: new Uint8Array(body), headers }))
  const read = (id: string, headers = {}, method = 'GET') =>
    fetch(`${system.url}/api/v1/files/${id}/content`, {
      method,
      headers: { authorization: `Bearer ${tenant.secret}`, ...headers },
    })
  async function uploaded(bytes = text, more = {}): Promise<Body> {
    const file = await announce(bytes, more)
    expect(await put(file.upload.url, bytes)).toMatchObject({ status: 204 })
    return await get(`/files/${file.id}`)
  }
  /** Names of what the store holds of the workspace. */
  const blobs = (): string[] => {
    return globSync(`${system.filesFolder}/${tenant.workspaceId}/*/*`)
  }
  const cleanUp = () =>
    cleanUpFiles({ db: system.db, store: diskStore(system.filesFolder), onError: (error) => expect(error).toBeNull() })
  const usage = async () => (await get('/workspaces/current')).usage

  test('a file is announced, uploaded once without a key, named by a task, found by it, and downloaded as it was', async () => {
    const before = await tenant.lastSequence()
    const announced = await announce(png, { name: 'plan – neu.png', type: 'image/png', sha256: sha256(png) })
    const { id: projectId } = await post('/projects', { name: 'Web' })
    const early = await call('POST', '/tasks', { projectId, title: 'x', fileIds: [announced.id] })

    const answers = [
      await put(announced.upload.url, png, { 'idempotency-key': 'once' }),
      await put(announced.upload.url, png),
      await put(announced.upload.url, png),
    ]
    const task = await post('/tasks', { projectId, title: 'Paint', fileIds: [announced.id] })
    const shown = await get(`/tasks/${task.id}?expand=files`)
    const found = await get(`/tasks?fileId=${announced.id}`)
    const bytes = await read(announced.id)

    expect(announced).toMatchObject({ status: 'awaiting_upload', upload: { method: 'PUT' }, uploadedAt: null })
    expect(told(early)).toBe('422 reference_not_found /fileIds/0 not_found')
    expect(answers.map(told)).toEqual(['400 invalid_idempotency_key', '204', '409 invalid_transition'])
    expect(found.data.map(({ id }: Body) => id)).toEqual([task.id])
    const { id, bytes: size } = announced
    const reference = {
      id,
      object: 'file',
      name: 'plan – neu.png',
      type: 'image/png',
      bytes: size,
      status: 'available',
    }
    expect(shown.files).toEqual([reference])
    expect(Buffer.from(await bytes.arrayBuffer()).equals(png)).toBe(true)
    expect(Object.fromEntries(bytes.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.length),
      'content-disposition': `attachment; filename="plan ? neu.png"; filename*=UTF-8''plan%20%E2%80%93%20neu.png`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: `"${sha256(png)}"`,
    })
    const event = (await eventsAfter(before)).find(({ type }) => type.startsWith('files.'))
    expect(event).toMatchObject({ type: 'files.uploaded', data: { id, detectedType: 'image/png', version: 2 } })
  })

  test('documents, companies, contacts, deals and comments name files as well, at most 20, and none of another workspace', async () => {
    const file = await uploaded()
    const stranger = await (await system.tenant()).api('POST', '/api/v1/documents', { title: 'x', fileIds: [file.id] })
    const { id: companyId } = await post('/crm-entities', { kind: 'company', name: 'Acme', fileIds: [file.id] })
    const comments = `/crm-entities/${companyId}/comments`
    const made = [
      await post('/documents', { title: 'x', fileIds: [file.id] }),
      await post('/crm-entities', { kind: 'contact', lastName: 'Hopper', fileIds: [file.id] }),
      await post('/crm-entities', { kind: 'deal', name: 'x', fileIds: [file.id] }),
      await post(comments, { body: 'See there', fileIds: [file.id] }),
    ]
    const without = await patch(`${comments}/${made[3].id}`, { fileIds: [] })
    const refused = await call('POST', comments, { body: 'x', fileIds: [companyId] })
    const tooMany = await call('PATCH', `/documents/${made[0].id}`, {
      fileIds: Array.from({ length: 21 }, () => file.id),
    })

    expect(made.map(({ fileIds }) => fileIds)).toEqual(made.map(() => [file.id]))
    expect([without.fileIds, (await get(comments)).data[0].fileIds]).toEqual([[], []])
    expect(told(stranger)).toBe('422 reference_not_found /fileIds/0 not_found')
    expect(told(refused)).toBe('422 reference_not_found /fileIds/0 not_found')
    expect(told(tooMany)).toContain('422 validation_failed /fileIds too_long')
  })

  test.each([
    ['too few bytes', { sent: text.subarray(1) }, 'bytes'],
    ['too many bytes', { sent: Buffer.concat([text, text]) }, 'bytes'],
    ['bytes of another hash', { more: { sha256: sha256(png) } }, 'sha256'],
    ['text in place of a picture', { more: { type: 'image/png' } }, 'type'],
    ['a picture in place of text', { bytes: png, more: { type: 'text/plain' } }, 'type'],
  ])(
    '%s are refused, nothing of them is kept, and the right ones come to the same address',
    async (_name, given, mismatch) => {
      const { bytes = text, sent = bytes, more = {} }: { bytes?: Buffer; sent?: Buffer; more?: object } = given
      const stored = blobs().length
      const file = await announce(bytes, more)

      const refused = await put(file.upload.url, sent)

      expect(refused).toMatchObject({ status: 422, body: { code: 'content_mismatch', mismatch } })
      expect(await get(`/files/${file.id}`)).toMatchObject({ status: 'awaiting_upload', version: 1 })
      await eventually(async () => {
        await cleanUp()
        return blobs().length === stored
      }, 'the remains to be removed')
      if (mismatch === 'bytes') expect(await put(file.upload.url, bytes)).toMatchObject({ status: 204 })
    },
  )

  test('an upload whose sender goes away leaves nothing but the file that still waits for it', async () => {
    const stored = blobs().length
    const file = await announce(png)
    const url = new URL(system.url + file.upload.url)
    const { promise, resolve } = Promise.withResolvers<void>()
    const half = request(url, { method: 'PUT', headers: { 'content-length': png.length } })
    half.on('error', () => resolve()).write(png.subarray(0, 100_000))
    await eventually(() => blobs().length > stored, 'the first bytes')

    half.destroy()
    await promise

    await eventually(async () => {
      await cleanUp()
      return blobs().length === stored
    }, 'the remains to be removed')
    expect(await put(file.upload.url, png)).toMatchObject({ status: 204 })
  })

  test('a part is asked for by range; the ETag spares the whole; HEAD answers no bytes', async () => {
    const { id, sha256: hash } = await uploaded(png)
    const etag = `"${hash}"`
    const part = async (headers: Record<string, string>, method?: string) => {
      const answer = await read(id, headers, method)
      const bytes = Buffer.from(await answer.arrayBuffer())
      const range = answer.headers.get('content-range')
      return [answer.status, range, answer.status < 300 ? bytes.length : JSON.parse(String(bytes) || '{}').code]
    }
    const { length } = png

    expect(await part({ range: 'bytes=10-19' })).toEqual([206, `bytes 10-19/${length}`, 10])
    expect(await part({ range: 'bytes=-5', 'if-range': etag })).toEqual([
      206,
      `bytes ${length - 5}-${length - 1}/${length}`,
      5,
    ])
    expect(await part({ range: 'bytes=0-9', 'if-range': '"other"' })).toEqual([200, null, length])
    expect(await part({ range: 'bytes=0-9,20-29' })).toEqual([200, null, length])
    expect(await part({ range: `bytes=${length}-` })).toEqual([416, `bytes */${length}`, 'range_not_satisfiable'])
    expect(await part({ 'if-none-match': etag })).toEqual([304, null, undefined])
    expect(await part({ 'if-match': '"other"' })).toEqual([412, null, 'precondition_failed'])
    expect(await part({ 'if-match': 'other' })).toEqual([400, null, 'invalid_header'])
    expect(await part({}, 'HEAD')).toEqual([200, null, 0])
    const middle = await read(id, { range: 'bytes=100-199' })
    expect(Buffer.from(await middle.arrayBuffer()).equals(png.subarray(100, 200))).toBe(true)
  })

  test('a signed address is good for its method, its file and its time, and as long as its key', async () => {
    const key = await tenant.key(['files:read', 'files:write'])
    const [file, other] = [await uploaded(), await uploaded()]
    const address = async (more = {}) => must(await key.api('POST', `/api/v1/files/${file.id}/download-address`, more))
    const { url, method } = await address({ expiresInSeconds: 60 })
    const open = async (target: string, how = 'GET') => {
      const response = await fetch(system.url + target, { method: how, ...(how === 'PUT' && { body: 'x' }) })
      return response.ok ? `${response.status}` : told(await answerOf(response))
    }
    const brief = await address({ expiresInSeconds: 1 })

    const [good, changed, moved, otherwise] = [
      await open(url),
      await open(url.slice(0, -3)),
      await open(url.replace(file.id, other.id)),
      await open(url, 'PUT'),
    ]
    await eventually(async () => (await open(brief.url)) === '403 address_expired', 'the end of the address')
    must(await tenant.settings('DELETE', `/api-keys/${key.keyId}`))
    await eventually(async () => (await open(url)) === '401 api_key_revoked', 'the end of the key')

    expect([method, good]).toEqual(['GET', '200'])
    expect([changed, moved, otherwise]).toEqual(Array.from({ length: 3 }, () => '403 invalid_signature'))
  })

  test('active content is answered as nothing that a browser would run', async () => {
    const page = Buffer.from('<!doctype html><script>alert(1)</script>')
    const types = ['text/html', 'image/svg+xml', 'text/javascript']
    const answers = await Promise.all(
      types.map(async (type) => read((await uploaded(page, { name: 'x', type })).id).then(({ headers }) => headers)),
    )

    for (const headers of answers)
      expect([headers.get('content-type'), headers.get('content-disposition')]).toEqual([
        'application/octet-stream',
        'attachment; filename=x',
      ])
  })

  test('a workspace that holds files shows them to scanners alone until these release them, and never when quarantined', async () => {
    must(await tenant.settings('PATCH', '', { holdFiles: true }))
    const [scanner, reader] = [await tenant.key(['files:release', 'files:read']), await tenant.key(['files:read'])]
    const before = await tenant.lastSequence()
    const file = await uploaded()
    must(await tenant.settings('PATCH', '', { holdFiles: false }))
    const seenBy = async ({ secret }: { secret: string }) => {
      const response = await read(file.id, { authorization: `Bearer ${secret}` })
      return response.ok ? 'bytes' : (await answerOf(response)).body.fileStatus
    }
    const at = (action: string, body = {}) => scanner.api('POST', `/api/v1/files/${file.id}/${action}`, body)

    const held = [await seenBy(reader), await seenBy(scanner)]
    const [byReader, quarantined] = [
      await reader.api('POST', `/api/v1/files/${file.id}/release`),
      await at('quarantine', { reason: 'Eicar' }),
    ]
    const locked = [await seenBy(reader), await seenBy(scanner)]
    const [released, again] = [await at('release'), await at('release')]

    expect([file.status, held, locked]).toEqual(['held', ['held', 'bytes'], ['quarantined', 'bytes']])
    expect(told(byReader)).toBe('403 insufficient_scope')
    expect(quarantined.body).toMatchObject({ status: 'quarantined', quarantineReason: 'Eicar' })
    expect([released.body, again.body]).toEqual([released.body, released.body])
    expect([released.body.quarantineReason, await seenBy(reader)]).toEqual([null, 'bytes'])
    const types = (await eventsAfter(before)).map(({ type }) => type).filter((type) => type.startsWith('files.'))
    expect(types).toEqual(['files.uploaded', 'files.quarantined', 'files.released'])
  })

  test('a deleted file is restored, or purged with its bytes; the quota of bytes counts it until then', async () => {
    const used = (await usage()).fileBytes
    const file = await uploaded()
    const { id: documentId } = await post('/documents', { title: 'x', fileIds: [file.id] })
    const stored = blobs().length
    const at = (method: string, action = '') => call(method, `/files/${file.id}${action}`).then(told)

    const early = await at('POST', '/purge')
    const deleted = [await at('DELETE'), await at('DELETE'), await at('GET'), await at('GET', '/content')]
    const shown = await get(`/documents/${documentId}?expand=files`)
    const restored = [await at('POST', '/restore'), await at('GET')]
    const counted = (await usage()).fileBytes
    const purged = [
      await at('DELETE'),
      await at('POST', '/purge'),
      await at('POST', '/purge'),
      await at('POST', '/restore'),
    ]
    await cleanUp()

    expect(early).toBe('409 not_deleted')
    expect(deleted).toEqual(['204', '204', '404 not_found', '404 not_found'])
    expect([shown.fileIds, shown.files]).toEqual([[file.id], []])
    expect(restored).toEqual(['200', '200'])
    expect(purged).toEqual(['204', '204', '204', '410 purged'])
    expect([counted, (await usage()).fileBytes]).toEqual([used + text.length, used])
    await eventually(() => blobs().length === stored - 1, 'the bytes to be removed')
  })

  test('a file whose bytes did not come in 24 hours is gone; one that was deleted 30 days ago is emptied, and its bytes are removed', async () => {
    const used = (await usage()).fileBytes
    const [waiting, late, recent, old] = [
      await announce(text),
      await announce(text),
      await uploaded(),
      await uploaded(),
    ]
    const stored = blobs().length
    for (const { id } of [recent, old]) await call('DELETE', `/files/${id}`)
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    const change = (file: Body, data: object) =>
      system.db.file.updateMany({ where: { workspaceId: tenant.workspaceId, id: file.id }, data })
    await change(waiting, { createdAt: ago(23.9) })
    await change(late, { createdAt: ago(24.1) })
    await change(recent, { deletedAt: ago(30 * 24 - 0.1) })
    await change(old, { deletedAt: ago(30 * 24 + 0.1) })

    await eventually(async () => {
      await cleanUp()
      return blobs().length === stored - 1
    }, 'the bytes to be removed')

    expect(told(await call('GET', `/files/${late.id}`))).toBe('404 not_found')
    expect(told(await put(late.upload.url, text))).toBe('404 not_found')
    expect(await put(waiting.upload.url, text)).toMatchObject({ status: 204 })
    const restored = [recent, old].map(({ id }) => call('POST', `/files/${id}/restore`))
    expect((await Promise.all(restored)).map(told)).toEqual(['200', '410 purged'])
    expect((await usage()).fileBytes).toBe(used + 2 * text.length)
  })

  test('files are listed newest first, by status, by whether an object names them, and deleted ones on request', async () => {
    const own = callsOf(await system.tenant())
    const make = async () => (await own.post('/files', { name: 'x', bytes: 1 })).id
    const [first, second, third] = [await make(), await make(), await make()]
    await own.remove(`/files/${second}`)

    const ids = async (query: string) => (await own.get(`/files?${query}`)).data.map(({ id }: Body) => id)
    const page = await own.get('/files?limit=1')

    expect([await ids(''), await ids('deleted=true')]).toEqual([[third, first], [second]])
    expect(await ids(`limit=1&cursor=${encodeURIComponent(page.page.nextCursor)}`)).toEqual([first])
    expect([
      await ids('status=available'),
      await ids('attached=true'),
      await ids('attached=false&sort=createdAt'),
    ]).toEqual([[], [], [first, third]])
  })

  test('a quota of bytes and one of the installation bound what is announced; a name has no folders', async () => {
    const own = await system.tenant()
    must(await own.settings('PATCH', '', { quotas: { fileBytes: 10 } }))
    const create = async (body: object) =>
      told(await own.api('POST', '/api/v1/files', { name: 'x', bytes: 1, ...body }))

    expect([await create({ bytes: 10 }), await create({ bytes: 1 })]).toEqual(['201', '409 quota_reached'])
    expect(await create({ bytes: 6 * 1024 ** 3 })).toBe('422 validation_failed /bytes too_large')
    expect(await create({ bytes: 0 })).toBe('422 validation_failed /bytes too_small')
    expect(await create({ name: '../x' })).toBe('422 validation_failed /name wrong_format')
    expect(await create({ type: 'Text/Plain; charset=utf-8' })).toBe('422 validation_failed /type wrong_format')
  })

  test('a model reads released files over MCP: text as text, the rest as a blob, of at most 1 MiB, and finds them at the task', async () => {
    const rpc = async (method: string, params: object, who = tenant): Promise<Body> =>
      must(await who.api('POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method, params }))
    const uriOf = ({ id }: Body) => `workspace://files/${id}`
    const read = async (file: Body, who = tenant) => {
      const { result, error } = await rpc('resources/read', { uri: uriOf(file) }, who)
      return result?.contents[0] ?? `${error.code} ${error.data.code}`
    }
    const [note, picture, page, large, nearly] = [
      await uploaded(text, { type: 'text/plain' }),
      await uploaded(png, { name: 'plan.png', type: 'image/png' }),
      await uploaded(Buffer.from('<p>Hello</p>'), { name: 'a.html', type: 'text/html' }),
      await uploaded(Buffer.alloc(1024 * 1024 + 1)),
      await uploaded(Buffer.alloc(1024 * 1024)),
    ]
    const latin = await uploaded(Buffer.from('caf\xe9', 'latin1'), { type: 'text/plain' })
    const waiting = await announce(text)
    const { id: projectId } = await post('/projects', { name: 'Read by models' })
    const task = await post('/tasks', { projectId, title: 'x', fileIds: [picture.id] })

    const { resources } = (await rpc('resources/list', {})).result
    const few = await tenant.key(['tasks:read'])
    const argument = { name: 'id', value: 'plan.p' }
    const ref = { type: 'ref/resource', uri: 'workspace://files/{id}' }

    expect(await read(note)).toEqual({ uri: uriOf(note), mimeType: 'text/plain', text: text.toString() })
    expect(await read(picture)).toEqual({ uri: uriOf(picture), mimeType: 'image/png', blob: png.toString('base64') })
    expect(await read(page)).toMatchObject({ mimeType: 'text/plain', text: '<p>Hello</p>' })
    expect(await read(latin)).toMatchObject({ mimeType: 'text/plain', blob: 'Y2Fm6Q==' })
    expect((await read(nearly)).blob).toHaveLength(1_398_104)
    expect(await Promise.all([large, waiting].map((file) => read(file)))).toEqual([
      '-32602 file_not_available',
      '-32602 file_not_available',
    ])
    expect(await read(note, few)).toBe('-31003 insufficient_scope')
    expect([await read(note, await system.tenant()), await read({ id: 'x' })]).toEqual([
      '-32002 not_found',
      '-32002 not_found',
    ])
    expect(resources.find(({ uri }: Body) => uri === uriOf(picture))).toMatchObject({
      name: picture.id,
      title: 'plan.png',
      mimeType: 'image/png',
      size: png.length,
    })
    expect(resources.map(({ uri }: Body) => uri)).not.toContain(uriOf(waiting))
    expect((await rpc('completion/complete', { ref, argument })).result.completion.values).toContain(picture.id)
    must(await tenant.api('POST', `/api/v1/files/${latin.id}/quarantine`))
    expect(await read(latin)).toBe('-32602 file_not_available')
    const { result: ofTask } = await rpc('resources/read', { uri: `workspace://tasks/${task.id}` })
    expect(ofTask.contents[0].text).toContain(`\n- files: ${uriOf(picture)}\n`)
  })

  test('what is packed is refused; a file of a stranger is not there', async () => {
    const [file, stranger] = [await announce(text), await system.tenant()]

    const packed = await put(file.upload.url, text, { 'content-encoding': 'gzip' })
    const foreign = await Promise.all([
      stranger.api('GET', `/api/v1/files/${file.id}`),
      stranger.api('GET', `/api/v1/files/${file.id}/content`),
      stranger.api('DELETE', `/api/v1/files/${file.id}`),
      stranger.api('POST', `/api/v1/files/${file.id}/release`),
    ])

    expect(told(packed)).toBe('415 unsupported_media_type')
    expect(foreign.map(told)).toEqual(foreign.map(() => '404 not_found'))
  })
})

test('an upload to a full disk is refused for now, keeps nothing, and comes to the same address once there is room', async () => {
  const folder = filesFolder()
  const disk = diskStore(folder)
  let isFull = true
  const fileStore: FileStore = {
    ...disk,
    write: (...given) => (isFull ? Promise.reject(faultOfDisk(full)) : disk.write(...given)),
  }
  await using system = await startSystem('standalone', { fileStore })
  const tenant = await system.tenant()
  const file = must(await tenant.api('POST', '/api/v1/files', { name: 'a.txt', bytes: text.length }))
  const put = () => fetch(system.url + file.upload.url, { method: 'PUT', body: new Uint8Array(text) })

  const refused = await put()
  isFull = false
  const taken = await put()

  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'storage_full' }])
  expect(refused.headers.get('retry-after')).toBe('30')
  expect(taken.status).toBe(204)
  expect(must(await tenant.api('GET', `/api/v1/files/${file.id}`))).toMatchObject({ status: 'available' })
  await rm(folder, { recursive: true })
})

/** As Node tells of a disk without room. */
const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
