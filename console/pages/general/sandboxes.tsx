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
import { texts } from './texts.ts'

type Shown = Pick<Static<typeof WorkspaceWithUsage>, 'name' | 'sandbox' | 'quotas' | 'usage'>
type Props = { readonly workspace: Shown; readonly canChange: boolean }

export const Sandboxes = (props: Props): ReactNode =>
  props.workspace.sandbox ? <OfSandbox {...props} /> : <Own {...props} />

function Own({ workspace: { quotas, usage }, canChange }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const isFull = usage.sandboxes >= quotas.sandboxes
  return (
    <Section
      title={texts.sandboxes}
      about={texts.aSandboxIsAWorkspace(usage.sandboxes, quotas.sandboxes)}
      actions={
        canChange && (
          <Button disabled={isFull} onClick={() => setOpen(true)}>
            {texts.createSandbox}
          </Button>
        )
      }
    >
      {isFull && <p>{texts.toCreateAnotherOneAsk}</p>}
      <Dialog isOpen={isOpen} title={texts.createSandboxNow} onClose={() => setOpen(false)}>
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
    initial: { name: texts.sandbox },
    schema: input,
    send: async ({ name }) => {
      const { id } = await create({ name: name.trim() })
      // The new workspace stands in the menu, and its pages know the role there.
      await queries.refetchQueries({ queryKey: sessionQuery.queryKey })
      announce(texts.sandboxCreated)
      await navigate({ to: '/w/$workspaceId', params: { workspaceId: id } })
    },
  })
  return (
    <DialogForm confirm={texts.createSandboxNow} isBusy={form.isBusy} onConfirm={form.send} onCancel={onCancel}>
      <p>{texts.theSandboxGetsSampleData}</p>
      <TextField {...form.field('name')} label={texts.name} autoComplete="off" />
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
          announce(texts.sandboxReset)
        },
      },
    )
  return (
    <Section
      title={texts.sandbox}
      about={texts.thisWorkspaceHasSampleData}
      actions={canChange && <Button onClick={() => setAsking(true)}>{texts.resetSandboxAsked}</Button>}
    >
      <ConfirmDialog
        isOpen={isAsking}
        isBusy={reset.isPending}
        title={texts.reset(name)}
        confirm={texts.resetSandbox}
        onConfirm={confirmed}
        onClose={() => setAsking(false)}
      >
        <p>{texts.allProjectsTasksCrmEntities}</p>
        {reset.error !== null && <FailureNotice failure={failureOf(reset.error)} />}
      </ConfirmDialog>
    </Section>
  )
}
