// What crm-entities have beside the operations of every collection, bound to its functions.
import type { Handlers } from '../execution/handler.ts'
import { merge } from './merge.ts'

export const crmEntityHandlers = {
  'crm-entities.merge': merge,
} satisfies Partial<Handlers>
