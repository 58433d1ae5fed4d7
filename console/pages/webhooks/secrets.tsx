// The secrets that deliveries are signed with: since when, until when, and a new one.
import { useState, type ReactNode } from 'react'
import type { Webhook } from '#contract/webhook-schema.ts'
import { failureOf } from '../../app/failure.ts'
import { useChange } from '../../app/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

export function Secrets({
  webhook: { id, secrets },
  mayWrite,
}: {
  readonly webhook: Webhook
  readonly mayWrite: boolean
}): ReactNode {
  const [isAsking, setIsAsking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <Section
      title="Secrets"
      about="Deliveries are signed with each that has not run out, the newest first."
      actions={
        mayWrite && (
          <Button size="small" icon="rotate" onClick={() => setIsAsking(true)}>
            Rotate…
          </Button>
        )
      }
    >
      {secret !== null && (
        <Notice tone="warn" title="The new secret. It is shown here and nowhere else">
          <CodeBlock text={`WEBHOOK_SECRET=${secret}`} what="secret" />
          <Button size="small" onClick={() => setSecret(null)}>
            I have stored it
          </Button>
        </Notice>
      )}
      <DataTable
        label="Signing secrets"
        state={{ kind: 'rows', rows: secrets, more: null }}
        idOf={(each) => each.id}
        empty={null}
        columns={columns}
      />
      <Dialog isOpen={isAsking} title="A new secret" onClose={() => setIsAsking(false)}>
        <Rotate
          webhookId={id}
          onClose={() => setIsAsking(false)}
          onSecret={(made) => {
            setSecret(made)
            setIsAsking(false)
          }}
        />
      </Dialog>
    </Section>
  )
}

const columns: readonly Column<Webhook['secrets'][number]>[] = [
  { head: 'Secret', cell: ({ id }) => <code>{id}</code> },
  { head: 'Made', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { head: 'Runs out', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} never="Does not" /> },
]

const overlaps = [
  { value: '0', label: 'At once: the old one signs no more' },
  { value: '1', label: 'For one hour' },
  { value: '24', label: 'For 24 hours' },
  { value: '72', label: 'For three days' },
  { value: '168', label: 'For a week' },
]

function Rotate({
  webhookId,
  onClose,
  onSecret,
}: {
  readonly webhookId: string
  onClose(): void
  onSecret(secret: string): void
}): ReactNode {
  const [hours, setHours] = useState('24')
  const rotate = useChange('webhooks.rotate-secret')
  return (
    <DialogForm
      confirm="Make a new secret"
      isBusy={rotate.isPending}
      onCancel={onClose}
      onConfirm={() =>
        rotate.mutate(
          { id: webhookId, overlapHours: Number(hours) },
          { onSuccess: (answer) => onSecret(answer.secret) },
        )
      }
    >
      <SelectField label="Sign with the old one as well" value={hours} choices={overlaps} onValue={setHours} />
      <p>
        {hours === '0'
          ? 'Your receiver refuses every delivery until it knows the new one; refused ones are tried again.'
          : 'Until then your receiver takes deliveries by either. Give it the new one meanwhile.'}
      </p>
      {rotate.error !== null && <FailureNotice failure={failureOf(rotate.error)} />}
    </DialogForm>
  )
}
