// Rows that the tables accept, for tests that look at the tables themselves.
import { randomUUID } from 'node:crypto'
import type { Prisma } from '#prisma/generated/client.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const by = { type: 'system', id: 'test', name: 'Test' }

export function workspaceRow(
  changes: Partial<Prisma.WorkspaceUncheckedCreateInput> = {},
): Prisma.WorkspaceUncheckedCreateInput {
  const id = randomUUID()
  return {
    id,
    name: 'Acme',
    slug: `acme-${id.slice(0, 8)}`,
    timeZone: 'UTC',
    defaultCurrency: 'EUR',
    sandbox: false,
    requireIpAllowlist: false,
    requireExpiry: false,
    allowUnboundKeys: false,
    version: 1,
    createdAt: at,
    updatedAt: at,
    ...changes,
  }
}

export function memberRow(workspaceId: string): Prisma.MemberUncheckedCreateInput {
  const id = randomUUID()
  const origin = { version: 1, createdAt: at, updatedAt: at, createdBy: by, updatedBy: by }
  return { workspaceId, id, name: 'Ada', email: `${id}@example.com`, role: 'member', status: 'active', ...origin }
}

export function projectRow(
  workspaceId: string,
  changes: Partial<Prisma.ProjectUncheckedCreateInput> = {},
): Prisma.ProjectUncheckedCreateInput {
  return {
    workspaceId,
    id: randomUUID(),
    key: 'ACME',
    name: 'Website',
    status: 'planned',
    priority: 'none',
    labels: [],
    version: 1,
    createdAt: at,
    updatedAt: at,
    createdBy: by,
    updatedBy: by,
    ...changes,
  }
}

export function companyRow(
  workspaceId: string,
  changes: Partial<Prisma.CrmEntityUncheckedCreateInput> = {},
): Prisma.CrmEntityUncheckedCreateInput {
  return {
    workspaceId,
    id: randomUUID(),
    kind: 'company',
    name: 'Acme',
    labels: [],
    phones: [],
    version: 1,
    createdAt: at,
    updatedAt: at,
    createdBy: by,
    updatedBy: by,
    ...changes,
  }
}
