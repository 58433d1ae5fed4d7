// Search bound to its function.
import type { EachCollection } from '../collection/each-collection.ts'
import type { Handlers } from '../execution/handler.ts'
import { query } from './query.ts'

type Parts = { readonly eachCollection: EachCollection }

export const searchHandlers = ({ eachCollection }: Parts) =>
  ({ 'search.query': query(eachCollection) }) satisfies Partial<Handlers>
