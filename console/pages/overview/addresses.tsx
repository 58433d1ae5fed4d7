import type { ReactNode } from 'react'
import { apiPrefix, mcpPath } from '#contract/route-paths.ts'
import { CopyLine } from '../../ui/code-block.tsx'
import css from './overview-page.module.css'

/** The console comes from the gateway, so both are at its own address. */
export function Addresses({ workspaceId }: { readonly workspaceId: string }): ReactNode {
  const addresses = [
    { name: 'Base URL', text: location.origin + apiPrefix, what: 'base URL' },
    { name: 'MCP server', text: location.origin + mcpPath, what: 'MCP URL' },
    { name: 'Workspace id', text: workspaceId, what: 'workspace id' },
  ]
  return (
    <dl className={css.addresses}>
      {addresses.map(({ name, text, what }) => (
        <div key={name} className={css.address}>
          <dt className={css.name}>{name}</dt>
          <dd>
            <CopyLine text={text} what={what} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
