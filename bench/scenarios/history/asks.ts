// What is asked of a history: each filter by itself, with a value that much, little and nothing has, and those that are
// combined on the pages of the workspace settings. Each as its first page, and as a page deep in.
import { deriveKey, sign, verify } from '#runtime/sealing-and-signing.ts'
import { few, frequentText, half, largeRequest, person, rareText, some } from './fill.ts'

export type Ask = { readonly list: List; readonly query: string }
export type List = 'events' | 'events/search' | 'audit-entries'

const nothing = '01900000-0000-7000-8000-0000000000ff'
const texts = [frequentText, rareText, 'nowhere'].map((text) => `search=${text}`)
const whose = [half, some, few, nothing]
const requests = ['r4711', largeRequest, 'nowhere'].map((request) => `requestId=${request}`)

const ofEvents = [
  '',
  ...whose.map((id) => `resourceId=${id}`),
  ...[...whose, person].map((id) => `actorId=${id}`),
  ...texts,
  'eventTypes=tasks.updated',
  'eventTypes=projects.deleted',
  `eventTypes=projects.deleted&actorId=${half}`,
  `eventTypes=members.*&actorId=${half}`,
  `search=nowhere&actorId=${half}`,
  `search=nowhere&resourceId=${half}`,
  `resourceId=${half}&actorId=${few}`,
  `resourceId=${half}&actorId=${person}`,
]
const ofEntries = [
  '',
  ...whose.map((id) => `targetId=${id}`),
  ...[...whose, person].map((id) => `actorId=${id}`),
  ...texts,
  ...requests,
  ...['console', 'cli', 'mcp'].map((surface) => `surface=${surface}`),
  ...['success', 'denied', 'failed'].map((outcome) => `outcome=${outcome}`),
  ...['api-keys.update', 'webhooks.delete', 'webhooks.create'].map((action) => `action=${action}`),
  `actorId=${half}&surface=cli`,
  `actorId=${half}&action=webhooks.create`,
  `targetId=${half}&search=nowhere`,
]
const named = new Map([
  [half, 'half'],
  [some, 'some'],
  [few, 'few'],
  [person, 'person'],
  [nothing, 'none'],
])

export const asks: readonly Ask[] = [
  ...ofEvents.map((query): Ask => ({ list: 'events', query })),
  ...[...ofEvents, ...requests].map((query): Ask => ({ list: 'events/search', query })),
  ...ofEntries.map((query): Ask => ({ list: 'audit-entries', query })),
]

/** In words: ids by how much they have. */
export function nameOf({ list, query }: Ask): string {
  const text = [...named].reduce((words, [id, name]) => words.replaceAll(id, name), query)
  return `${list}, ${text === '' ? 'no filter' : text.replaceAll('&', ' ')}`
}

type Page = { readonly page?: { readonly nextCursor: string | null } }

/**
 * The query of a page from this position on; null where the first page was the only one. A genuine cursor gets another
 * position, and is signed anew with the deployment's secret.
 */
export function deepQuery({ list, query }: Ask, first: Page, position: number, internalSecret: string): string | null {
  const given = query === '' ? '' : `${query}&`
  if (list === 'events') return `${given}after=${position}`
  const cursor = first.page?.nextCursor
  if (!cursor) return null
  const key = deriveKey(internalSecret, 'cursors')
  const genuine = verify(key, cursor) as object
  return `${given}cursor=${sign(key, { ...genuine, value: String(position) })}`
}
