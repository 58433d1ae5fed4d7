// What the inspector has received of a webhook, newest first, each with what was found of its signatures.
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { inspectedRequestsMax, type InspectedRequest } from '#contract/inspector.ts'
import { failureOf } from '../../app/failure.ts'
import { useAnswer, useWorkspace } from '../../app/workspace.ts'
import { Badge } from '../../ui/badge.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Facts, Section, Stack } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import css from './webhooks.module.css'
import { texts } from './texts.tsx'

const refreshEveryMs = 3_000

export function InspectedRequests({ webhookId }: { readonly webhookId: string }): ReactNode {
  const { data, error, refetch } = useAnswer(
    'webhooks.list-inspected-requests',
    { id: webhookId },
    { refetchInterval: refreshEveryMs },
  )
  return (
    <Section title={texts.inspector} about={texts.whatTheInspectorReceivedThe(inspectedRequestsMax)}>
      {error !== null && <FailureNotice failure={failureOf(error)} retry={() => void refetch()} />}
      {data?.data.length === 0 && (
        <EmptyState icon="activity" title={texts.noRequestsReceived} text={texts.sendATestOrChange} />
      )}
      {data !== undefined && data.data.length > 0 && (
        <ol className={css.inspected} aria-label={texts.receivedRequests}>
          {data.data.map((request) => (
            <li key={request.id}>
              <OneRequest request={request} />
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

function OneRequest({ request }: { readonly request: InspectedRequest }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { eventType, attempt, answeredStatus, receivedAt, signatures } = request
  const isValid = signatures.standard.isValid && signatures.own.isValid
  return (
    <details className={css.request} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className={css.eventType}>{eventType}</span>
        <Badge tone={isValid ? 'good' : 'bad'}>{isValid ? texts.signaturesValid : texts.signatureInvalid}</Badge>
        <span>{texts.attempt(attempt)}</span>
        <span>{answeredStatus === null ? texts.noResponse : texts.returned(answeredStatus)}</span>
        <RelativeTime at={receivedAt} />
      </summary>
      {isOpen && <Details request={request} />}
    </details>
  )
}

/** By the header of this installation, whose name the operator sets. */
const ownSignature = (headers: Readonly<Record<string, string>>): string =>
  texts.signatureIn(Object.keys(headers).find((name) => /^x-.+-signature$/.test(name)) ?? 'x-…-signature')

function Details({ request }: { readonly request: InspectedRequest }): ReactNode {
  const { id: workspaceId } = useWorkspace()
  const { id: inspectedRequestId, webhookId, deliveryId, method, path, headers, signatures } = request
  const { data: whole, error } = useAnswer('webhooks.get-inspected-request', { id: webhookId, inspectedRequestId })
  const { ageSeconds } = signatures
  return (
    <div className={css.requestDetails}>
      <Facts
        facts={[
          { name: texts.standardWebhooksSignature, value: <Verdict {...signatures.standard} /> },
          { name: ownSignature(headers), value: <Verdict {...signatures.own} /> },
          { name: texts.ageOfTheTimestamp, value: ageSeconds === null ? texts.noTimestamp : `${ageSeconds} s` },
          {
            name: texts.delivery,
            value: (
              <Link to="/w/$workspaceId/deliveries/$id" params={{ workspaceId, id: deliveryId }}>
                {texts.viewAttempts}
              </Link>
            ),
          },
        ]}
      />
      <Stack>
        <p className={css.wholeUrl}>
          {method} {path}
        </p>
        <dl className={css.headers}>
          {Object.entries(headers).map(([name, value]) => (
            <div key={name} className={css.header}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {error !== null && <FailureNotice failure={failureOf(error)} />}
        {whole !== undefined && <CodeBlock text={whole.body} what={texts.bodyAsItWasSent} />}
      </Stack>
    </div>
  )
}

const Verdict = ({ isValid, problem }: InspectedRequest['signatures']['own']): ReactNode =>
  isValid ? <Badge tone="good">{texts.valid}</Badge> : <span>{texts.invalid(problem)}</span>
