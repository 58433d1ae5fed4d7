// The change feed for a model: one line a change, and where to read on.
import { listEvents } from '#contract/events.ts'
import { withArgumentNames } from './argument-names.ts'
import { maxTokensDefault } from '#contract/tools/tool.ts'
import { callOperation, type AnswerOf } from './call-operation.ts'
import { changeOf, lineOf } from './change-line.ts'
import type { Exchange } from './exchange.ts'
import { itemsThatFit } from './items-that-fit.ts'
import type { Runner } from './runner.ts'
import { pageItemsDefault } from '#contract/pagination.ts'

type Arguments = { readonly since?: string; readonly types?: readonly string[]; readonly limit?: number }
type Start = { readonly after: number } | { readonly occurredAfter: string }
type Page = AnswerOf<typeof listEvents>['body']

const dayMs = 86_400_000
/** No time of the contract lies before it. */
const earliestMs = Date.parse('0001-01-01T00:00:00Z')
/** A page of rare types may be empty although there is more behind it. */
const pagesMax = 10

export const runChanges: Runner = async (args, exchange) => {
  // The arguments have been validated against the tool's input.
  const { since, types, limit = pageItemsDefault } = args as Arguments
  const more = { limit, ...(types !== undefined && { eventTypes: [...new Set(types)].map((type) => `${type}.*`) }) }
  const { data, lastSequence, hasMore } = await withArgumentNames(argumentName, () =>
    firstPage(startOf(since), more, exchange),
  )
  const shown = itemsThatFit(data, (event) => JSON.stringify(changeOf(event)), maxTokensDefault)
  const isCut = shown.length < data.length
  const next = String(isCut ? (shown.at(-1)?.sequence ?? lastSequence) : lastSequence)
  const lines = shown.length === 0 ? ['Nothing has changed.'] : shown.map(lineOf)
  const onward = isCut || hasMore ? `There is more: since "${next}".` : `To read on later: since "${next}".`
  return {
    structured: { data: shown.map(changeOf), next, hasMore: isCut || hasMore },
    text: [...lines, onward].join('\n'),
  }
}

const argumentName = (name: string): string =>
  name === 'after' || name === 'occurredAfter' ? 'since' : name.replace(/^eventTypes/, 'types')

/** A day begins where its first millisecond does, which the feed's `occurredAfter` would leave out. */
export function startOf(since: string | undefined, now = Date.now()): Start {
  if (since === undefined) return { occurredAfter: new Date(now - dayMs).toISOString() }
  if (/^\d{1,15}$/.test(since)) return { after: Number(since) }
  const day = /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(since) : Number.NaN
  return { occurredAfter: Number.isNaN(day) ? since : new Date(Math.max(day - 1, earliestMs)).toISOString() }
}

async function firstPage(start: Start, more: object, exchange: Exchange): Promise<Page> {
  let { body } = await callOperation(listEvents, { ...start, ...more }, exchange)
  for (let page = 1; page < pagesMax && body.data.length === 0 && body.hasMore; page += 1)
    ({ body } = await callOperation(listEvents, { after: body.lastSequence, ...more }, exchange))
  return body
}
