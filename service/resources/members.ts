import { newestChange } from './newest.ts'
import type { Source } from './source.ts'

const membersMax = 200

export const members: Source = {
  uri: 'workspace://members',
  name: 'members',
  title: 'Members',
  description: `Who belongs to the workspace, by name; the first ${membersMax} of them. Everybody: GET /members.`,
  mimeType: 'application/json',
  kind: 'members',
  scope: 'members:read',
  write: async (reader) => {
    const where = { workspaceId: reader.workspaceId, deletedAt: null }
    const rows = await reader.db.member.findMany({
      where,
      select: { id: true, name: true, email: true, role: true, status: true },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
      take: membersMax,
    })
    const total = await reader.db.member.count({ where })
    return { text: JSON.stringify({ total, members: rows }), updatedAt: await newestChange(reader, ['member']) }
  },
}
