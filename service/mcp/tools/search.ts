// Finds objects, members and custom fields by words, each where its operation is. Custom fields are few, and their list
// has no search of its own: they are found by their key or label.
import { listCustomFields, type CustomField } from '#contract/custom-fields.ts'
import { Fault } from '#contract/faults/fault.ts'
import { listMembers } from '#contract/members.ts'
import { pageItemsMax } from '#contract/pagination.ts'
import { collectionSegments, covers, type CollectionSegment } from '#contract/scopes.ts'
import { search, searchHitsDefault, type SearchHit } from '#contract/search.ts'
import { searchTool, type SearchType } from '#contract/tools/context.ts'
import { maxTokensDefault } from '#contract/tools/tool.ts'
import { foldText } from '../../text/search-words.ts'
import { itemsThatFit } from './budget.ts'
import { rows } from './rendering.ts'
import { callOperation, type Exchange, type Runner } from './runner.ts'

type SearchArguments = {
  readonly q?: string
  readonly types?: readonly SearchType[]
  readonly includeArchived?: boolean
  readonly limit?: number
}

const none: Hits = { data: [], hasMore: false }
const snippetLengthMax = 120

export const runSearch: Runner = async (args, exchange) => {
  // The arguments have been validated against the tool's input.
  const { q, types, includeArchived = false, limit = searchHitsDefault } = args as SearchArguments
  const asked = { q, includeArchived, limit }
  const searched = types ?? readable(exchange)
  const segments = collectionSegments.filter((segment) => searched.includes(segment))
  assertWords(q, types, segments)
  const found = await Promise.all([
    q !== undefined && (segments.length > 0 || searched.length === 0)
      ? findObjects({ ...asked, q }, segments, exchange)
      : none,
    searched.includes('members') ? findMembers(asked, exchange) : none,
    searched.includes('custom-fields') ? findCustomFields(asked, exchange) : none,
  ])
  const hits = found.flatMap(({ data }) => data)
  const data = itemsThatFit(hits, (hit) => JSON.stringify(hit), maxTokensDefault)
  const hasMore = data.length < hits.length || found.some((each) => each.hasMore)
  return { structured: { data, hasMore }, text: textOf(data, hasMore, limit) }
}

const readable = ({ caller }: Exchange): readonly SearchType[] =>
  // The keys are the values of `types`.
  (Object.entries(searchTool.valueScopes?.['types'] ?? {}) as [SearchType, Parameters<typeof covers>[1]][])
    .filter(([, scope]) => covers(caller.principal.scopes, scope))
    .map(([type]) => type)

function assertWords(
  q: string | undefined,
  types: readonly SearchType[] | undefined,
  segments: readonly CollectionSegment[],
): void {
  if (q !== undefined || (types !== undefined && segments.length === 0)) return
  const detail = 'Say what to look for. Only members and custom-fields, named in `types`, are listed without it.'
  throw new Fault('validation_failed', `q: ${detail}`, { errors: [{ pointer: '/q', code: 'required', detail }] })
}

async function findObjects(
  asked: SearchRequest & { readonly q: string },
  types: readonly CollectionSegment[],
  exchange: Exchange,
): Promise<Hits> {
  const { body } = await callOperation(search, { ...asked, ...(types.length > 0 && { types: [...types] }) }, exchange)
  return { data: body.data.map(objectHit), hasMore: body.hasMore }
}

function objectHit({ type, id, identifier, kind, title, status, snippet }: SearchHit): Hit {
  const known = Object.entries({ identifier, kind, title, status, snippet: shortened(snippet) })
  const uri = `workspace://${type}/${id}`
  return { type, id, ...Object.fromEntries(known.filter(([, value]) => value !== null)), uri }
}

const shortened = (text: string | null): string | null =>
  text === null || text.length <= snippetLengthMax ? text : `${text.slice(0, snippetLengthMax - 1)}…`

async function findMembers({ q, limit }: SearchRequest, exchange: Exchange): Promise<Hits> {
  const input = { ...(q !== undefined && { q }), limit, sort: 'name' as const }
  const { body } = await callOperation(listMembers, input, exchange)
  const data = body.data.flatMap((member): Hit[] =>
    'name' in member
      ? [
          {
            type: 'members',
            id: member.id,
            name: member.name,
            email: member.email,
            role: member.role,
            status: member.status,
          },
        ]
      : [],
  )
  return { data, hasMore: body.page.hasMore }
}

/** Members and custom fields have fields of their own, so each kind has its rows. */
function textOf(data: readonly Hit[], hasMore: boolean, limit: number): string {
  const kinds = Map.groupBy(data, ({ type }) => (type === 'members' || type === 'custom-fields' ? type : 'objects'))
  const parts = [...kinds.values()].map((hits) => rows(hits.map(withoutUri)))
  const more = hasMore ? [`There is more: narrow \`q\` or \`types\`, or raise \`limit\` (${limit}).`] : []
  return [...(parts.length === 0 ? ['Nothing found.'] : parts), ...more].join('\n\n')
}

/** It is made of type and id, which the row has. */
const withoutUri = ({ uri: _uri, ...hit }: Hit): Readonly<Record<string, unknown>> => hit

type Hit = { readonly type: SearchType } & Readonly<Record<string, unknown>>
type Hits = { readonly data: readonly Hit[]; readonly hasMore: boolean }

/** `q` is undefined where all are listed. */
type SearchRequest = {
  readonly q: string | undefined
  readonly includeArchived: boolean
  readonly limit: number
}

const pagesMax = 5
const optionsMax = 20

async function findCustomFields({ q, includeArchived, limit }: SearchRequest, exchange: Exchange): Promise<Hits> {
  const all = await everyField(includeArchived, exchange)
  const words = foldText(q ?? '').split(/\s+/)
  const found = all.filter(({ key, label, target }) => {
    const text = foldText(`${key} ${label} ${target}`)
    return words.every((word) => text.includes(word))
  })
  return { data: found.slice(0, limit).map(hit), hasMore: found.length > limit }
}

async function everyField(includeArchived: boolean, exchange: Exchange): Promise<readonly CustomField[]> {
  const fields: CustomField[] = []
  let cursor: string | null = null
  for (let page = 0; page < pagesMax; page += 1) {
    const { data, page: read } = await pageAfter(cursor, includeArchived, exchange)
    fields.push(...data)
    cursor = read.nextCursor
    if (cursor === null) break
  }
  return fields
}

async function pageAfter(cursor: string | null, includeArchived: boolean, exchange: Exchange) {
  const input = { limit: pageItemsMax, includeArchived, ...(cursor !== null && { cursor }) }
  return (await callOperation(listCustomFields, input, exchange)).body
}

/** Values are set by `key`, in `customFields` of an object of that target. */
function hit({ key, target, type, label, required, options, archivedAt }: CustomField): Hit {
  const more = options.length - optionsMax
  return {
    type: 'custom-fields',
    key,
    target,
    valueType: type,
    label,
    ...(required && { required }),
    ...(options.length > 0 && { options: options.slice(0, optionsMax) }),
    ...(more > 0 && { moreOptions: more }),
    ...(archivedAt !== null && { archived: true }),
  }
}
