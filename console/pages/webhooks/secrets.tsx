// The secrets that deliveries are signed with: since when, until when, and a new one.
import { useState, type ReactNode } from 'react'
import type { Webhook } from '#contract/webhook-schema.ts'
import { failureOf } from '../../app/failure.ts'
import { useChange } from '../../app/workspace.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable, type Column } from '../../ui/data-table.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

export function Secrets({
  webhook: { id, secrets },
  mayWrite,
  onRotated,
}: {
  readonly webhook: Webhook
  readonly mayWrite: boolean
  onRotated(secret: string): void
}): ReactNode {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Section
      title="Signing secrets"
      about="Deliveries are signed with all secrets that have not expired, newest first."
      actions={
        mayWrite && (
          <Button size="small" icon="rotate" onClick={() => setIsAsking(true)}>
            Rotate…
          </Button>
        )
      }
    >
      <DataTable
        label="Active signing secrets"
        state={{ kind: 'rows', rows: secrets, more: null }}
        idOf={(each) => each.id}
        empty={null}
        columns={columns}
      />
      <Dialog isOpen={isAsking} title="Rotate signing secret" onClose={() => setIsAsking(false)}>
        <Rotate
          webhookId={id}
          onClose={() => setIsAsking(false)}
          onSecret={(secret) => {
            setIsAsking(false)
            onRotated(secret)
          }}
        />
      </Dialog>
    </Section>
  )
}

const columns: readonly Column<Webhook['secrets'][number]>[] = [
  { head: 'Secret', cell: ({ id }) => <code>{id}</code> },
  { head: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { head: 'Expires', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} never="Never" /> },
]

const overlaps = [
  { value: '0', label: 'Immediately' },
  { value: '1', label: 'After 1 hour' },
  { value: '24', label: 'After 24 hours' },
  { value: '72', label: 'After 3 days' },
  { value: '168', label: 'After 7 days' },
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
      confirm="Rotate secret"
      isBusy={rotate.isPending}
      onCancel={onClose}
      onConfirm={() =>
        rotate.mutate(
          { id: webhookId, overlapHours: Number(hours) },
          { onSuccess: (answer) => onSecret(answer.secret) },
        )
      }
    >
      <SelectField label="Old secret expires" value={hours} choices={overlaps} onValue={setHours} />
      <p>
        {hours === '0'
          ? 'Your endpoint rejects all deliveries until it uses the new secret. Rejected deliveries are retried.'
          : 'Deliveries are signed with both secrets until the old one expires. Update your endpoint before then.'}
      </p>
      {rotate.error !== null && <FailureNotice failure={failureOf(rotate.error)} />}
    </DialogForm>
  )
}
