// The secret of a key, shown once: it is in this component's props alone, and gone with them. No store, no address and
// no cache has it.
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { callSamples, keyVariable } from '../../app/call-samples.ts'
import { claudeCodeCommand } from '../../app/mcp-clients.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/failure-notice.tsx'
import { Page, Row, Section } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import css from './secret-step.module.css'
import { TryIt } from './try-it.tsx'

export type MadeKey = {
  readonly id: string
  readonly name: string
  readonly secret: string
  readonly surfaces: readonly string[]
}

export function SecretStep({
  made,
  title,
  onDone,
}: {
  readonly made: MadeKey
  readonly title: string
  readonly onDone: () => void
}): ReactNode {
  const [isStored, setStored] = useState(false)
  // It comes in place of a long form: one begins at its start.
  useEffect(() => {
    scrollTo(0, 0)
    document.getElementById('main')?.focus()
  }, [])
  useBlocker({
    shouldBlockFn: () =>
      !isStored && !confirm('The secret will not be shown again. Leave this page without storing it?'),
    enableBeforeUnload: !isStored,
  })
  return (
    <Page
      isNarrow
      title={title}
      about={`The secret of “${made.name}” is shown only once. Store it in a safe place now.`}
    >
      <div className={css.secret}>
        <code className={css.text} data-secret>
          {made.secret}
        </code>
        <Row>
          <CopyButton variant="primary" text={made.secret} what="secret" />
          <Button icon="download" onClick={() => download(made)}>
            Download .env
          </Button>
        </Row>
      </div>
      <Section title="Use the key" about="The samples contain the secret.">
        <Tabs label="Samples" tabs={tabsFor(made)} />
      </Section>
      {made.surfaces.includes('http') && <TryIt secret={made.secret} />}
      <Section title="Before you continue">
        <Notice tone="warn" title="The secret cannot be shown again">
          <p>If you lose the secret, rotate the key to create a new one.</p>
        </Notice>
        <Checkbox label="I have stored the secret" isChecked={isStored} onChecked={setStored} />
        <Row>
          <Button variant="primary" disabled={!isStored} onClick={onDone}>
            Done
          </Button>
        </Row>
      </Section>
    </Page>
  )
}

const tabsFor = ({ secret }: MadeKey) =>
  [
    ...callSamples(location.origin, secret),
    { id: 'mcp', label: 'MCP', text: claudeCodeCommand(location.origin, secret) },
  ].map(({ id, label, text }) => ({ id, label, content: <CodeBlock text={text} what={`${label} sample`} /> }))

function download({ secret }: MadeKey): void {
  const text = `WORKSPACE_API_URL=${location.origin}\n${keyVariable}=${secret}\n`
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href: url, download: '.env' }).click()
  URL.revokeObjectURL(url)
}
