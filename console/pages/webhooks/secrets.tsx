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
import { texts } from './texts.tsx'

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
      title={texts.signingSecrets}
      about={texts.deliveriesAreSignedWithAll}
      actions={
        mayWrite && (
          <Button size="small" icon="rotate" onClick={() => setIsAsking(true)}>
            {texts.rotate}
          </Button>
        )
      }
    >
      <DataTable
        label={texts.activeSigningSecrets}
        state={{ kind: 'rows', rows: secrets, more: null }}
        idOf={(each) => each.id}
        empty={null}
        columns={columns}
      />
      <Dialog isOpen={isAsking} title={texts.rotateSigningSecret} onClose={() => setIsAsking(false)}>
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
  { head: texts.secretId, cell: ({ id }) => <code>{id}</code> },
  { head: texts.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { head: texts.expires, cell: ({ expiresAt }) => <RelativeTime at={expiresAt} never={texts.never} /> },
]

const overlaps = [
  { value: '0', label: texts.immediately },
  { value: '1', label: texts.after1Hour },
  { value: '24', label: texts.after24Hours },
  { value: '72', label: texts.after3Days },
  { value: '168', label: texts.after7Days },
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
      confirm={texts.rotateSecret}
      isBusy={rotate.isPending}
      onCancel={onClose}
      onConfirm={() =>
        rotate.mutate(
          { id: webhookId, overlapHours: Number(hours) },
          { onSuccess: (answer) => onSecret(answer.secret) },
        )
      }
    >
      <SelectField label={texts.oldSecretExpires} value={hours} choices={overlaps} onValue={setHours} />
      <p>{hours === '0' ? texts.yourEndpointRejectsAllDeliveries : texts.deliveriesAreSignedWithBoth}</p>
      {rotate.error !== null && <FailureNotice failure={failureOf(rotate.error)} />}
    </DialogForm>
  )
}
