// Edits a webhook. A new host gets a new signing secret, which is shown once.
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { input } from 'virtual:input/webhooks.update'
import { useState, type ReactNode } from 'react'
import type { Webhook } from '#contract/webhook-schema.ts'
import { Allowed } from '../../app/allowed.tsx'
import { call } from '../../app/call.ts'
import { ConflictNotice } from '../../app/conflict-notice.tsx'
import { changedLabels, patchBetween } from '../../app/edit-conflict.ts'
import { failureOf } from '../../app/failure.ts'
import { LoadingPage } from '../../app/page-states.tsx'
import { useForm, type Form as FormState } from '../../app/use-form.ts'
import { useSaving } from '../../app/use-saving.ts'
import { useAnswer, useChange, useWorkspace } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Form } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { HeadersField, WebhookFields } from './webhook-fields.tsx'
import { fieldsOf, headersIn, isMoved, mistakesInForm, valuesOf, type WebhookValues } from './webhook-form.ts'
import { WebhookSecret } from './webhook-secret.tsx'
import { texts } from './texts.tsx'

export const EditWebhookPage = (): ReactNode => (
  <Allowed scope="webhooks:write" title={texts.editWebhook}>
    <LoadedWebhook />
  </Allowed>
)

function LoadedWebhook(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const { id: workspaceId } = useWorkspace()
  const navigate = useNavigate()
  const { data, error, refetch } = useAnswer('webhooks.get', { id })
  const [seen, setSeen] = useState<Webhook | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  // The first loaded version stays, because a newer version is a change by someone else.
  if (seen === null && data !== undefined) setSeen(data)
  // Whoever cancels has decided what becomes of the changes.
  const leave = (): void =>
    void navigate({ to: '/w/$workspaceId/webhooks/$id', params: { workspaceId, id }, ignoreBlocker: true })
  if (seen !== null && secret !== null)
    return <WebhookSecret webhookId={id} name={seen.name} secret={secret} onDone={leave} />
  if (seen !== null)
    return <EditWebhook key={seen.version} seen={seen} onTakeTheirs={setSeen} onSecret={setSecret} onDone={leave} />
  if (error === null) return <LoadingPage />
  return (
    <Page title={texts.editWebhook}>
      <FailureNotice failure={failureOf(error)} retry={() => void refetch()} />
    </Page>
  )
}

/** The fields of a webhook that can be changed, as the form calls them. */
const labels = {
  name: texts.name,
  url: texts.endpointUrl,
  payload: texts.payload,
  eventTypes: texts.eventTypes,
  filter: texts.filters,
  ignoredKeyIds: texts.ignoredKeys,
  includeImports: texts.imports,
  order: texts.order,
  maxPerMinute: texts.deliveriesPerMinute,
  headerNames: texts.headers,
  status: texts.status,
}

type Props = {
  readonly seen: Webhook
  onTakeTheirs(webhook: Webhook): void
  onSecret(secret: string): void
  onDone(): void
}

function EditWebhook({ seen, onTakeTheirs, onSecret, onDone }: Props): ReactNode {
  const { id } = seen
  const { id: workspaceId } = useWorkspace()
  const { mutateAsync: update } = useChange('webhooks.update')
  const saving = useSaving(seen, () => call('webhooks.get', { id }, { workspaceId }))
  const [initial] = useState(() => valuesOf(seen))
  const patchOf = (values: WebhookValues) => ({
    ...patchBetween(fieldsOf(initial), fieldsOf(values)),
    ...headersToSend(seen, values),
  })
  const form = useForm<WebhookValues>({
    initial,
    schema: input,
    inputOf: (values) => ({ id, ...patchOf(values) }),
    check: mistakesInForm,
    send: (values) =>
      saving.attempt(async (expectedVersion) => {
        const { secret } = await update({ id, expectedVersion, ...patchOf(values) })
        announce(texts.saved(values.name.trim()))
        if (secret === undefined) onDone()
        else onSecret(secret)
      }),
  })
  const { theirs } = saving
  const mine = { ...seen, ...patchOf(form.values) }
  return (
    <Page
      title={texts.edit(seen.name)}
      guide="/docs/managing-webhooks"
      above={<BackLink workspaceId={workspaceId} webhook={seen} />}
    >
      <Form form={form} submit={theirs === null ? texts.saveChanges : null} onCancel={onDone}>
        <WebhookFields
          form={form}
          moved={isMoved(seen.url, form.values.url) && <Moved hasHeaders={seen.headerNames.length > 0} />}
          headers={<ReplacedHeaders form={form} names={seen.headerNames} />}
        />
        {theirs !== null && (
          <ConflictNotice
            theirs={changedLabels(labels, seen, theirs)}
            mine={changedLabels(labels, seen, { ...mine, ...('headers' in mine && { headerNames: mine.headers }) })}
            onKeepMine={() => {
              saving.accept()
              form.send()
            }}
            onTakeTheirs={() => onTakeTheirs(theirs)}
          />
        )}
      </Form>
    </Page>
  )
}

/** Only where they take the place of those that are there, or are the first. */
function headersToSend({ headerNames }: Webhook, { replacesHeaders, headers }: WebhookValues) {
  const given = headersIn(headers)
  const isSame = !replacesHeaders || (headerNames.length === 0 && Object.keys(given).length === 0)
  return isSame ? {} : { headers: given }
}

const BackLink = ({ workspaceId, webhook }: { readonly workspaceId: string; readonly webhook: Webhook }): ReactNode => (
  <Link to="/w/$workspaceId/webhooks/$id" params={{ workspaceId, id: webhook.id }}>
    {webhook.name}
  </Link>
)

const Moved = ({ hasHeaders }: { readonly hasHeaders: boolean }): ReactNode => (
  <Notice tone="warn" title={texts.changingTheHostCreatesA}>
    <p>{texts.theNewSecretIsShown(hasHeaders)}</p>
  </Notice>
)

const ReplacedHeaders = ({
  form,
  names,
}: {
  readonly form: FormState<WebhookValues>
  readonly names: readonly string[]
}): ReactNode => (
  <>
    {names.length > 0 && (
      <Checkbox
        label={texts.replaceAllCustomHeaders}
        hint={texts.currentHeaders(names.join(', '))}
        isChecked={form.values.replacesHeaders}
        onChecked={(replacesHeaders) => form.set({ replacesHeaders })}
      />
    )}
    {form.values.replacesHeaders && <HeadersField form={form} />}
  </>
)
