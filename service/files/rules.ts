// The rules of files: what their bytes must be, how they are answered, and which state leads to which. Pure.
import { supportedMimeTypes } from 'file-type'
import { Fault } from '#contract/faults/fault.ts'
import type { File, FileStatus } from '#contract/files.ts'
import { versionFields, type ChangeContext } from '../execution/system-fields.ts'

type Given = { readonly name: string; readonly bytes: number; readonly type?: string; readonly sha256?: string }

const anyType = 'application/octet-stream'

export const draft = ({ name, bytes, type = anyType, sha256 }: Given, origin: ChangeContext): File => ({
  ...versionFields('file', origin),
  deletedAt: null,
  name,
  bytes,
  type,
  detectedType: null,
  sha256: sha256 ?? null,
  status: 'awaiting_upload',
  uploadedAt: null,
  quarantineReason: null,
})

// What has come against what was announced.

/** What is known of bytes once all of them have come. */
export type Received = { readonly bytes: number; readonly sha256: string; readonly detectedType: string | null }

/** Throws `content_mismatch`. */
export function assertAnnounced({ bytes, sha256, type }: File, received: Received): void {
  if (received.bytes !== bytes) throw sizeMismatch(bytes, received.bytes)
  if (sha256 !== null && received.sha256 !== sha256)
    throw mismatch('sha256', sha256, received.sha256, 'The SHA-256 of the upload differs from the declared one.')
  if (!isOfType(type, received.detectedType))
    throw mismatch('type', type, received.detectedType, `The type of the upload is not the declared one, ${type}.`)
}

/** `received`: as many as have come, or more. */
export const sizeMismatch = (expected: number, received: number): Fault =>
  mismatch('bytes', expected, received, `The size of the upload differs from the declared one, ${expected} bytes.`)

const mismatch = (what: string, expected: unknown, received: unknown, detail: string): Fault =>
  new Fault('content_mismatch', detail, { mismatch: what, expected, received })

/** Other names of types. */
const aliases: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/x-icon': 'image/vnd.microsoft.icon',
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-m4a': 'audio/mp4',
  'application/x-zip-compressed': 'application/zip',
  'application/x-zip': 'application/zip',
  'application/x-gzip': 'application/gzip',
  'application/x-pdf': 'application/pdf',
  'text/rtf': 'application/rtf',
}

/** Types that share the form of their first bytes: which of them it is, those do not say for sure. */
const families: readonly RegExp[] = [
  /^application\/(?:zip|epub\+zip|java-archive|vnd\.(?:openxmlformats|oasis\.opendocument|android|ms-(?:word|excel|powerpoint)\..*macroenabled).*|.*\+zip)$/i,
  /^application\/(?:x-cfb|msword|vnd\.ms-.*|vnd\.visio|x-msi)$/,
  /^(?:audio|video)\/|^application\/(?:ogg|mp4|mxf|vnd\.apple\.mpegurl)$/,
  /^(?:application\/(?:gzip|x-(?:tgz|tar|gtar|compressed-tar)))$/,
  /^text\/|^application\/(?:xml|json|rtf|.*\+xml|.*\+json|x-ndjson|javascript|yaml|sql|pgp-.*)$|^image\/svg\+xml$/,
  /^image\/(?:heic|heif|avif)(?:-sequence)?$/,
  /^image\/(?:tiff|x-.*)$/,
]

/** Text, sound and film begin in too many ways for bytes that say nothing to be of another type. */
const mayBeginAnyhow = /^(?:text|audio|video|model|chemical)\/|^application\/(?:xml|rtf|.*\+xml)$/

/** Whether bytes can be what they were announced as. `detected`: what they say of themselves; null: nothing. */
export function isOfType(announced: string, detected: string | null): boolean {
  if (announced === anyType) return true
  const [named, found] = [announced, detected].map((type) => (type === null ? null : (aliases[type] ?? type)))
  if (named === null || named === undefined) return true
  if (found === null || found === undefined) return mayBeginAnyhow.test(named) || !supportedMimeTypes.has(named)
  return named === found || families.some((family) => family.test(named) && family.test(found))
}

// How bytes are answered.

const active = /html|xml|svg|javascript|ecmascript|flash|xsl|mathml|x-xpinstall|hta/

/** What a browser could run is answered as nothing in particular. */
export const answeredType = ({ type, detectedType }: Pick<File, 'type' | 'detectedType'>): string =>
  active.test(type) || active.test(detectedType ?? '') ? anyType : type

const held = { awaiting_upload: 'has not been uploaded yet', held: 'is on hold until it is released' } as const

/** `mayReadAll`: a scanner reads what others cannot. Throws `file_not_available`. */
export function assertReadable({ status }: Pick<File, 'status'>, mayReadAll: boolean): void {
  if (status === 'available' || (mayReadAll && status !== 'awaiting_upload')) return
  const why = status === 'quarantined' ? 'is quarantined' : held[status]
  throw new Fault('file_not_available', `This file ${why}.`, { fileStatus: status })
}

/** Throws `invalid_transition` for a file whose bytes are not there. */
export function assertUploaded(status: FileStatus, to: FileStatus): void {
  if (status === 'awaiting_upload') throw refusedTransition(status, to, 'The bytes of this file have not come yet.')
}

/** A file is uploaded once. Throws `invalid_transition`. */
export function assertAwaitsUpload(status: FileStatus): void {
  if (status !== 'awaiting_upload')
    throw refusedTransition(status, 'held', 'This file is uploaded already: create another one.')
}

const refusedTransition = (from: FileStatus, to: FileStatus, detail: string): Fault =>
  new Fault('invalid_transition', detail, { from, to, allowed: [] })
