// Of a workspace: a sandbox is made from it. Of a sandbox: it is put back to the sample data.
import { input } from 'virtual:input/workspaces.create-sandbox'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { WorkspaceWithUsage } from '#contract/workspaces.ts'
import type { Static } from 'typebox'
import { failureOf } from '../../app/failure.ts'
import { sessionQuery } from '../../app/session.ts'
import { useForm } from '../../app/use-form.ts'
import { useChange } from '../../app/workspace.ts'
import { announce } from '../../ui/announcements.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'

type Shown = Pick<Static<typeof WorkspaceWithUsage>, 'name' | 'sandbox' | 'quotas' | 'usage'>
type Props = { readonly workspace: Shown; readonly canChange: boolean }

export const Sandboxes = (props: Props): ReactNode =>
  props.workspace.sandbox ? <OfSandbox {...props} /> : <Own {...props} />

function Own({ workspace: { quotas, usage }, canChange }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const isFull = usage.sandboxes >= quotas.sandboxes
  return (
    <Section
      title="Sandboxes"
      about={`A sandbox is a workspace with sample data, to try things in. ${usage.sandboxes} of ${quotas.sandboxes} are in use.`}
      actions={
        canChange && (
          <Button disabled={isFull} onClick={() => setOpen(true)}>
            Create sandbox…
          </Button>
        )
      }
    >
      {isFull && <p>To create another one, ask the operator to delete one or to raise the quota.</p>}
      <Dialog isOpen={isOpen} title="Create sandbox" onClose={() => setOpen(false)}>
        <NewSandbox onCancel={() => setOpen(false)} />
      </Dialog>
    </Section>
  )
}

function NewSandbox({ onCancel }: { readonly onCancel: () => void }): ReactNode {
  const { mutateAsync: create } = useChange('workspaces.create-sandbox')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({
    initial: { name: 'Sandbox' },
    schema: input,
    send: async ({ name }) => {
      const { id } = await create({ name: name.trim() })
      // The new workspace stands in the menu, and its pages know the role there.
      await queries.refetchQueries({ queryKey: sessionQuery.queryKey })
      announce('Sandbox created')
      await navigate({ to: '/w/$workspaceId', params: { workspaceId: id } })
    },
  })
  return (
    <DialogForm confirm="Create sandbox" isBusy={form.isBusy} onConfirm={form.send} onCancel={onCancel}>
      <p>
        The sandbox gets sample data of a company (500 objects), which takes a few seconds. You become the owner of the
        sandbox.
      </p>
      <TextField {...form.field('name')} label="Name" autoComplete="off" />
      {form.failure && <FailureNotice failure={form.failure} />}
    </DialogForm>
  )
}

function OfSandbox({ workspace: { name }, canChange }: Props): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const reset = useChange('workspaces.reset', ['events'])
  const confirmed = (): void =>
    reset.mutate(
      {},
      {
        onSuccess: () => {
          setAsking(false)
          announce('Sandbox reset')
        },
      },
    )
  return (
    <Section
      title="Sandbox"
      about="This workspace has sample data. A reset deletes its data and creates new sample data. API keys, webhooks, members and files are kept."
      actions={canChange && <Button onClick={() => setAsking(true)}>Reset sandbox</Button>}
    >
      <ConfirmDialog
        isOpen={isAsking}
        isBusy={reset.isPending}
        title={`Reset ${name}?`}
        confirm="Reset sandbox"
        onConfirm={confirmed}
        onClose={() => setAsking(false)}
      >
        <p>
          All projects, tasks, CRM entities, documents, comments and custom fields are removed, deleted ones included.
          This cannot be undone.
        </p>
        {reset.error !== null && <FailureNotice failure={failureOf(reset.error)} />}
      </ConfirmDialog>
    </Section>
  )
}
