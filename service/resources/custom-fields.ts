import { CustomFieldTarget, customFieldsPerTargetMax } from '#contract/custom-fields.ts'
import { newestChange } from './newest.ts'
import type { Source } from './source.ts'

export const customFields: Source = {
  uri: 'workspace://custom-fields',
  name: 'custom-fields',
  title: 'Custom fields',
  description: 'The keys that `customFields` of projects, tasks and CRM entities takes, with their types and options.',
  mimeType: 'application/json',
  kind: 'custom_fields',
  scope: 'workspaces:read',
  write: async (reader) => {
    const fields = await reader.db.customField.findMany({
      where: { workspaceId: reader.workspaceId, archivedAt: null },
      select: { target: true, key: true, label: true, type: true, options: true, required: true },
      orderBy: [{ target: 'asc' }, { key: 'asc' }],
      take: CustomFieldTarget.enum.length * customFieldsPerTargetMax,
    })
    return {
      text: JSON.stringify({ customFields: fields }),
      updatedAt: await newestChange(reader, ['custom_field']),
    }
  },
}
