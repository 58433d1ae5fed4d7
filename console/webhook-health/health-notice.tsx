// How a webhook is doing, and what can be done about it: said in the same words wherever its outage can be seen.
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { Webhook } from '#contract/webhook-schema.ts'
import { ResendDialog } from './resend-dialog.tsx'
import { announce } from '../ui/announcements.tsx'
import { Button } from '../ui/button.tsx'
import { FailureNotice, Notice } from '../ui/failure-notice.tsx'
import { Row } from '../ui/page.tsx'
import { failureOf } from '../app/failure.ts'
import { failedShareLine, healthLine, healthTone, isFailing, nextAttemptLine } from './health-words.ts'
import { useChange, useWorkspace } from '../app/workspace.ts'
import { texts } from './texts.ts'

/** How often pages ask for it anew. */
export const healthEveryMs = 5_000

/** `named`: on a page that is not its own, with a link to it. */
export function WebhookHealthNotice({
  webhook,
  named = false,
}: {
  readonly webhook: Webhook
  readonly named?: boolean
}): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const share = failedShareLine(webhook)
  return (
    <Notice tone={healthTone(webhook)} title={named ? `${webhook.name}: ${healthLine(webhook)}` : healthLine(webhook)}>
      {isFailing(webhook) && <p>{nextAttemptLine(webhook)}</p>}
      {webhook.health.state === 'failing' && share !== null && <p>{share}</p>}
      {named && (
        <p>
          <Link to="/w/$workspaceId/webhooks/$id" params={{ workspaceId, id: webhook.id }}>
            {texts.viewWebhook(webhook.name)}
          </Link>
        </p>
      )}
      {isFailing(webhook) && <Remedies webhook={webhook} />}
    </Notice>
  )
}

function Remedies({ webhook: { id, name } }: { readonly webhook: Webhook }): ReactNode {
  const workspace = useWorkspace()
  const [isRecovering, setIsRecovering] = useState(false)
  const resume = useChange('webhooks.resume', ['deliveries', 'usage'])
  return (
    <>
      {workspace.may('webhooks:write') && workspace.may('deliveries:replay') && <p>{texts.whichOfTheTwo}</p>}
      <Row>
        {workspace.may('webhooks:write') && (
          <Button
            size="small"
            isBusy={resume.isPending}
            onClick={() => resume.mutate({ id }, { onSuccess: () => announce(texts.retryingTheDeliveriesOf(name)) })}
          >
            {texts.retryNow}
          </Button>
        )}
        {workspace.may('deliveries:replay') && (
          <Button size="small" icon="rotate" onClick={() => setIsRecovering(true)}>
            {texts.resendDeliveriesOfIt}
          </Button>
        )}
      </Row>
      {resume.error !== null && <FailureNotice failure={failureOf(resume.error)} />}
      <ResendDialog
        request={isRecovering ? { kind: 'filter', webhookId: id } : null}
        webhooks={[{ id, name }]}
        onClose={() => setIsRecovering(false)}
        onStarted={() => {}}
      />
    </>
  )
}
