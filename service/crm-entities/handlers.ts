// What CRM entities have beside the operations of every collection, bound to its functions.
import type { EachCollection } from '../collection/definition.ts'
import type { Handlers } from '../execution/call.ts'
import { merge } from './merge.ts'

type Parts = { readonly eachCollection: EachCollection }

export const crmEntityHandlers = ({ eachCollection }: Parts) =>
  ({ 'crm-entities.merge': merge(eachCollection) }) satisfies Partial<Handlers>
