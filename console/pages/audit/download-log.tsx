// The audit log as a file, with the filters of the page.
import type { ReactNode } from 'react'
import { addressOf } from '../../app/call.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuDownload } from '../../ui/menu.tsx'
import type { AuditFilter } from './audit-search.ts'
import { texts } from './texts.ts'

const formats = [
  { format: 'csv', label: texts.csv },
  { format: 'ndjson', label: texts.ndjson },
] as const

export function DownloadLog({ filter }: { readonly filter: AuditFilter }): ReactNode {
  const { id: workspaceId, may } = useWorkspace()
  if (!may('audit-entries:read')) return null
  return (
    <Menu trigger={<Button icon="download">{texts.download}</Button>}>
      {formats.map(({ format, label }) => (
        <MenuDownload key={format} href={addressOf('audit-entries.export', { format, ...filter }, workspaceId)}>
          {label}
        </MenuDownload>
      ))}
    </Menu>
  )
}
