// What CRM entities have beside the operations of every collection, bound to its functions.
import type { EachCollection } from '../collection/each-collection.ts'
import type { Handlers } from '../execution/handler.ts'
import { merge } from './merge.ts'

type CrmEntityDeps = { readonly eachCollection: EachCollection }

export const crmEntityHandlers = ({ eachCollection }: CrmEntityDeps) =>
  ({ 'crm-entities.merge': merge(eachCollection) }) satisfies Partial<Handlers>
