// The ETag of an answer (RFC 9110, section 8.8): the object's version and, where the answer shows what can change
// without a new version, a digest of the answer.
import { createHash } from 'node:crypto'
import type { Operation } from '#contract/operation.ts'
import type { EntityTags } from '#runtime/http-headers.ts'

const digestLength = 16
const digestAtEnd = new RegExp(`-[0-9a-f]{${digestLength}}$`)

type Asked = { readonly operation: Operation; readonly input: Readonly<Record<string, unknown>> }

/** Returns `"7"`, or `"7-0123456789abcdef"` with a digest; null for answers without a version, such as lists. */
export function etagOf(body: unknown, { operation, input }: Asked): string | null {
  if (typeof body !== 'object' || body === null || !('version' in body)) return null
  const version = String(body.version)
  return operation.unversioned === true || input['expand'] !== undefined
    ? `"${version}-${digestOf(body)}"`
    : `"${version}"`
}

/** For changes only the object's version counts: the same tags without their digests. */
export const withoutDigest = (tags: EntityTags): EntityTags =>
  tags === '*' ? tags : tags.map((tag) => ({ ...tag, opaque: tag.opaque.replace(digestAtEnd, '') }))

const digestOf = (body: object): string =>
  createHash('sha256').update(JSON.stringify(body)).digest('hex').slice(0, digestLength)
