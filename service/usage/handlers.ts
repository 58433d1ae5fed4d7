import type { Handlers } from '../execution/call.ts'
import { overview } from './overview.ts'

export const usageHandlers = { 'usage.overview': overview } satisfies Partial<Handlers>
