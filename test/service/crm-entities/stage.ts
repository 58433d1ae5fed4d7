// Entities for tests of rules.
import type { Company, Contact, CrmEntity, Deal } from '#contract/crm-entities.ts'
import { draft, applyPatch } from '../../../service/crm-entities/rules.ts'

const actor = { type: 'api_key', id: 'k1', name: 'Key' } as const
export const now = new Date('2026-01-02T03:04:05.678Z')
export const later = new Date('2026-02-03T00:00:00.000Z')
export const ids = {
  one: '0199f0a0-0000-7000-8000-000000000001',
  other: '0199f0a0-0000-7000-8000-000000000002',
  third: '0199f0a0-0000-7000-8000-000000000003',
}

type Given = Readonly<Record<string, unknown>>

export const placed = (given: Given, id = ids.one): CrmEntity =>
  draft(given, { id, workspaceId: '0199f0a0-0000-7000-8000-00000000000f', actor, now })
export const company = (given: Given = {}, id = ids.one): Company =>
  placed({ kind: 'company', name: 'Acme', ...given }, id) as Company
export const contact = (given: Given = {}, id = ids.one): Contact =>
  placed({ kind: 'contact', firstName: 'Ada', ...given }, id) as Contact
export const deal = (given: Given = {}, id = ids.one): Deal =>
  placed({ kind: 'deal', name: 'Big one', ...given }, id) as Deal
export const revised = <E extends CrmEntity>(before: E, patch: Given): E =>
  applyPatch(before, patch, { now: later }) as E
