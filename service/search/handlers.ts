// Search bound to its function.
import type { Handlers } from '../execution/handler.ts'
import { query } from './query.ts'

export const searchHandlers = {
  'search.query': query,
} satisfies Partial<Handlers>
