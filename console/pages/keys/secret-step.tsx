// The secret of a key, a new or a rotated one, with the samples that the key can be used with.
import type { ReactNode } from 'react'
import { callSamples, keyVariable } from '../../app/call-samples.ts'
import { claudeCodeCommand } from '../../app/mcp-clients.ts'
import { SecretOnce, environmentFile } from '../../app/secret-once.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Section } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TryIt } from './try-it.tsx'
import { texts } from './texts.tsx'

export type MadeKey = {
  readonly id: string
  readonly name: string
  readonly secret: string
  readonly surfaces: readonly string[]
}

export const SecretStep = ({
  made,
  title,
  onDone,
}: {
  readonly made: MadeKey
  readonly title: string
  readonly onDone: () => void
}): ReactNode => (
  <SecretOnce
    title={title}
    name={made.name}
    secret={made.secret}
    file={environmentFile({ WORKSPACE_API_URL: location.origin, [keyVariable]: made.secret })}
    ifLost={texts.ifYouLoseTheSecret}
    done={texts.done}
    onDone={onDone}
  >
    <Section title={texts.theKeyInUse} about={texts.theSamplesContainTheSecret}>
      <Tabs label={texts.samples} tabs={tabsFor(made)} />
    </Section>
    {made.surfaces.includes('http') && <TryIt secret={made.secret} />}
  </SecretOnce>
)

/** Of the surfaces that the key has: any other would deny it. */
const tabsFor = ({ secret, surfaces }: MadeKey) =>
  [
    ...(surfaces.includes('http') ? callSamples(location.origin, secret) : []),
    ...(surfaces.includes('mcp')
      ? [{ id: 'mcp', label: texts.mcp, text: claudeCodeCommand(location.origin, secret) }]
      : []),
  ].map(({ id, label, text }) => ({ id, label, content: <CodeBlock text={text} what={texts.sample(label)} /> }))
