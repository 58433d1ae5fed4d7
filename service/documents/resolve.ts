// A document of an archived project takes no changes, and no document can be moved into or out of one.
import type { Document } from '#contract/documents.ts'
import type { Call } from '../execution/call.ts'
import { projectArchived } from '../faults/shared-faults.ts'

export async function resolve(next: Document, before: Document | null, { db }: Call): Promise<Document> {
  const ids = [next.projectId, before?.projectId ?? null].filter((id) => id !== null)
  if (ids.length === 0) return next
  const archived = await db.project.count({
    where: { workspaceId: next.workspaceId, id: { in: ids }, archivedAt: { not: null } },
  })
  if (archived === 0) return next
  throw projectArchived('documents')
}
