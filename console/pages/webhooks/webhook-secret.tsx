// The signing secret of a webhook, a new or a rotated one, with receivers that check signatures and a test delivery.
import type { ReactNode } from 'react'
import { SecretOnce, environmentFile } from '../../app/secret-once.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Section } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { receiverSamples } from './receiver-samples.ts'
import { SendTest } from './send-test.tsx'
import { texts } from './texts.tsx'

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
    title={texts.signingSecretOf(name)}
    name={name}
    secret={secret}
    file={environmentFile({ WEBHOOK_SECRET: secret })}
    ifLost={texts.allDeliveriesAreSignedWith}
    done={texts.viewWebhook}
    onDone={onDone}
  >
    <Section title={texts.sampleEndpoint} about={texts.theSampleListensOnPort}>
      <Tabs
        label={texts.language}
        tabs={receiverSamples.map(({ id, label, text }) => ({
          id,
          label,
          content: <CodeBlock text={text} what={texts.endpointIn(label)} />,
        }))}
      />
    </Section>
    <Section title={texts.tryIt} about={texts.testDeliveriesAreSignedAnd}>
      <SendTest webhookId={webhookId} />
    </Section>
  </SecretOnce>
)
