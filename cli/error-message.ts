// The message for a call that failed.
import type { Problem } from '#contract/faults/problem-details.ts'
import { ApiError } from '#clients/read-answer.ts'
import { withoutControls } from './format-answer.ts'

/** Returns a problem with each value that was refused, or for a call without an answer the cause. */
export function errorMessage(error: unknown, baseUrl: string): string {
  if (error instanceof ApiError) return problemText(error.problem)
  if (!(error instanceof Error)) return String(error)
  // `fetch` fails with a TypeError whose cause says why there is no connection.
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error.message
  return `${baseUrl} does not answer: ${error.cause.message || 'no connection'}`
}

function problemText({ code, detail, errors = [], hint, requestId }: Problem): string {
  const lines = [
    `${code}: ${detail}`,
    ...errors.map(({ detail: why, ...place }) => `  ${placeOf(place)}: ${why}`),
    ...(hint === undefined ? [] : [hint]),
    `Request ${requestId}`,
  ]
  return lines.map(withoutControls).join('\n')
}

type Place = { readonly pointer?: string; readonly parameter?: string; readonly header?: string }

/** Returns the place as the option that was typed, or the header's name. */
function placeOf({ pointer, parameter, header }: Place): string {
  if (header !== undefined) return header
  const [name = '', ...within] = (parameter ?? pointer?.slice(1) ?? '').split('/')
  return within.length === 0 ? `--${name}` : `--${name} at /${within.join('/')}`
}
