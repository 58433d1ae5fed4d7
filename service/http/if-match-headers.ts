// Conditional requests (RFC 9110, section 13). A change is judged where its object is at hand (preconditions.ts); a read
// by the answer's own ETag. Where there is nothing to judge, a condition is refused and not passed over.
import { Fault } from '#contract/fault.ts'
import { isVersioned } from '#contract/openapi/request-fields.ts'
import { changes, type Operation } from '#contract/operation.ts'
import { entityTagsIn, matchesStrongly, matchesWeakly, type EntityTags } from '#runtime/etag-match.ts'
import type { Preconditions } from '../execution/preconditions.ts'
import { withoutDigest } from './response-etag.ts'

export type Headers = { readonly 'if-match'?: string | undefined; readonly 'if-none-match'?: string | undefined }

export function preconditionsOf(operation: Operation, headers: Headers): Preconditions {
  const isChange = changes(operation)
  const takesMatch = isChange ? 'expectedVersion' in operation.input.properties : isVersioned(operation)
  const judged = (tags: EntityTags | undefined) => (isChange && tags !== undefined ? withoutDigest(tags) : tags)
  return {
    ifMatch: judged(tagsOf('If-Match', headers['if-match'], takesMatch)),
    // What a list shows has no tag that anybody could have: the condition holds.
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

/** For a read: the caller has what would be answered. */
export const isNotModified = ({ ifNoneMatch }: Preconditions, etag: string): boolean =>
  ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, opaqueIn(etag))

/** For a read: refused where the answer is another than the caller wants to go on with. */
export function assertIfMatch({ ifMatch }: Preconditions, etag: string, currentVersion: number): void {
  if (ifMatch === undefined || matchesStrongly(ifMatch, opaqueIn(etag))) return
  throw new Fault('version_mismatch', `What there is has the ETag ${etag}, which \`If-Match\` does not name.`, {
    currentVersion,
  })
}

const opaqueIn = (etag: string): string => etag.replace(/^(?:W\/)?"(.*)"$/, '$1')

const unreadable = (header: string, detail: string): Fault =>
  new Fault('invalid_header', `${header}: ${detail}`, { errors: [{ header, code: 'wrong_format', detail }] })
