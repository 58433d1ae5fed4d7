// Files: created, listed, deleted, restored and purged, released and quarantined. Their bytes go in and out elsewhere
// (transfers.ts).
import { restoreWindowDays } from '#contract/collection/operations.ts'
import { Fault } from '#contract/faults/fault.ts'
import {
  downloadFile,
  fileDeleted,
  fileQuarantined,
  fileReleased,
  fileRestored,
  uploadAddressMinutes,
  uploadFile,
  type File,
  type createDownloadAddress,
  type createFile,
  type deleteFile,
  type getFile,
  type listFiles,
  type purgeFile,
  type quarantineFile,
  type releaseFile,
  type restoreFile,
} from '#contract/files.ts'
import { newId } from '#runtime/new-id.ts'
import { keyset, type Pager } from '../collection/pagination.ts'
import type { Handler, Handlers } from '../execution/call.ts'
import { takeQuota } from '../execution/quotas.ts'
import { bumpVersion } from '../execution/system-fields.ts'
import { invalidField } from '../faults/shared-faults.ts'
import { assertNoLegalHold } from '../execution/legal-hold-rows.ts'
import { find, findAny, findFiles, insertFile, updateFile, type StoredFile } from './rows.ts'
import { assertReadable, assertUploaded, draft } from './rules.ts'
import type { SignAddress } from './signed-addresses.ts'

type FileDeps = { readonly pager: Pager; readonly signAddress: SignAddress; readonly fileBytesMax: number }

export const fileHandlers = ({ pager, signAddress, fileBytesMax }: FileDeps) =>
  ({
    'files.create': create(signAddress, fileBytesMax),
    'files.list': list(pager),
    'files.get': get,
    'files.delete': remove,
    'files.restore': restore,
    'files.purge': purge,
    'files.create-download-address': createAddress(signAddress),
    'files.release': release,
    'files.quarantine': quarantine,
  }) satisfies Partial<Handlers>

const create =
  (signAddress: SignAddress, bytesMax: number): Handler<typeof createFile> =>
  async (input, call) => {
    const { workspaceId, actor, now } = call
    if (input.bytes > bytesMax)
      throw invalidField('bytes', 'too_large', `A file can have at most ${bytesMax} bytes here.`)
    const file = draft(input, { id: newId(now), workspaceId, actor, now })
    takeQuota(call.quotaRoom, 'objects', 1)
    takeQuota(call.quotaRoom, 'fileBytes', file.bytes)
    await insertFile(call.db, file)
    const address = await signAddress(uploadFile, file.id, uploadAddressMinutes * 60, call)
    return { ...file, upload: { method: 'PUT', ...address } }
  }

const list =
  (pager: Pager): Handler<typeof listFiles> =>
  async (input, { db, workspaceId }) => {
    const paging = pager.open('files.list', workspaceId, input, '-createdAt')
    const { where: beyond, ...page } = keyset(paging)
    return pager.page(
      await findFiles(db, workspaceId, input, beyond, page),
      paging,
      ({ createdAt }) => createdAt,
      (file) => file,
    )
  }

const get: Handler<typeof getFile> = async ({ id }, { db, workspaceId }) => shown(await find(db, workspaceId, id))

const shown = ({ blobId: _blobId, purgedAt: _purgedAt, ...file }: StoredFile): File => file

const remove: Handler<typeof deleteFile> = async ({ id }, call) => {
  const before = shown(await findAny(call.db, call.workspaceId, id))
  if (before.deletedAt !== null) return null
  const after = bumpVersion({ ...before, deletedAt: call.now.toISOString() }, call)
  await updateFile(call.db, after)
  call.emit(fileDeleted, after)
  return null
}

const dayMs = 86_400_000

const restore: Handler<typeof restoreFile> = async ({ id }, call) => {
  const { purgedAt, ...before } = await findAny(call.db, call.workspaceId, id)
  if (before.deletedAt === null) throw new Fault('not_deleted', 'This file is not deleted.')
  const isOver = call.now.getTime() - Date.parse(before.deletedAt) > restoreWindowDays * dayMs
  if (purgedAt !== null || isOver) throw new Fault('purged', 'This file was purged: nothing is left of it.')
  const after = bumpVersion(shown({ ...before, purgedAt, deletedAt: null }), call)
  await updateFile(call.db, after)
  call.emit(fileRestored, after)
  return after
}

const purge: Handler<typeof purgeFile> = async ({ id }, call) => {
  const { purgedAt, ...before } = await findAny(call.db, call.workspaceId, id)
  if (before.deletedAt === null)
    throw new Fault('not_deleted', 'This file is not deleted.', { hint: 'Delete it first.' })
  if (purgedAt !== null) return null
  await assertNoLegalHold(call.db, call.workspaceId)
  await updateFile(call.db, {
    ...before,
    name: '',
    bytes: 0,
    sha256: null,
    detectedType: null,
    quarantineReason: null,
    blobId: null,
    purgedAt: call.now,
  })
  const named = { object: 'file', id }
  call.audit({ ...named, purgedAt: call.now.toISOString() }, { ...named, purgedAt: null })
  return null
}

const createAddress =
  (signAddress: SignAddress): Handler<typeof createDownloadAddress> =>
  async ({ id, expiresInSeconds = 300 }, call) => {
    assertReadable(await find(call.db, call.workspaceId, id), call.principal.scopes.includes('files:release'))
    const address = await signAddress(downloadFile, id, expiresInSeconds, call)
    return { method: 'GET', ...address }
  }

const release: Handler<typeof releaseFile> = async ({ id }, call) => {
  const before = shown(await find(call.db, call.workspaceId, id))
  assertUploaded(before.status, 'available')
  if (before.status === 'available') return before
  const after = bumpVersion({ ...before, status: 'available' as const, quarantineReason: null }, call)
  await updateFile(call.db, after)
  call.emit(fileReleased, after, before)
  return after
}

const quarantine: Handler<typeof quarantineFile> = async ({ id, reason }, call) => {
  const before = shown(await find(call.db, call.workspaceId, id))
  assertUploaded(before.status, 'quarantined')
  if (before.status === 'quarantined') return before
  const after = bumpVersion({ ...before, status: 'quarantined' as const, quarantineReason: reason ?? null }, call)
  await updateFile(call.db, after)
  call.emit(fileQuarantined, after, before)
  return after
}
