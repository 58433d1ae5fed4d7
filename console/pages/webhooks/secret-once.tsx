// The secret of a webhook, which is shown here and never again: it stands in this component alone, and goes with it.
import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Notice } from '../../ui/failure-notice.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { receiverSamples } from './receiver-samples.ts'
import { SendTest } from './send-test.tsx'

export function SecretOnce({
  webhookId,
  name,
  secret,
  onDone,
}: {
  readonly webhookId: string
  readonly name: string
  readonly secret: string
  onDone(): void
}): ReactNode {
  const [isStored, setIsStored] = useState(false)
  return (
    <Page isNarrow title={`Signing secret of ${name}`}>
      <Notice tone="warn" title="The secret is shown only once">
        <p>All deliveries are signed with this secret. Store it in the configuration of your receiver.</p>
      </Notice>
      <CodeBlock text={`WEBHOOK_SECRET=${secret}`} what="secret" />
      <Section
        title="Sample receiver"
        about="The sample listens on port 9000 and rejects requests without a valid signature."
      >
        <Tabs
          label="Language"
          tabs={receiverSamples.map(({ id, label, text }) => ({
            id,
            label,
            content: <CodeBlock text={text} what={`receiver in ${label}`} />,
          }))}
        />
      </Section>
      <Section title="Try it" about="Test deliveries are signed and sent to this webhook only.">
        <SendTest webhookId={webhookId} />
      </Section>
      <Checkbox label="I have stored the secret" isChecked={isStored} onChecked={setIsStored} />
      <div>
        <Button variant="primary" disabled={!isStored} onClick={onDone}>
          View webhook
        </Button>
      </div>
    </Page>
  )
}
