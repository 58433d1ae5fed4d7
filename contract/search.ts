// Search over the kinds of object that have a title and a text.
import { Type, type Static } from 'typebox'
import { Id, SearchText, Timestamp, closed, nullable } from './shared-fields.ts'
import { operation, tag } from './operation.ts'
import { collectionSegments } from './scopes.ts'

export const searchHitsMax = 50

export const searchHitsDefault = 20

export const searchTag = tag('search', 'One query over projects, tasks, CRM entities and documents.')

const Kind = Type.Enum([...collectionSegments])

export const snippetLengthMax = 200

const SearchHit = closed({
  type: Kind,
  id: Id,
  title: Type.String({ maxLength: 255, description: 'Name or title.' }),
  identifier: nullable(Type.String({ maxLength: 21, description: 'A project’s key, a task’s identifier.' })),
  kind: nullable(Type.String({ maxLength: 20, description: 'Of a CRM entity.' })),
  status: nullable(Type.String({ maxLength: 20, description: 'Of a deal: its stage.' })),
  score: Type.Number({ minimum: 0, maximum: 1, description: 'Comparable only within one response.' }),
  snippet: nullable(
    Type.String({
      maxLength: snippetLengthMax,
      description: 'An excerpt with the matched words in `**`. Null if only the title matches.',
    }),
  ),
  updatedAt: Timestamp,
})
export type SearchHit = Static<typeof SearchHit>

export const search = operation({
  name: 'search.query',
  http: 'GET /search',
  summary: 'Search',
  description:
    'Projects, tasks, CRM entities and documents that the key may read, best first. Every word must begin a word of title or text, or stand anywhere in the title; Chinese, Japanese, Korean and Thai are found anywhere in both. Case and accents do not matter. `"annual report"` finds these words one after the other. A title is also found when it is misspelt, a project or task by its key or identifier, and a contact by a telephone number. New and changed objects are found at once.',
  scope: null,
  input: closed({
    q: SearchText,
    types: Type.Optional(
      Type.Array(Kind, {
        minItems: 1,
        maxItems: collectionSegments.length,
        uniqueItems: true,
        description: 'Default: all that the key may read.',
      }),
    ),
    includeArchived: Type.Optional(
      Type.Boolean({ default: false, description: 'Archived projects and archived documents as well.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: searchHitsMax, default: searchHitsDefault })),
  }),
  output: closed({ data: Type.Array(SearchHit, { maxItems: searchHitsMax }), hasMore: Type.Boolean() }),
  success: 200,
  errors: ['insufficient_scope'],
})
