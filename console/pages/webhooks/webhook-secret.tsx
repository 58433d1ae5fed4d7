// The signing secret of a webhook, a new or a rotated one, with receivers that check signatures and a test delivery.
import type { ReactNode } from 'react'
import { SecretOnce, environmentFile } from '../../app/secret-once.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Section } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { receiverSamples } from './receiver-samples.ts'
import { SendTest } from './send-test.tsx'

export const WebhookSecret = ({
  webhookId,
  name,
  secret,
  onDone,
}: {
  readonly webhookId: string
  readonly name: string
  readonly secret: string
  onDone(): void
}): ReactNode => (
  <SecretOnce
    title={`Signing secret of ${name}`}
    name={name}
    secret={secret}
    file={environmentFile({ WEBHOOK_SECRET: secret })}
    ifLost="All deliveries are signed with this secret. If you lose it, rotate the secret to create a new one."
    done="View webhook"
    onDone={onDone}
  >
    <Section
      title="Sample endpoint"
      about="The sample listens on port 9000 and rejects requests without a valid signature. It reads the secret from WEBHOOK_SECRET."
    >
      <Tabs
        label="Language"
        tabs={receiverSamples.map(({ id, label, text }) => ({
          id,
          label,
          content: <CodeBlock text={text} what={`endpoint in ${label}`} />,
        }))}
      />
    </Section>
    <Section title="Try it" about="Test deliveries are signed and sent to this webhook only.">
      <SendTest webhookId={webhookId} />
    </Section>
  </SecretOnce>
)
