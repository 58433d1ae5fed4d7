// The change feed for a model: one line a change, with when, what, which object, by whom, and each changed field from
// what to what; and where to read on.
import { operationNamed } from '#contract/api.ts'
import type { EventRecord } from '#contract/event.ts'
import { listEvents } from '#contract/events.ts'
import { Fault } from '#contract/faults/fault.ts'
import { pageItemsDefault } from '#contract/pagination.ts'
import { parseName } from '#contract/references.ts'
import { maxTokensDefault } from '#contract/tools/tool.ts'
import { changedByEveryChange } from '../../execution/system-fields.ts'
import { withArgumentNames } from './arguments.ts'
import { itemsThatFit } from './budget.ts'
import { callOperation, type AnsweredBy, type Exchange, type Runner } from './runner.ts'

type ChangesArguments = {
  readonly since?: string
  readonly id?: string
  readonly types?: readonly string[]
  readonly limit?: number
}
type FeedStart = { readonly after?: number } | { readonly occurredAfter: string }
type FeedPage = AnsweredBy<typeof listEvents>['body']

const dayMs = 86_400_000
/** No time of the contract lies before it. */
const earliestMs = Date.parse('0001-01-01T00:00:00Z')
/** A page of rare types may be empty although there is more behind it. */
const pagesMax = 10

export const runChanges: Runner = async (args, exchange) => {
  // The arguments have been validated against the tool's input.
  const { since, id, types, limit = pageItemsDefault } = args as ChangesArguments
  const more = {
    limit,
    ...(id !== undefined && { resourceId: await idNamed(id, types, exchange) }),
    ...(types !== undefined && { eventTypes: [...new Set(types)].map((type) => `${type}.*`) }),
  }
  // Of one object all that is kept is little enough.
  const start = id !== undefined && since === undefined ? {} : startOf(since)
  const { data, lastSequence, hasMore } = await withArgumentNames(argumentName, () => firstPage(start, more, exchange))
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

/** The feed takes ids alone, for nothing there says which collection a name is of. */
async function idNamed(name: string, types: readonly string[] | undefined, exchange: Exchange): Promise<string> {
  if (parseName(name)?.form === 'id') return name
  const type = collectionOf(name, types)
  const more = type === 'members' ? {} : { includeDeleted: true }
  const { body } = await callOperation(operationNamed(`${type}.get`), { id: name, ...more }, exchange)
  return (body as { readonly id: string }).id
}

/** The only one of `types`, or that which the form of the name tells. */
function collectionOf(name: string, types: readonly string[] = []): string {
  const [only] = types
  if (only !== undefined && types.every((type) => type === only)) return only
  const parsed = parseName(name)
  if (parsed?.form === 'called') return /-\d+$/.test(name) ? 'tasks' : 'projects'
  if (parsed?.form === 'domain') return 'crm-entities'
  const detail = 'Several types of objects have such names: send the type alone in `types`, or the UUID.'
  throw new Fault('invalid_parameter', `\`id\`: ${detail}`, {
    errors: [{ parameter: 'id', code: 'not_unique', detail }],
  })
}

const argumentName = (name: string): string =>
  name === 'after' || name === 'occurredAfter'
    ? 'since'
    : name.replace(/^eventTypes/, 'types').replace(/^resourceId$/, 'id')

/** A day begins where its first millisecond does, which the feed's `occurredAfter` would leave out. */
export function startOf(since: string | undefined, now = Date.now()): FeedStart {
  if (since === undefined) return { occurredAfter: new Date(now - dayMs).toISOString() }
  if (/^\d{1,15}$/.test(since)) return { after: Number(since) }
  const day = /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(since) : Number.NaN
  return { occurredAfter: Number.isNaN(day) ? since : new Date(Math.max(day - 1, earliestMs)).toISOString() }
}

async function firstPage(start: FeedStart, more: object, exchange: Exchange): Promise<FeedPage> {
  let { body } = await callOperation(listEvents, { ...start, ...more }, exchange)
  for (let page = 1; page < pagesMax && body.data.length === 0 && body.hasMore; page += 1)
    ({ body } = await callOperation(listEvents, { after: body.lastSequence, ...more }, exchange))
  return body
}

const valueLengthMax = 80

type ShownValue = string | number | boolean | null

function changeOf({ id, occurredAt, type, resource, actor, data, changes }: EventRecord) {
  const { identifier, name } = namesIn(data)
  const fields = Object.entries(changes).filter(([field]) => !changedByEveryChange.has(field))
  return {
    eventId: id,
    at: occurredAt,
    event: type,
    id: resource.id,
    ...(identifier !== undefined && { identifier }),
    ...(name !== undefined && { name }),
    by: actor.name,
    ...(fields.length > 0 && {
      changes: Object.fromEntries(fields.map(([field, { from, to }]) => [field, [brief(from), brief(to)]])),
    }),
  }
}

function lineOf(event: EventRecord): string {
  const { at, event: type, id, identifier, name, by, changes = {} } = changeOf(event)
  const fields = Object.entries(changes).map(([field, [from, to]]) => `${field} ${shown(from)} → ${shown(to)}`)
  const about = [identifier ?? id, name === undefined ? undefined : JSON.stringify(name)].filter(Boolean).join(' ')
  return `- ${at.slice(0, 19)}Z ${type} ${about} by ${by}${fields.length > 0 ? `: ${fields.join('; ')}` : ''}`
}

/** A comment's name is how it begins. */
function namesIn(data: unknown): { readonly identifier?: string; readonly name?: string } {
  const { identifier, key, name, title, body } = (data ?? {}) as Readonly<Record<string, unknown>>
  const short = [identifier, key].find((each) => typeof each === 'string')
  const long = [name, title, body].find((each) => typeof each === 'string')
  return { ...(short !== undefined && { identifier: short }), ...(long !== undefined && { name: cut(long) }) }
}

function brief(value: unknown): ShownValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return cut(typeof value === 'string' ? value : JSON.stringify(value))
}

const cut = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= valueLengthMax ? line : `${line.slice(0, valueLengthMax - 1)}…`
}

const shown = (value: ShownValue | undefined): string => (value === null ? '(none)' : String(value))
