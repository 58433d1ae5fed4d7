// The passkeys of the account.
import { useQuery } from '@tanstack/react-query'
import { input } from 'virtual:input/passkeys.create'
import { useState, type ReactNode } from 'react'
import { answerState } from '../../app/answer-state.ts'
import { call } from '../../app/call.ts'
import { addPasskey, hasPasskeys } from '../../app/passkeys.ts'
import { signInMethodsQuery } from '../../app/provider-sign-in.ts'
import { useSession } from '../../app/session.ts'
import { useForm } from '../../app/use-form.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Section, Stack } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { secondFactorsQuery, useFactorActions, type OnCodes, type SecondFactors } from './factor-actions.ts'
import { texts } from './texts.ts'

type Passkey = SecondFactors['passkeys'][number]

export function Passkeys({ onCodes }: { readonly onCodes: OnCodes }): ReactNode {
  const { hasPassword } = useSession().account
  const isPossible = useQuery(signInMethodsQuery).data?.passkey === true && hasPasskeys()
  const query = useQuery(secondFactorsQuery)
  const { passkeys = [], authenticator = null } = query.data ?? {}
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Passkey | null>(null)
  const { isBusy, attempt, refresh } = useFactorActions()
  if (!hasPassword) return null
  const remove = ({ id }: Passkey) =>
    attempt(async () => {
      await call('passkeys.delete', { id })
      announce(texts.passkeyRemoved)
      await refresh()
    })
  async function added(codes: readonly string[] | null): Promise<void> {
    setAdding(false)
    announce(texts.passkeyAdded)
    if (codes !== null) onCodes(codes)
    await refresh()
  }
  return (
    <Section
      title={texts.passkeys}
      about={isPossible ? texts.signInWithYourFingerprint : texts.passkeysDoNotWorkAt}
      actions={isPossible && !isAdding && <Button onClick={() => setAdding(true)}>{texts.addPasskey}</Button>}
    >
      <Stack>
        {isAdding && <AddPasskey onAdded={(codes) => void added(codes)} onCancel={() => setAdding(false)} />}
        {(!isAdding || passkeys.length > 0) && (
          <DataTable
            label={texts.listOfPasskeys}
            columns={columns(setRemoved)}
            state={answerState(query, (factors) => factors.passkeys)}
            idOf={({ id }) => id}
            empty={<EmptyState icon="key" title={texts.noPasskeys} text={texts.yourPasskeysAreListedHere} />}
          />
        )}
      </Stack>
      <ConfirmDialog
        isOpen={removed !== null}
        title={texts.remove(removed?.name ?? '')}
        confirm={texts.passkeysRemove}
        isBusy={isBusy}
        onConfirm={() => void (removed && remove(removed).then(() => setRemoved(null)))}
        onClose={() => setRemoved(null)}
      >
        <p>{texts.youCanNoLongerSign}</p>
        {authenticator === null && passkeys.length === 1 && <p>{texts.thisIsYourOnlySecondFactor}</p>}
      </ConfirmDialog>
    </Section>
  )
}

function AddPasskey({
  onAdded,
  onCancel,
}: {
  readonly onAdded: (recoveryCodes: readonly string[] | null) => void
  readonly onCancel: () => void
}): ReactNode {
  const form = useForm({
    initial: { name: '' },
    schema: { ...input, required: ['name'] },
    isKept: false,
    send: async ({ name }) => onAdded((await addPasskey(name)).recoveryCodes),
  })
  return (
    <Form form={form} submit={texts.continue} onCancel={onCancel}>
      <TextField {...form.field('name')} label={texts.passkeyName} hint={texts.forExampleTheNameOf} />
    </Form>
  )
}

const columns = (remove: (passkey: Passkey) => void): Column<Passkey>[] => [
  { head: texts.name, cell: ({ name }) => name },
  { head: texts.added, cell: ({ createdAt }) => <RelativeTime at={createdAt} />, isSecondary: true },
  {
    head: texts.lastUsed,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.never : <RelativeTime at={lastUsedAt} />),
  },
  {
    head: texts.passkey,
    align: 'end',
    cell: (passkey) => (
      <Button size="small" aria-label={texts.removePasskeyAsked(passkey.name)} onClick={() => remove(passkey)}>
        {texts.removeAsked}
      </Button>
    ),
  },
]
