// Parsers of queries leave as it is written what they cannot decode, and a search for `%FF` finds nothing, in silence.
import { Fault } from '#contract/fault.ts'
import { shortened } from '../text/json-pointer.ts'

export function assertDecodable(url: string): void {
  const at = url.indexOf('?')
  if (at === -1 || !url.includes('%', at)) return
  const broken = url
    .slice(at + 1)
    .split('&')
    .find((pair) => !isDecodable(pair))
  if (broken !== undefined) throw undecodable(shortened(broken.split('=')[0] ?? ''))
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function undecodable(parameter: string): Fault {
  const detail = 'Is not percent-encoded UTF-8.'
  const errors = [{ parameter, code: 'wrong_format' as const, detail }]
  return new Fault('invalid_parameter', `${parameter}: ${detail}`, { errors })
}
