// The headers of an answer. Its ETag (RFC 9110, section 8.8) is the object's version and, where the answer shows what
// can change without a new version, a digest of the answer. If-Match and If-None-Match (section 13) are parsed here;
// those of a change are evaluated where the object is locked (execution/preconditions.ts), those of a read here,
// against the answer's own ETag. Then the addresses of what a call has made, or has found in the place of what was
// asked for, and compression.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#contract/faults/fault.ts'
import { isVersioned } from '#contract/openapi/request-fields.ts'
import { changes, type Operation } from '#contract/operation.ts'
import type { Route } from '#contract/route-paths.ts'
import type { ExternalIds } from '#contract/shared-fields.ts'
import {
  preferredEncoding,
  entityTagsIn,
  matchesStrongly,
  matchesWeakly,
  type EntityTags,
} from '#runtime/http-headers.ts'
import type { Preconditions } from '../execution/preconditions.ts'

const digestLength = 16
const digestAtEnd = new RegExp(`-[0-9a-f]{${digestLength}}$`)

type AnsweredCall = { readonly operation: Operation; readonly input: Readonly<Record<string, unknown>> }

/** Returns `"7"`, or `"7-0123456789abcdef"` with a digest; null for answers without a version, such as lists. */
export function etagOf(body: unknown, { operation, input }: AnsweredCall): string | null {
  if (typeof body !== 'object' || body === null || !('version' in body)) return null
  const version = String(body.version)
  return operation.unversioned === true || input['expand'] !== undefined
    ? `"${version}-${digestOf(body)}"`
    : `"${version}"`
}

/** For changes only the object's version counts: the same tags without their digests. */
const withoutDigest = (tags: EntityTags): EntityTags =>
  tags === '*' ? tags : tags.map((tag) => ({ ...tag, opaque: tag.opaque.replace(digestAtEnd, '') }))

const digestOf = (body: object): string =>
  createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, digestLength)

export type PreconditionHeaders = {
  readonly 'if-match'?: string | undefined
  readonly 'if-none-match'?: string | undefined
}

/** Throws `invalid_header` where the operation has no ETag. */
export function preconditionsOf(operation: Operation, headers: PreconditionHeaders): Preconditions {
  const isChange = changes(operation)
  const takesMatch = isChange ? 'expectedVersion' in operation.input.properties : isVersioned(operation)
  const judged = (tags: EntityTags | undefined) => (isChange && tags !== undefined ? withoutDigest(tags) : tags)
  return {
    ifMatch: judged(tagsOf('If-Match', headers['if-match'], takesMatch)),
    // A list has no ETag that a caller could have: If-None-Match is taken, and always holds.
    ifNoneMatch: judged(tagsOf('If-None-Match', headers['if-none-match'], takesMatch || !isChange)),
  }
}

function tagsOf(header: string, text: string | undefined, isTaken: boolean): EntityTags | undefined {
  if (text === undefined) return undefined
  if (!isTaken) throw unreadable(header, `This call takes no ${header}.`)
  const tags = entityTagsIn(text)
  if (tags !== null) return tags
  throw unreadable(
    header,
    'Send the ETag of an earlier response with its quotation marks, several ETags separated by commas, or `*`.',
  )
}

/** For a read: whether the caller has this very answer already (304). */
export const isNotModified = ({ ifNoneMatch }: Preconditions, etag: string): boolean =>
  ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, opaqueIn(etag))

/** For a read: throws `version_mismatch` when If-Match does not name the answer's ETag. */
export function assertIfMatch({ ifMatch }: Preconditions, etag: string, currentVersion: number): void {
  if (ifMatch === undefined || matchesStrongly(ifMatch, opaqueIn(etag))) return
  throw new Fault('version_mismatch', `The response now has the ETag ${etag}, which does not match \`If-Match\`.`, {
    currentVersion,
  })
}

const opaqueIn = (etag: string): string => etag.replace(/^(?:W\/)?"(.*)"$/, '$1')

const unreadable = (header: string, detail: string): Fault =>
  new Fault('invalid_header', `${header}: ${detail}`, { errors: [{ header, code: 'wrong_format', detail }] })

/** `subject` is the object that a comment is on. */
export type MadeObject = { readonly id: string; readonly subject?: { readonly id: string } }

/** Objects are also addressed by the caller's own ids, below the collection. */
const byExternalId = '/by-external-id/'

/**
 * The address of what a call has made (RFC 9110, 10.2.2). It is made of ids, whatever names the call was sent with.
 * `template` and `url` are those of the call.
 */
export const locationOf = (template: string, url: string, made: MadeObject): string =>
  `${siblingsOf(template, url, made)}/${made.id}`

/** The address of the collection that the object is in. */
function siblingsOf(template: string, url: string, { subject }: MadeObject): string {
  if (template.includes(byExternalId)) return template.slice(0, template.indexOf(byExternalId))
  const sent = url.split('?')[0] ?? ''
  if (subject === undefined) return sent
  const steps = sent.split('/')
  return template
    .split('/')
    .map((step, at) => (step === '{id}' ? subject.id : steps[at]))
    .join('/')
}

type PathParameters = Readonly<Record<string, string>>
type ShownObject = { readonly id?: unknown; readonly externalIds?: unknown }

const ofOne = /\/(?:\{id\}|by-external-id\/\{source\}\/\{externalId\})$/

/**
 * The address of an object that has taken the place of the one that was asked for (RFC 9110, 8.7); null where it is
 * that one.
 */
export function contentLocation(
  { method, path }: Pick<Route, 'method' | 'path'>,
  asked: PathParameters,
  body: unknown,
) {
  if (method !== 'GET' || !ofOne.test(path)) return null
  const shown = (body ?? {}) as ShownObject
  if (typeof shown.id !== 'string' || isSame(asked, shown)) return null
  const collection = path.replace(ofOne, '').replaceAll(/\{(\w+)\}/g, (_match, name: string) => asked[name] ?? '')
  return `${collection}/${shown.id}`
}

/** All that can be asked for by an own id shows its list of them. */
const isSame = ({ id, source, externalId }: PathParameters, shown: ShownObject): boolean =>
  id === undefined
    ? (shown.externalIds as ExternalIds).some((each) => each.id === externalId && each.source === source)
    : id.toLowerCase() === shown.id

type Encoding = 'br' | 'gzip'

const compressedFromBytes = 1_024
// Brotli's usual 11 is for files that are packed once.
const brotliQuality = 4

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/**
 * A hook that compresses an answer of more than a kilobyte for callers that take it. The ETag stays: it names the
 * version of the object, however its bytes are packed.
 */
export async function compressed(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  reply.header('vary', 'accept-encoding')
  if (typeof payload !== 'string' || Buffer.byteLength(payload) <= compressedFromBytes) return payload
  const encoding = encodingFor([request.headers['accept-encoding']].flat().join(','))
  if (encoding === null) return payload
  reply.header('content-encoding', encoding)
  return encoding === 'gzip'
    ? gzipped(payload)
    : brotli(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
}

/** The encoding that the caller likes better; of two that it likes alike, the smaller. Null: as it is. */
export const encodingFor = (accepted: string): Encoding | null => preferredEncoding(accepted, ['br', 'gzip'])
