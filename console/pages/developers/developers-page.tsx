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
import { texts } from './texts.ts'

export function DevelopersPage(): ReactNode {
  const { id: workspaceId, may } = useWorkspace()
  return (
    <Page
      title={texts.developers}
      guide="/docs/quick-start"
      about={texts.connectProgramsAndAiAssistants}
      actions={<ApiStatus />}
    >
      <Section
        title={texts.makeApiRequests}
        about={texts.eachRequestIsAuthenticatedWith}
        actions={may('api-keys:write') && <CreateKey workspaceId={workspaceId} />}
      >
        <CopyList
          values={[
            { name: texts.baseUrl, text: location.origin + apiPrefix, what: texts.baseUrlCopied },
            { name: texts.workspaceId, text: workspaceId, what: texts.workspaceIdCopied },
          ]}
        />
        <Tabs label={texts.samples} tabs={sampleTabs()} />
      </Section>
      <Section title={texts.connectAnAiAssistant} about={texts.assistantsUseTheSameOperations}>
        <CopyList values={[{ name: texts.mcpServer, text: location.origin + mcpPath, what: texts.mcpUrl }]} />
        <Tabs label={texts.mcpClients} tabs={clientTabs()} />
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
    {texts.createKey}
  </Link>
)

const sampleTabs = () =>
  callSamples(location.origin, null).map(({ id, label, text }) => ({
    id,
    label,
    content: <CodeBlock text={text} what={texts.sample(label)} />,
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
            <CodeBlock text={text} what={texts.configuration(label)} />
          </div>
        ))}
      </Stack>
    ),
  }))
