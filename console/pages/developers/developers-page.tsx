// The page for developers: URLs, samples, the configuration of MCP clients, downloads and documentation. It holds no
// secret.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { apiPrefix, mcpPath } from '#contract/route-paths.ts'
import { callSamples } from '../../app/call-samples.ts'
import { mcpClients } from '../../app/mcp-clients.ts'
import { useWorkspace } from '../../app/workspace.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyList } from '../../ui/copy-list.tsx'
import { Page, Section, Stack } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ApiStatus } from './api-status.tsx'
import { Documentation, Downloads } from './public-files.tsx'
import css from './developers-page.module.css'

export function DevelopersPage(): ReactNode {
  const { id: workspaceId, may } = useWorkspace()
  return (
    <Page
      title="Developers"
      guide="/docs/quick-start"
      about="Connect programs and AI assistants to this workspace."
      actions={<ApiStatus />}
    >
      <Section
        title="Make API requests"
        about="Each request is authenticated with an API key. You choose the scopes and the allowed IP addresses of each key."
        actions={may('api-keys:write') && <CreateKey workspaceId={workspaceId} />}
      >
        <CopyList
          values={[
            { name: 'Base URL', text: location.origin + apiPrefix, what: 'base URL' },
            { name: 'Workspace ID', text: workspaceId, what: 'workspace ID' },
          ]}
        />
        <Tabs label="Samples" tabs={sampleTabs()} />
      </Section>
      <Section
        title="Connect an AI assistant"
        about="Assistants use the same operations as MCP tools. Create a key that allows the surface MCP, with the scopes of the Agent preset."
      >
        <CopyList values={[{ name: 'MCP server', text: location.origin + mcpPath, what: 'MCP URL' }]} />
        <Tabs label="MCP clients" tabs={clientTabs()} />
      </Section>
      <Downloads />
      <Documentation />
    </Page>
  )
}

const CreateKey = ({ workspaceId }: { readonly workspaceId: string }): ReactNode => (
  <Link
    to="/w/$workspaceId/keys/new"
    params={{ workspaceId }}
    className={buttonClass({ size: 'small' })}
    data-shortcut="n"
  >
    Create key
  </Link>
)

const sampleTabs = () =>
  callSamples(location.origin, null).map(({ id, label, text }) => ({
    id,
    label,
    content: <CodeBlock text={text} what={`${label} sample`} />,
  }))

const clientTabs = () =>
  mcpClients(location.origin).map(({ id, label, steps }) => ({
    id,
    label,
    content: (
      <Stack>
        {steps.map(({ where, text }) => (
          <div key={where} className={css.step}>
            <p className={css.where}>{where}:</p>
            <CodeBlock text={text} what={`${label} configuration`} />
          </div>
        ))}
      </Stack>
    ),
  }))
