// Rows that the tables accept, for tests that look at the tables themselves.
import { randomUUID } from 'node:crypto'
import type { Prisma } from '#prisma/generated/client.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const by = { type: 'system', id: 'test', name: 'Test' }
const times = { version: 1, createdAt: at, updatedAt: at }
const origin = { ...times, createdBy: by, updatedBy: by }

type Workspace = Prisma.WorkspaceUncheckedCreateInput
type Project = Prisma.ProjectUncheckedCreateInput
type CrmEntity = Prisma.CrmEntityUncheckedCreateInput

export function workspaceRow(changes: Partial<Workspace> = {}): Workspace {
  const id = randomUUID()
  const named = { name: 'Acme', slug: `acme-${id.slice(0, 8)}`, timeZone: 'UTC', defaultCurrency: 'EUR' }
  const rules = { sandbox: false, requireIpAllowlist: false, requireExpiry: false, allowUnboundKeys: false }
  return { id, ...named, ...rules, ...times, ...changes }
}

export function memberRow(workspaceId: string): Prisma.MemberUncheckedCreateInput {
  const id = randomUUID()
  return { workspaceId, id, name: 'Ada', email: `${id}@example.com`, role: 'member', status: 'active', ...origin }
}

export function projectRow(workspaceId: string, changes: Partial<Project> = {}): Project {
  const state = { key: 'ACME', name: 'Website', status: 'planned', priority: 'none', labels: [] }
  return { workspaceId, id: randomUUID(), ...state, ...origin, ...changes }
}

export function companyRow(workspaceId: string, changes: Partial<CrmEntity> = {}): CrmEntity {
  return { workspaceId, id: randomUUID(), kind: 'company', name: 'Acme', labels: [], phones: [], ...origin, ...changes }
}
