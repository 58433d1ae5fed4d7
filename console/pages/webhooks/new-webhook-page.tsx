// A new webhook: where to, what of, in which form. Then its secret, once.
import { Link, useNavigate } from '@tanstack/react-router'
import { input } from 'virtual:input/webhooks.create'
import { useState, type ReactNode } from 'react'
import type { Output } from '#contract/operation.ts'
import type { OperationNamed } from '#contract/api.ts'
import { useForm } from '../../app/use-form.ts'
import { useChange, useWorkspace } from '../../app/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { SelectField, TextArea, TextField } from '../../ui/field.tsx'
import { Page, Row, Section, Stack } from '../../ui/page.tsx'
import { EventPicker } from './event-picker.tsx'
import { SecretOnce } from './secret-once.tsx'
import { useCheckedUrl, type UrlCheck } from './use-checked-url.ts'
import { blank, headerMistake, inputOf, type WebhookValues } from './webhook-form.ts'

type Made = Output<OperationNamed<'webhooks.create'>>

export function NewWebhookPage(): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const [made, setMade] = useState<Made | null>(null)
  if (made === null) return <NewWebhook workspaceId={workspaceId} onMade={setMade} />
  const { id, name, secret } = made
  const done = (): void => void navigate({ to: '/w/$workspaceId/webhooks/$id', params: { workspaceId, id } })
  return <SecretOnce webhookId={id} name={name} secret={secret} onDone={done} />
}

function NewWebhook({ workspaceId, onMade }: { readonly workspaceId: string; onMade(made: Made): void }): ReactNode {
  const create = useChange('webhooks.create')
  const form = useForm<WebhookValues>({
    initial: blank,
    schema: input,
    inputOf,
    check({ headers }) {
      const mistake = headerMistake(headers)
      return mistake === undefined ? {} : { headers: mistake }
    },
    send: async (values) => onMade(await create.mutateAsync(inputOf(values))),
  })
  return (
    <Page
      title="New webhook"
      above={
        <Link to="/w/$workspaceId/webhooks" params={{ workspaceId }}>
          Webhooks
        </Link>
      }
    >
      <form ref={form.ref} onSubmit={form.submit} noValidate>
        <Stack>
          <WhereTo form={form} />
          <WhatOf form={form} />
          <More form={form} />
          {form.failure && <FailureNotice failure={form.failure} />}
          <Row>
            <Button type="submit" variant="primary" isBusy={form.isBusy}>
              Create webhook
            </Button>
          </Row>
        </Stack>
      </form>
    </Page>
  )
}

type Parts = { readonly form: Pick<ReturnType<typeof useForm<WebhookValues>>, 'values' | 'mistakes' | 'set'> }

function WhereTo({ form: { values, mistakes, set } }: Parts): ReactNode {
  const check = useCheckedUrl(values.url)
  return (
    <Section title="Where to">
      <TextField label="Name" value={values.name} mistake={mistakes['name']} onValue={(name) => set({ name })} />
      <TextField
        label="Address"
        type="url"
        inputMode="url"
        placeholder="https://hooks.acme.example/workspace"
        value={values.url}
        mistake={mistakes['url'] ?? (check.kind === 'bad' ? check.problem : undefined)}
        hint={<span aria-live="polite">{urlHint(check)}</span>}
        onValue={(url) => set({ url })}
      />
    </Section>
  )
}

const WhatOf = ({ form: { values, mistakes, set } }: Parts): ReactNode => (
  <Section title="What of">
    <SelectField
      label="Form"
      value={values.payload}
      choices={[
        { value: 'full', label: 'Full: the object and what has changed' },
        { value: 'thin', label: 'Thin: only what happened to which object' },
      ]}
      onValue={(payload) => set({ payload: payload === 'thin' ? 'thin' : 'full' })}
    />
    <EventPicker
      patterns={values.eventTypes}
      payload={values.payload}
      mistake={mistakes['eventTypes']}
      onPatterns={(eventTypes) => set({ eventTypes })}
    />
  </Section>
)

const urlHints: Readonly<Record<Exclude<UrlCheck['kind'], 'good'>, string>> = {
  none: 'https, on a public address. It gets a POST for each event, with a signature.',
  checking: 'Checking…',
  bad: '',
}

const urlHint = (check: UrlCheck): string =>
  check.kind === 'good' ? `May be used. It is called as ${check.url}` : urlHints[check.kind]

const More = ({ form: { values, mistakes, set } }: Parts): ReactNode => (
  <Section title="Only some of them" about="May all stay empty.">
    <TextField
      isOptional
      label="Only changes of these fields"
      placeholder="status, assigneeIds"
      hint="With commas between."
      value={values.changedFields}
      mistake={mistakes['filter']}
      onValue={(changedFields) => set({ changedFields })}
    />
    <TextField
      isOptional
      label="Only of these projects"
      placeholder="WEB"
      hint="Keys or ids, with commas between."
      value={values.projectIds}
      onValue={(projectIds) => set({ projectIds })}
    />
    <TextArea
      isOptional
      isCode
      label="Headers of your own"
      placeholder="x-tenant: acme"
      hint="One in a line, at most 20. Their values can be written, never read again."
      value={values.headers}
      mistake={mistakes['headers']}
      onValue={(headers) => set({ headers })}
    />
  </Section>
)
