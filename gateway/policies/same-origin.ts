// Is a change asked for by a page of ours? A browser sends the cookie of a session with requests that other pages make, too,
// and says in two headers that no page can choose where they come from. Every browser of today sends Sec-Fetch-Site to an
// origin that it trusts; Origin stands in for it elsewhere.
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '#contract/faults/fault.ts'

type Headers = Pick<IncomingHttpHeaders, 'origin'> & { readonly 'sec-fetch-site'?: string | string[] | undefined }

const readingMethods = new Set(['GET', 'HEAD'])

/** Throws `origin_not_allowed`. `ownOrigins`: those under which our pages are. */
export function checkSameOrigin(method: string, headers: Headers, ownOrigins: readonly string[]): void {
  if (readingMethods.has(method)) return
  const { origin, 'sec-fetch-site': site } = headers
  const isOwn = site === undefined ? origin !== undefined && ownOrigins.includes(origin) : site === 'same-origin'
  if (!isOwn) throw new Fault('origin_not_allowed', 'Changes are taken from pages of this origin alone.')
}
