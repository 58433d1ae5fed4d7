// Changes a key: its name, what it may do, its limits, and where it may be used from. Its secret stays as it is.
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { input } from 'virtual:input/api-keys.update'
import { useState, type ReactNode } from 'react'
import type { ApiKey } from '#contract/api-keys.ts'
import { Allowed } from '../../app/allowed.tsx'
import { call } from '../../app/call.ts'
import { ConflictNotice } from '../../app/conflict-notice.tsx'
import { changedLabels, patchBetween } from '../../app/edit-conflict.ts'
import { failureOf } from '../../app/failure.ts'
import { LoadingPage } from '../../app/page-states.tsx'
import { useForm } from '../../app/use-form.ts'
import { useSaving } from '../../app/use-saving.ts'
import { useAnswer, useChange, useWorkspace } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Form } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { KeyChangesNotice } from './key-changes-notice.tsx'
import { keyChanges, type KeyChanges } from './key-changes.ts'
import { KeyFields } from './key-fields.tsx'
import { keyFormOf, keyInputOf, keyMistakes, rulesOfChanged, type KeyForm, type KeyInput } from './key-form.ts'
import { texts } from './texts.tsx'

export const EditKeyPage = (): ReactNode => (
  <Allowed scope="api-keys:write" title={texts.editKey}>
    <LoadedKey />
  </Allowed>
)

function LoadedKey(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const { data, error, refetch } = useAnswer('api-keys.get', { id })
  const [seen, setSeen] = useState<ApiKey | null>(null)
  // The first loaded version stays, because a newer version is a change by someone else.
  if (seen === null && data !== undefined) setSeen(data)
  if (seen !== null) return <EditKey key={seen.version} seen={seen} onTakeTheirs={setSeen} />
  if (error === null) return <LoadingPage />
  return (
    <Page title={texts.editKey}>
      <FailureNotice failure={failureOf(error)} retry={() => void refetch()} />
    </Page>
  )
}

/** The fields of a key that can be changed, as the form calls them. */
const labels = {
  name: texts.name,
  description: texts.description,
  ownerId: texts.owner,
  scopes: texts.scopes,
  surfaces: texts.surfaces,
  expiresAt: texts.expires,
  rotationPolicy: texts.maximumSecretAge,
  rateLimit: texts.rateLimit,
  ipAllowlist: texts.ipAllowlist,
  toolNames: texts.mcpToolNames,
}

/** What cannot be read yet would be told as another value, so nothing is told until it can be. */
const toldChanges = (seen: ApiKey, values: KeyForm, patch: Partial<KeyInput>, nowMs: number): KeyChanges =>
  keyChanges(seen, Object.keys(keyMistakes(values, null, nowMs)).length > 0 ? seen : { ...seen, ...patch })

function EditKey({ seen, onTakeTheirs }: { readonly seen: ApiKey; onTakeTheirs(key: ApiKey): void }): ReactNode {
  const { id } = seen
  const { id: workspaceId } = useWorkspace()
  const policy = useAnswer('workspaces.get', { id: workspaceId }).data?.apiPolicy ?? null
  const navigate = useNavigate()
  const { mutateAsync: update } = useChange('api-keys.update')
  const saving = useSaving(seen, () => call('api-keys.get', { id }, { workspaceId }))
  const [openedAtMs] = useState(() => Date.now())
  const [initial] = useState(() => keyFormOf(seen))
  const before = keyInputOf(initial, openedAtMs)
  const patchOf = (values: KeyForm) => patchBetween(before, keyInputOf(values, openedAtMs))
  // Whoever cancels has decided what becomes of the changes.
  const leave = (): void =>
    void navigate({ to: '/w/$workspaceId/keys/$id', params: { workspaceId, id }, ignoreBlocker: true })
  const form = useForm({
    initial,
    schema: input,
    inputOf: (values) => ({ id, ...patchOf(values) }),
    check: (values) => keyMistakes(values, rulesOfChanged(policy, initial, values), openedAtMs),
    send: (values) =>
      saving.attempt(async (expectedVersion) => {
        await update({ id, expectedVersion, ...patchOf(values) })
        announce(texts.saved(values.name.trim()))
        leave()
      }),
  })
  return (
    <Page
      isNarrow
      title={texts.edit(seen.name)}
      guide="/docs/authentication"
      about={texts.changesTakeEffectImmediatelyThe}
      above={
        <Link to="/w/$workspaceId/keys/$id" params={{ workspaceId, id }}>
          {seen.name}
        </Link>
      }
    >
      <Form form={form} submit={saving.theirs === null ? texts.saveChanges : null} onCancel={leave}>
        <KeyFields form={form} isNew={false} nowMs={openedAtMs} />
        <KeyChangesNotice
          apiKey={seen}
          changes={toldChanges(seen, form.values, patchOf(form.values), openedAtMs)}
          nowMs={openedAtMs}
        />
        {saving.theirs !== null && (
          <ConflictNotice
            theirs={changedLabels(labels, seen, saving.theirs)}
            mine={changedLabels(labels, before, keyInputOf(form.values, openedAtMs))}
            onKeepMine={() => {
              saving.accept()
              form.send()
            }}
            onTakeTheirs={() => saving.theirs !== null && onTakeTheirs(saving.theirs)}
          />
        )}
      </Form>
    </Page>
  )
}
