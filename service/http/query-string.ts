// Refuses a query that is not percent-encoded UTF-8. Parsers of queries leave as it is written what they cannot decode,
// and a search for `%FF` would find nothing without saying why.
import { invalidParameter } from '../faults/field-refusals.ts'
import { shortened } from '../text/json-pointer.ts'

export function assertDecodable(url: string): void {
  const at = url.indexOf('?')
  if (at === -1 || !url.includes('%', at)) return
  const broken = url
    .slice(at + 1)
    .split('&')
    .find((pair) => !isDecodable(pair))
  if (broken !== undefined)
    throw invalidParameter(shortened(broken.split('=')[0] ?? ''), 'wrong_format', 'Is not percent-encoded UTF-8.')
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
