// Makes a key: its name, what it may do, its limits, and where it may be used from. Then the secret, once.
import { Link, useNavigate } from '@tanstack/react-router'
import { input } from 'virtual:input/api-keys.create'
import { useState, type ReactNode } from 'react'
import { Allowed } from '../../app/allowed.tsx'
import { useForm } from '../../app/use-form.ts'
import { useAnswer, useChange, useWorkspace } from '../../app/workspace.ts'
import { Form } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { KeyFields } from './key-fields.tsx'
import { emptyForm, keyInputOf, keyMistakes } from './key-form.ts'
import { SecretStep, type MadeKey } from './secret-step.tsx'
import { texts } from './texts.tsx'

export const NewKeyPage = (): ReactNode => (
  <Allowed scope="api-keys:write" title={texts.createKey}>
    <CreateOnce />
  </Allowed>
)

function CreateOnce(): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const [made, setMade] = useState<MadeKey | null>(null)
  if (made === null) return <NewKey onMade={setMade} />
  return (
    <SecretStep
      made={made}
      title={texts.keyCreated}
      onDone={() => void navigate({ to: '/w/$workspaceId/keys/$id', params: { workspaceId, id: made.id } })}
    />
  )
}

function NewKey({ onMade }: { readonly onMade: (made: MadeKey) => void }): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const policy = useAnswer('workspaces.get', { id: workspaceId }).data?.apiPolicy ?? null
  const { mutateAsync: create } = useChange('api-keys.create')
  const [openedAtMs] = useState(() => Date.now())
  const form = useForm({
    initial: emptyForm,
    schema: input,
    inputOf: (values) => keyInputOf(values, openedAtMs),
    check: (values) => keyMistakes(values, policy, openedAtMs),
    send: async (values) => onMade(await create(keyInputOf(values, Date.now()))),
  })
  return (
    <Page
      isNarrow
      title={texts.createKey}
      guide="/docs/authentication"
      above={
        <Link to="/w/$workspaceId/keys" params={{ workspaceId }}>
          {texts.apiKeys}
        </Link>
      }
    >
      <Form
        form={form}
        submit={texts.createKey}
        onCancel={() => void navigate({ to: '/w/$workspaceId/keys', params: { workspaceId }, ignoreBlocker: true })}
      >
        <KeyFields isNew form={form} nowMs={openedAtMs} />
      </Form>
    </Page>
  )
}
