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

type Passkey = SecondFactors['passkeys'][number]

export function Passkeys({ onCodes }: { readonly onCodes: OnCodes }): ReactNode {
  const { hasPassword } = useSession().account
  const isPossible = useQuery(signInMethodsQuery).data?.passkey === true && hasPasskeys()
  const query = useQuery(secondFactorsQuery)
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Passkey | null>(null)
  const { isBusy, attempt, refresh } = useFactorActions()
  if (!hasPassword) return null
  const remove = ({ id }: Passkey) =>
    attempt(async () => {
      await call('passkeys.delete', { id })
      announce('Passkey removed')
      await refresh()
    })
  async function added(codes: readonly string[] | null): Promise<void> {
    setAdding(false)
    announce('Passkey added')
    if (codes !== null) onCodes(codes)
    await refresh()
  }
  return (
    <Section
      title="Passkeys"
      about={
        isPossible
          ? 'Sign in with your fingerprint, face or screen lock instead of your password and a code.'
          : 'Passkeys do not work at this address: they need https and a host name.'
      }
      actions={isPossible && !isAdding && <Button onClick={() => setAdding(true)}>Add passkey</Button>}
    >
      <Stack>
        {isAdding && <AddPasskey onAdded={(codes) => void added(codes)} onCancel={() => setAdding(false)} />}
        <DataTable
          label="List of passkeys"
          columns={columns(setRemoved)}
          state={answerState(query, ({ passkeys }) => passkeys)}
          idOf={({ id }) => id}
          empty={<EmptyState icon="key" title="No passkeys" text="Your passkeys are listed here." />}
        />
      </Stack>
      <ConfirmDialog
        isOpen={removed !== null}
        title={`Remove ${removed?.name ?? ''}?`}
        confirm="Remove"
        isBusy={isBusy}
        onConfirm={() => void (removed && remove(removed).then(() => setRemoved(null)))}
        onClose={() => setRemoved(null)}
      >
        <p>You can no longer sign in with this passkey. Delete it from your device as well.</p>
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
    <Form form={form} submit="Continue" onCancel={onCancel}>
      <TextField {...form.field('name')} label="Passkey name" hint="For example, the name of your device." />
    </Form>
  )
}

const columns = (remove: (passkey: Passkey) => void): Column<Passkey>[] => [
  { head: 'Name', cell: ({ name }) => name },
  { head: 'Added', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, isSecondary: true },
  {
    head: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <RelativeTime at={lastUsedAt} />),
  },
  {
    head: 'Passkey',
    align: 'end',
    cell: (passkey) => (
      <Button size="small" aria-label={`Remove ${passkey.name}`} onClick={() => remove(passkey)}>
        Remove
      </Button>
    ),
  },
]
