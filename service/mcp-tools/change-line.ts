// One event of the feed for a model: when, what, which object, by whom, and each changed field from what to what. Pure.
import type { EventRecord } from '#contract/event.ts'

const valueLengthMax = 80
/** Fields that every change changes. */
const bookkeeping = new Set(['version', 'updatedAt', 'updatedBy'])

type Value = string | number | boolean | null

export function changeOf({ id, occurredAt, type, resource, actor, data, changes }: EventRecord) {
  const { identifier, name } = namesIn(data)
  const fields = Object.entries(changes).filter(([field]) => !bookkeeping.has(field))
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

export function lineOf(event: EventRecord): string {
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

function brief(value: unknown): Value {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return cut(typeof value === 'string' ? value : JSON.stringify(value))
}

const cut = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= valueLengthMax ? line : `${line.slice(0, valueLengthMax - 1)}…`
}

const shown = (value: Value | undefined): string => (value === null ? '(none)' : String(value))
