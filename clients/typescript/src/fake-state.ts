// What the fake server holds, and how it answers the calls that it knows.
import type { ApiEvent } from './feed.ts'
import { collections, pageItemsMax, type OperationName } from './operations.ts'

export type FakeObject = { id: string; object: string; version: number; deletedAt: string | null } & Record<
  string,
  unknown
>
export type Answer = { readonly status: number; readonly body: unknown }

export class Refusal extends Error {
  readonly code: string
  readonly status: number
  readonly more: object
  constructor(status: number, code: string, detail: string, more: object = {}) {
    super(detail)
    this.status = status
    this.code = code
    this.more = more
  }
}

const pageDefault = 50
/** A follower of the feed asks again at once. */
const emptyFeedMs = 20

type Input = Readonly<Record<string, unknown>>
type OwnId = { source: string; id: string }
const shownOnly = new Set([
  'limit',
  'cursor',
  'sort',
  'fields',
  'expand',
  'includeDeleted',
  'includeArchived',
  'includeTotal',
])

export class State {
  readonly #objects = new Map<string, FakeObject[]>()
  readonly events: ApiEvent[] = []

  of(collection: string): FakeObject[] {
    if (collections[collection] === undefined) throw unknown(collection)
    return this.#objects.get(collection) ?? []
  }

  add(collection: string, fields: Record<string, unknown>): FakeObject {
    const now = new Date().toISOString()
    const made = { createdAt: now, updatedAt: now, externalIds: [], customFields: {} }
    const always = { object: collections[collection]?.object ?? '', version: 1, deletedAt: null }
    const object: FakeObject = { id: crypto.randomUUID(), ...always, ...made, ...fields }
    this.#objects.set(collection, [...this.of(collection), object])
    return object
  }

  async answer(operation: OperationName, input: Input): Promise<Answer> {
    const [collection = '', action = ''] = operation.split('.')
    if (operation === 'events.list') return { status: 200, body: await this.#feed(input) }
    if (collections[collection] === undefined) throw unknown(operation)
    if (action === 'list') return { status: 200, body: this.#list(collection, input) }
    if (action === 'count')
      return { status: 200, body: { total: this.#matching(collection, input).length, groups: [], moreGroups: 0 } }
    if (action === 'batch')
      return { status: 200, body: { results: this.#batch(collection, input['items'] as Input[]) } }
    return this.#change(collection, action, input)
  }

  #change(collection: string, action: string, input: Input): Answer {
    const {
      id: _id,
      source,
      externalId,
      expectedVersion,
      createOnly,
      fields: _fields,
      expand: _expand,
      ...data
    } = input
    if (action === 'create') return { status: 201, body: this.#made(collection, data) }
    const own = source === undefined ? null : { source: textOf(source), id: textOf(externalId) }
    const found = this.of(collection).find((each) => (own === null ? each.id === input['id'] : hasOwnId(each, own)))
    if (action === 'upsert' && own !== null && found === undefined) {
      const made = this.#made(collection, {
        ...data,
        externalSource: own.source,
        externalId: own.id,
        externalIds: [own],
      })
      return { status: 201, body: { ...made, outcome: 'created', matchedBy: null } }
    }
    if (
      found === undefined ||
      (found.deletedAt !== null && action !== 'restore' && input['includeDeleted'] === undefined)
    )
      throw new Refusal(404, 'not_found', `No ${collections[collection]?.object} has this ID.`)
    if (action === 'get' || action === 'get-by-external-id') return { status: 200, body: found }
    if (expectedVersion !== undefined && expectedVersion !== found.version)
      throw new Refusal(412, 'version_mismatch', `The object is now at version ${found.version}.`, {
        currentVersion: found.version,
      })
    if (createOnly === true)
      throw new Refusal(412, 'precondition_failed', 'The object exists.', { currentVersion: found.version })
    if (action === 'delete' || action === 'delete-by-external-id') {
      this.#changed(collection, 'deleted', found, { deletedAt: new Date().toISOString() })
      return { status: 204, body: null }
    }
    if (action === 'restore')
      return { status: 200, body: this.#changed(collection, 'restored', found, { deletedAt: null }) }
    if (action !== 'update' && action !== 'upsert') throw unknown(`${collection}.${action}`)
    const { onMatch: _on, restore: _restore, match: _match, ...fields } = data
    const body = this.#changed(collection, 'updated', found, fields)
    return { status: 200, body: action === 'upsert' ? { ...body, outcome: 'updated', matchedBy: 'externalId' } : body }
  }

  #batch(collection: string, items: readonly Input[]): unknown[] {
    return items.map(({ action, data, externalSource, ...rest }, index) => {
      const upserts = action === 'upsert'
      const named = externalSource === undefined ? rest : { ...rest, source: externalSource }
      const isByOwnId = externalSource !== undefined && !upserts
      try {
        const how = isByOwnId && action === 'delete' ? 'delete-by-external-id' : String(action)
        const { status, body } = this.#change(collection, how, { ...(data as Input), ...named })
        return { index, status, data: body }
      } catch (thrown) {
        if (!(thrown instanceof Refusal)) throw thrown
        const { status, code, message: detail } = thrown
        return { index, status, problem: { status, code, detail, instance: `#/items/${index}`, requestId: 'fake' } }
      }
    })
  }

  #made(collection: string, data: Input): FakeObject {
    const object = this.add(collection, data)
    this.#record(collection, 'created', object)
    return object
  }

  #changed(collection: string, change: string, object: FakeObject, fields: Input): FakeObject {
    // The one that was answered before stays as it was.
    const next: FakeObject = { ...object, ...fields, version: object.version + 1, updatedAt: new Date().toISOString() }
    this.#objects.set(
      collection,
      this.of(collection).map((each) => (each === object ? next : each)),
    )
    this.#record(collection, change, next)
    return next
  }

  #record(collection: string, change: string, data: FakeObject): void {
    const sequence = this.events.length + 1
    const resource = { type: collection, id: data.id, kind: null, version: data.version }
    const actor = { type: 'api_key', id: 'fake', name: 'Fake' }
    const event = {
      id: crypto.randomUUID(),
      object: 'event',
      type: `${collection}.${change}`,
      sequence,
      actor,
      resource,
    }
    const more = { workspaceId: 'fake', occurredAt: data['updatedAt'], requestId: 'fake', data, changes: {} }
    this.events.push({ ...event, ...more } as unknown as ApiEvent)
  }

  #matching(collection: string, input: Input): FakeObject[] {
    const filters = Object.entries(input).filter(([name]) => !shownOnly.has(name))
    const visible = this.of(collection).filter(
      ({ deletedAt }) => deletedAt === null || input['includeDeleted'] === 'true',
    )
    const asked = filters.map(([name, value]) => [fieldOf(visible, name), String(value)] as const)
    return visible.filter((object) => asked.every(([field, value]) => fits(object, field, value)))
  }

  #list(collection: string, input: Input): unknown {
    const limit = Math.min(Number(input['limit'] ?? pageDefault), pageItemsMax)
    const begin = Number(input['cursor'] ?? 0)
    const found = sorted(this.#matching(collection, input), textOf(input['sort'] ?? '-createdAt'))
    const hasMore = begin + limit < found.length
    const page = { limit, nextCursor: hasMore ? String(begin + limit) : null, hasMore }
    return {
      data: found.slice(begin, begin + limit),
      page: { ...page, ...(input['includeTotal'] === 'true' && { total: found.length }) },
    }
  }

  async #feed({ after = '0', occurredAfter, limit = pageDefault, eventTypes = '*' }: Input): Promise<unknown> {
    const patterns = String(eventTypes).split(',')
    const isAsked = (type: string) =>
      patterns.some(
        (each) => each === '*' || each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))),
      )
    const isLater = ({ sequence, occurredAt }: ApiEvent) =>
      occurredAfter === undefined ? sequence > Number(after) : occurredAt > textOf(occurredAfter)
    const later = this.events.filter(isLater)
    const read = later.slice(0, Number(limit))
    if (read.length === 0) await new Promise((resolve) => setTimeout(resolve, emptyFeedMs))
    const lastSequence = read.at(-1)?.sequence ?? (occurredAfter === undefined ? Number(after) : this.events.length)
    return { data: read.filter(({ type }) => isAsked(type)), lastSequence, hasMore: later.length > read.length }
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const unknown = (what: string): Refusal =>
  new Refusal(404, 'route_not_found', `The fake server does not know ${what}: say what it answers by \`answer\`.`)

const hasOwnId = ({ externalIds }: FakeObject, own: OwnId): boolean =>
  (externalIds as OwnId[]).some(({ source, id }) => source === own.source && id === own.id)

/** The field that a filter asks for: `assigneeId` is one of `assigneeIds`. Some objects may lack it. */
function fieldOf(objects: readonly FakeObject[], name: string): string {
  const fields = name === 'ids' ? ['id'] : [name, `${name}s`]
  const found = fields.find((field) => objects.some((object) => field in object))
  if (found === undefined && objects.length > 0)
    throw new Refusal(400, 'invalid_parameter', `The fake server does not filter by ${name}.`)
  return found ?? name
}

/** Any of the values, or with `!` before them none. */
function fits(object: FakeObject, field: string, text: string): boolean {
  const held = new Set([object[field] ?? []].flat().map(textOf))
  const asked = text.split(/(?<!\\),/).map((each) => each.replace(/\\(.)/g, '$1'))
  const isNegated = asked.every((each) => each.startsWith('!'))
  const values = isNegated ? asked.map((each) => each.slice(1)) : asked
  return values.some((value) => held.has(value)) !== isNegated
}

function sorted(objects: readonly FakeObject[], sort: string): FakeObject[] {
  const fields = sort.split(',').map((each) => ({ name: each.replace(/^-/, ''), sign: each.startsWith('-') ? -1 : 1 }))
  const compared = (a: FakeObject, b: FakeObject): number => {
    for (const { name, sign } of fields) {
      const [left, right] = [textOf(a[name] ?? ''), textOf(b[name] ?? '')]
      if (left !== right) return left < right ? -sign : sign
    }
    return 0
  }
  return objects.toSorted(compared)
}
