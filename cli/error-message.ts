// What went wrong, in words.
import type { Problem } from '#contract/problem-details.ts'
import { ApiError } from '#clients/client.ts'
import { plain } from './output.ts'

/** A refusal with each value that was refused, a call that got no answer with its cause. */
export function saidOf(error: unknown, baseUrl: string): string {
  if (error instanceof ApiError) return refusal(error.problem)
  if (!(error instanceof Error)) return String(error)
  // Of a connection that could not be made, only the cause says why.
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error.message
  return `${baseUrl} does not answer: ${error.cause.message || 'no connection'}`
}

function refusal({ code, detail, errors = [], hint, requestId }: Problem): string {
  const lines = [
    `${code}: ${detail}`,
    ...errors.map(({ detail: why, ...place }) => `  ${placeOf(place)}: ${why}`),
    ...(hint === undefined ? [] : [hint]),
    `Request ${requestId}`,
  ]
  return lines.map(plain).join('\n')
}

type Place = { readonly pointer?: string; readonly parameter?: string; readonly header?: string }

/** As it was typed, where it has been typed. */
function placeOf({ pointer, parameter, header }: Place): string {
  if (header !== undefined) return header
  const [name = '', ...within] = (parameter ?? pointer?.slice(1) ?? '').split('/')
  return within.length === 0 ? `--${name}` : `--${name} at /${within.join('/')}`
}
