// The list of deliveries: updated live, filtered by the URL, with resends.
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { Delivery } from '#contract/deliveries.ts'
import { canResend } from '../../app/delivery-words.ts'
import { useFilters } from '../../app/filters.ts'
import { useAnswer, useWorkspace } from '../../app/workspace.ts'
import { ResendDialog, type ResendRequest } from '../../webhook-health/resend-dialog.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { ListState } from '../../ui/list-state.ts'
import { Page, Row } from '../../ui/page.tsx'
import { deliveryColumns } from './delivery-columns.tsx'
import { DeliveryFilters } from './delivery-filters.tsx'
import css from './deliveries.module.css'
import { inputOf, type DeliverySearch } from './delivery-search.ts'
import { LiveControl } from './live-control.tsx'

import { useLiveDeliveries } from './use-live-deliveries.ts'
import { texts } from './texts.tsx'

const none: ReadonlySet<string> = new Set()

export function DeliveriesPage(): ReactNode {
  const workspace = useWorkspace()
  const filters = useFilters<DeliverySearch>()
  // Spans end when the page was opened, so that the list stays the same one.
  const [openedAt] = useState(Date.now)
  const live = useLiveDeliveries(inputOf(filters.values, openedAt), filters.isFiltered)
  const webhooks =
    useAnswer('webhooks.list', { limit: 200 }, { enabled: workspace.may('webhooks:read') }).data?.data ?? []
  const [chosen, setChosen] = useState(none)
  const [resend, setResend] = useState<ResendRequest | null>(null)
  const mayResend = workspace.may('deliveries:replay')
  const nameOf = (id: string): string => webhooks.find((webhook) => webhook.id === id)?.name ?? id

  return (
    <Page
      title={texts.deliveries}
      guide="/docs/managing-webhooks#deliveries"
      about={texts.eventsSentByYourWebhooks}
      actions={
        <Row>
          <LiveControl live={live} />
          {mayResend && (
            <Button
              icon="rotate"
              onClick={() => setResend({ kind: 'filter', webhookId: filters.values.webhook ?? null })}
            >
              {texts.resend}
            </Button>
          )}
        </Row>
      }
    >
      <DeliveryFilters filters={filters} webhooks={webhooks} />
      {chosen.size > 0 && (
        <Chosen
          count={chosen.size}
          onResend={() =>
            setResend({ kind: 'chosen', ids: [...chosen], deliveredCount: deliveredOf(live.state, chosen) })
          }
          onClear={() => setChosen(none)}
        />
      )}
      <Table
        live={live}
        nameOf={nameOf}
        mayResend={mayResend}
        chosen={chosen}
        workspaceId={workspace.id}
        onChosen={setChosen}
        onClearFilter={filters.clear}
      />
      <ResendDialog
        request={resend}
        webhooks={webhooks}
        onClose={() => setResend(null)}
        onStarted={() => setChosen(none)}
      />
    </Page>
  )
}

/** How many of the chosen ones need no resend. */
const deliveredOf = (state: ListState<Delivery>, chosen: ReadonlySet<string>): number =>
  state.kind === 'rows' ? state.rows.filter(({ id, status }) => chosen.has(id) && status === 'delivered').length : 0

const Table = ({
  live,
  workspaceId,
  nameOf,
  mayResend,
  chosen,
  onChosen,
  onClearFilter,
}: {
  readonly live: Pick<ReturnType<typeof useLiveDeliveries>, 'state'>
  readonly workspaceId: string
  readonly nameOf: (webhookId: string) => string
  readonly mayResend: boolean
  readonly chosen: ReadonlySet<string>
  readonly onChosen: (chosen: ReadonlySet<string>) => void
  readonly onClearFilter: () => void
}): ReactNode => (
  <DataTable
    label={texts.deliveriesNewestFirst}
    state={live.state}
    idOf={({ id }: Delivery) => id}
    columns={deliveryColumns(workspaceId, nameOf)}
    empty={<NoDeliveries workspaceId={workspaceId} />}
    isCounted
    onClearFilter={onClearFilter}
    {...(mayResend && {
      selection: {
        chosen,
        onChosen,
        canChoose: canResend,
        nameOf: ({ eventType, id }: Delivery) => `${eventType} ${id}`,
      },
    })}
  />
)

const Chosen = ({
  count,
  onResend,
  onClear,
}: {
  readonly count: number
  onResend(): void
  onClear(): void
}): ReactNode => (
  <div className={css.chosen} role="status">
    <span>{texts.selected(count)}</span>
    <Button size="small" icon="rotate" onClick={onResend}>
      {texts.resendSelected}
    </Button>
    <Button size="small" variant="quiet" onClick={onClear}>
      {texts.clearSelection}
    </Button>
  </div>
)

const NoDeliveries = ({ workspaceId }: { readonly workspaceId: string }): ReactNode => (
  <EmptyState
    icon="send"
    title={texts.noDeliveriesYet}
    text={texts.whenAnEventOccursEach}
    action={
      <Link to="/w/$workspaceId/webhooks" params={{ workspaceId }} className={buttonClass({ variant: 'primary' })}>
        {texts.goToWebhooks}
      </Link>
    }
    sample={<code>{texts.tasksUpdated200In84}</code>}
  />
)
