// Creates a webhook, then shows its signing secret once.
import { Link, useNavigate } from '@tanstack/react-router'
import { input } from 'virtual:input/webhooks.create'
import { useState, type ReactNode } from 'react'
import type { Output } from '#contract/operation.ts'
import type { OperationNamed } from '#contract/api.ts'
import { Allowed } from '../../app/allowed.tsx'
import { useForm } from '../../app/use-form.ts'
import { useChange, useWorkspace } from '../../app/workspace.ts'
import { Form } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { WebhookFields } from './webhook-fields.tsx'
import { blank, inputOf, mistakesInForm, type WebhookValues } from './webhook-form.ts'
import { WebhookSecret } from './webhook-secret.tsx'
import { texts } from './texts.tsx'

type Made = Output<OperationNamed<'webhooks.create'>>

export const NewWebhookPage = (): ReactNode => (
  <Allowed scope="webhooks:write" title={texts.createWebhook}>
    <CreateOnce />
  </Allowed>
)

function CreateOnce(): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const [made, setMade] = useState<Made | null>(null)
  if (made === null) return <NewWebhook workspaceId={workspaceId} onMade={setMade} />
  const { id, name, secret } = made
  const done = (): void => void navigate({ to: '/w/$workspaceId/webhooks/$id', params: { workspaceId, id } })
  return <WebhookSecret webhookId={id} name={name} secret={secret} onDone={done} />
}

function NewWebhook({ workspaceId, onMade }: { readonly workspaceId: string; onMade(made: Made): void }): ReactNode {
  const create = useChange('webhooks.create')
  const navigate = useNavigate()
  const form = useForm<WebhookValues>({
    initial: blank,
    schema: input,
    inputOf,
    check: mistakesInForm,
    send: async (values) => onMade(await create.mutateAsync(inputOf(values))),
  })
  return (
    <Page
      title={texts.createWebhook}
      guide="/docs/webhooks"
      above={
        <Link to="/w/$workspaceId/webhooks" params={{ workspaceId }}>
          {texts.webhooks}
        </Link>
      }
    >
      <Form
        form={form}
        submit={texts.createWebhook}
        onCancel={() => void navigate({ to: '/w/$workspaceId/webhooks', params: { workspaceId }, ignoreBlocker: true })}
      >
        <WebhookFields form={form} />
      </Form>
    </Page>
  )
}
