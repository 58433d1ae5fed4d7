// Resends many deliveries. Shows the number of deliveries first and the progress afterwards.
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { LeftOut, ReplayFilter } from '#contract/replay-jobs.ts'
import { call } from '../app/call.ts'
import { spanMs, spans, type Span } from '../app/delivery-words.ts'
import { failureOf } from '../app/failure.ts'
import { useAnswer, useChange, useWorkspace } from '../app/workspace.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons, DialogForm } from '../ui/dialog.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import css from './resend.module.css'
import {
  chosenStatuses,
  countText,
  deliveredText,
  endOf,
  leftOutText,
  rateOf,
  type ChosenStatuses,
} from './resend-words.ts'
import { texts } from './texts.ts'

export type ResendRequest =
  | { readonly kind: 'chosen'; readonly ids: readonly string[]; readonly deliveredCount: number }
  /** By status and time, of one webhook or of all. */
  | { readonly kind: 'filter'; readonly webhookId: string | null }
type Named = { readonly id: string; readonly name: string }
type Props = { readonly webhooks: readonly Named[]; onClose(): void; onStarted(): void }

export const ResendDialog = ({ request, ...props }: Props & { readonly request: ResendRequest | null }): ReactNode => (
  <Dialog isOpen={request !== null} title={texts.resendDeliveries} onClose={props.onClose}>
    {request !== null && <Resend request={request} {...props} />}
  </Dialog>
)

function Resend({ request, webhooks, onClose, onStarted }: Props & { readonly request: ResendRequest }): ReactNode {
  const [since, setSince] = useState<Span>('24h')
  const [which, setWhich] = useState<ChosenStatuses>('undelivered')
  const [webhookId, setWebhookId] = useState(request.kind === 'filter' ? (request.webhookId ?? '') : '')
  const [perMinute, setPerMinute] = useState('')
  const [openedAt] = useState(Date.now)
  const rate = rateOf(perMinute)
  const start = useChange('deliveries.replay-many')
  const filter = filterOf(request, { webhookId, which, sinceMs: openedAt - spanMs[since] })
  const count = useCount(filter)
  if (start.data?.object === 'replay_job') return <Progress id={start.data.id} onClose={onClose} />

  return (
    <DialogForm
      confirm={count.total === null || count.total === 0 ? texts.resend : texts.resendCount(count.total)}
      isBusy={start.isPending}
      isReady={count.total !== null && count.total > 0 && rate.kind !== 'wrong'}
      onCancel={onClose}
      onConfirm={() =>
        start.mutate({ filter, ...(rate.kind === 'given' && { perMinute: rate.perMinute }) }, { onSuccess: onStarted })
      }
    >
      {request.kind === 'filter' && (
        <Which
          webhooks={webhooks}
          webhookId={webhookId}
          setWebhookId={setWebhookId}
          which={which}
          setWhich={setWhich}
          since={since}
          setSince={setSince}
        />
      )}
      <div role="status">
        <p className={css.count}>{count.total === null ? texts.counting : countText(count.total)}</p>
        {request.kind === 'chosen' && request.deliveredCount > 0 && <p>{deliveredText(request.deliveredCount)}</p>}
        {count.leftOut !== null && leftOutText(count.leftOut) !== null && <p>{leftOutText(count.leftOut)}</p>}
      </div>
      <TextField
        isOptional
        label={texts.resendsPerMinute}
        inputMode="numeric"
        placeholder={texts.noLimit}
        hint={texts.leaveEmptyToResendAll}
        value={perMinute}
        mistake={rate.kind === 'wrong' ? rate.problem : undefined}
        onValue={setPerMinute}
      />
      <p>{texts.eachDeliveryIsSentOnce}</p>
      {count.error !== null && <FailureNotice failure={failureOf(count.error)} />}
      {start.error !== null && <FailureNotice failure={failureOf(start.error)} />}
    </DialogForm>
  )
}

const Which = ({
  webhooks,
  webhookId,
  setWebhookId,
  which,
  setWhich,
  since,
  setSince,
}: {
  readonly webhooks: readonly Named[]
  readonly webhookId: string
  setWebhookId(webhookId: string): void
  readonly which: ChosenStatuses
  setWhich(which: ChosenStatuses): void
  readonly since: Span
  setSince(since: Span): void
}): ReactNode => (
  <>
    <SelectField
      label={texts.webhook}
      value={webhookId}
      choices={[
        { value: '', label: texts.allWebhooks },
        ...webhooks.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onValue={setWebhookId}
    />
    <SelectField
      label={texts.deliveries}
      value={which}
      choices={Object.entries(chosenStatuses).map(([value, { label }]) => ({ value, label }))}
      // The value is one of the choices.
      onValue={(value) => setWhich(value as ChosenStatuses)}
    />
    <SelectField
      label={texts.created}
      value={since}
      choices={Object.entries(spans).map(([value, label]) => ({ value, label }))}
      // The value is one of the choices.
      onValue={(value) => setSince(value as Span)}
    />
  </>
)

type Chosen = { readonly webhookId: string; readonly which: ChosenStatuses; readonly sinceMs: number }

const filterOf = (request: ResendRequest, { webhookId, which, sinceMs }: Chosen): ReplayFilter =>
  request.kind === 'chosen'
    ? { ids: [...request.ids] }
    : {
        status: [...chosenStatuses[which].statuses],
        ...(webhookId !== '' && { webhookId }),
        createdAfter: new Date(sinceMs).toISOString(),
      }

/** By a dry run. */
function useCount(filter: ReplayFilter): {
  readonly total: number | null
  readonly leftOut: LeftOut | null
  readonly error: Error | null
} {
  const { id: workspaceId } = useWorkspace()
  const { data, error } = useQuery({
    queryKey: [workspaceId, 'deliveries.replay-many', filter],
    queryFn: () => call('deliveries.replay-many', { filter, dryRun: true }, { workspaceId }),
    retry: false,
    gcTime: 0,
  })
  return { total: data?.total ?? null, leftOut: data?.leftOut ?? null, error }
}

const lookEveryMs = 1_000

function Progress({ id, onClose }: { readonly id: string; onClose(): void }): ReactNode {
  const [isOver, setIsOver] = useState(false)
  const { data: job } = useAnswer('deliveries.get-replay-job', { id }, isOver ? {} : { refetchInterval: lookEveryMs })
  const cancel = useChange('deliveries.cancel-replay-job')
  if (job !== undefined && job.status !== 'running' && !isOver) setIsOver(true)
  return (
    <>
      <p role="status">
        {job === undefined ? texts.resendStarted : texts.ofDeliveriesResent(job.replayed, job.total, endOf(job))}
        {job?.perMinute != null && job.status === 'running' && texts.atMostPerMinute(job.perMinute)}
      </p>
      {job && (
        <progress
          className={css.progress}
          max={Math.max(job.total, 1)}
          value={job.replayed}
          aria-label={texts.resent}
        />
      )}
      <DialogButtons>
        {job?.status === 'running' && (
          <Button isBusy={cancel.isPending} onClick={() => cancel.mutate({ id })}>
            {texts.stop}
          </Button>
        )}
        <Button variant="primary" onClick={onClose}>
          {texts.close}
        </Button>
      </DialogButtons>
    </>
  )
}
