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
    <Page isNarrow title={`The secret of ${name}`}>
      <Notice tone="warn" title="It is shown here and nowhere else">
        <p>Every delivery is signed with it. Put it where your receiver reads its settings.</p>
      </Notice>
      <CodeBlock text={`WEBHOOK_SECRET=${secret}`} what="secret" />
      <Section
        title="A receiver to begin with"
        about="It takes deliveries on port 9000 and refuses what is not signed."
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
      <Section title="Try it" about="A test is signed and sent like any delivery, to this webhook alone.">
        <SendTest webhookId={webhookId} />
      </Section>
      <Checkbox label="I have stored the secret" isChecked={isStored} onChecked={setIsStored} />
      <div>
        <Button variant="primary" disabled={!isStored} onClick={onDone}>
          Go to the webhook
        </Button>
      </div>
    </Page>
  )
}
