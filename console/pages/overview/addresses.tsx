import type { ReactNode } from 'react'
import { apiPrefix, mcpPath } from '#contract/route-paths.ts'
import { CopyList } from '../../ui/copy-list.tsx'

/** The console comes from the gateway, so both are at its own address. */
export const Addresses = ({ workspaceId }: { readonly workspaceId: string }): ReactNode => (
  <CopyList
    values={[
      { name: 'Base URL', text: location.origin + apiPrefix, what: 'base URL' },
      { name: 'MCP server', text: location.origin + mcpPath, what: 'MCP URL' },
      { name: 'Workspace ID', text: workspaceId, what: 'workspace ID' },
    ]}
  />
)
