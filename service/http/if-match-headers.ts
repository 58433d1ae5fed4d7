// The headers If-Match and If-None-Match (RFC 9110, section 13). For a change they are parsed here and evaluated where
// the object is locked (execution/preconditions.ts); for a read they are evaluated here, against the answer's own ETag.
// An operation without an ETag refuses them.
import { Fault } from '#contract/faults/fault.ts'
import { changes, type Operation } from '#contract/operation.ts'
import { entityTagsIn, matchesStrongly, matchesWeakly, type EntityTags } from '#runtime/http-headers.ts'
import type { Preconditions } from '../execution/preconditions.ts'
import { withoutDigest } from './response-etag.ts'
import { isVersioned } from '#contract/openapi/request-fields.ts'

export type Headers = { readonly 'if-match'?: string | undefined; readonly 'if-none-match'?: string | undefined }

export function preconditionsOf(operation: Operation, headers: Headers): Preconditions {
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
  throw unreadable(header, 'Send the ETag of an earlier answer, with its quotation marks; several with commas, or `*`.')
}

/** For a read: whether the caller has this very answer already (304). */
export const isNotModified = ({ ifNoneMatch }: Preconditions, etag: string): boolean =>
  ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, opaqueIn(etag))

/** For a read: throws `version_mismatch` when If-Match does not name the answer's ETag. */
export function assertIfMatch({ ifMatch }: Preconditions, etag: string, currentVersion: number): void {
  if (ifMatch === undefined || matchesStrongly(ifMatch, opaqueIn(etag))) return
  throw new Fault('version_mismatch', `What there is has the ETag ${etag}, which \`If-Match\` does not name.`, {
    currentVersion,
  })
}

const opaqueIn = (etag: string): string => etag.replace(/^(?:W\/)?"(.*)"$/, '$1')

const unreadable = (header: string, detail: string): Fault =>
  new Fault('invalid_header', `${header}: ${detail}`, { errors: [{ header, code: 'wrong_format', detail }] })
