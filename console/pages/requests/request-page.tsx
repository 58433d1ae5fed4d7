// One request of the API log: why it was refused, what it was, and what leads on from it: its key, its object, and
// other requests like it.
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { LoggedRequest } from '#contract/api-calls.ts'
import { failureOf } from '../../app/failure.ts'
import { LoadingPage } from '../../app/page-states.tsx'
import { useAnswer, useWorkspace } from '../../app/workspace.ts'
import { fullCount, milliseconds } from '../../charts/scale.ts'
import { ObjectHistoryLink } from '../../history/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { CopyLine } from '../../ui/code-block.tsx'
import { FailureNotice, Notice } from '../../ui/failure-notice.tsx'
import { Facts, Page, Row, Section } from '../../ui/page.tsx'
import { ExactTime } from '../../ui/relative-time.tsx'
import { statusTone } from '../../usage/status-tone.ts'
import { surfaceWords, type RequestSearch } from './request-search.ts'
import { texts } from './texts.ts'

export function RequestPage(): ReactNode {
  const { id = '' } = useParams({ strict: false })
  const { id: workspaceId } = useWorkspace()
  const { data: request, error, refetch } = useAnswer('requests.get', { id })
  if (request === undefined && error === null) return <LoadingPage />
  const title = request === undefined ? texts.request : titleOf(request)
  return (
    <Page
      title={title}
      guide="/docs/api-log"
      above={
        <Link to="/w/$workspaceId/requests" params={{ workspaceId }}>
          {texts.apiLog}
        </Link>
      }
    >
      {request === undefined ? (
        <FailureNotice failure={failureOf(error)} retry={() => void refetch()} />
      ) : (
        <>
          <Why request={request} />
          <Facts facts={factsOf(request, workspaceId)} />
          <Section title={texts.relatedRequests}>
            <Related request={request} workspaceId={workspaceId} />
          </Section>
        </>
      )}
    </Page>
  )
}

const titleOf = ({ surface, method, path, operation }: LoggedRequest): string =>
  surface === 'mcp' ? texts.mcp(operation) : `${method} ${path}`

const Why = ({ request: { code, detail, status } }: { readonly request: LoggedRequest }): ReactNode => {
  if (code === null && status < 400) return null
  return (
    <Notice tone={status >= 500 ? 'bad' : 'warn'} title={detail ?? whyOfStatus(status)}>
      {code !== null && (
        <p>
          {code === callerGone ? (
            texts.theClientClosedTheConnection
          ) : (
            <a href={`/docs/errors/${code}`}>{texts.whatMeansAndWhatTo(code)}</a>
          )}
        </p>
      )}
    </Notice>
  )
}

const callerGone = 'client_closed_request'
const whyOfStatus = (status: number): string =>
  status === 499 ? texts.connectionClosedByTheClient : texts.returnedStatus(status)

function factsOf(request: LoggedRequest, workspaceId: string): { name: string; value: ReactNode }[] {
  const { at, status, code, ms, operation, surface, apiKeyId, apiKeyName, apiKeyPrefix } = request
  const { ip, requestId, objectId, leftOut } = request
  const facts: [string, ReactNode][] = [
    [
      texts.status,
      <Badge key="status" tone={code !== null && status < 400 ? 'warn' : statusTone(status)}>
        {status}
      </Badge>,
    ],
    [texts.errorCode, code && <code key="code">{code}</code>],
    [texts.time, <ExactTime key="at" at={at} />],
    [texts.duration, milliseconds(ms)],
    [texts.operation, <code key="operation">{operation}</code>],
    [texts.surface, surfaceWords[surface]],
    [
      texts.key,
      <Link key="key" to="/w/$workspaceId/keys/$id" params={{ workspaceId, id: apiKeyId }}>
        {apiKeyPrefix === null ? apiKeyName : `${apiKeyName} (${apiKeyPrefix}…)`}
      </Link>,
    ],
    [texts.ipAddress, ip && <code key="ip">{ip}</code>],
    [texts.requestId, <CopyLine key="request" text={requestId} what={texts.requestIdCopied} />],
    [texts.objectId, objectId && <CopyLine key="object" text={objectId} what={texts.objectIdCopied} />],
    [
      texts.object,
      objectId && (
        <Row key="link">
          <ObjectHistoryLink id={objectId} />
          <ObjectLink request={request} id={objectId} workspaceId={workspaceId} />
        </Row>
      ),
    ],
    [texts.notKept, leftOut > 0 && texts.similarRequestsBeforeThisOne(fullCount(leftOut))],
  ]
  return facts.flatMap(([name, value]) => (value === null || value === false ? [] : [{ name, value }]))
}

/** To the page of what has one; null for other objects, which are content of the workspace. */
function ObjectLink({
  request: { operation },
  id,
  workspaceId,
}: {
  readonly request: LoggedRequest
  readonly id: string
  readonly workspaceId: string
}): ReactNode {
  const params = { workspaceId, id }
  if (operation.startsWith('webhooks.'))
    return (
      <Link to="/w/$workspaceId/webhooks/$id" params={params}>
        {texts.viewWebhook}
      </Link>
    )
  if (operation.startsWith('deliveries.'))
    return (
      <Link to="/w/$workspaceId/deliveries/$id" params={params}>
        {texts.viewDelivery}
      </Link>
    )
  return null
}

/** Other requests that have something in common with this one. */
function Related({
  request: { apiKeyId, operation, code, ip, objectId },
  workspaceId,
}: {
  readonly request: LoggedRequest
  readonly workspaceId: string
}): ReactNode {
  const related: readonly (readonly [string, RequestSearch] | null)[] = [
    [texts.ofThisKey, { key: apiKeyId }],
    [texts.ofThisOperation, { operation }],
    objectId === null ? null : [texts.aboutThisObject, { object: objectId }],
    code === null ? null : [texts.withThisError, { code }],
    ip === null ? null : [texts.fromThisIpAddress, { ip }],
  ]
  return (
    <ul>
      {related.map((each) =>
        each === null ? null : (
          <li key={each[0]}>
            <Link to="/w/$workspaceId/requests" params={{ workspaceId }} search={each[1]}>
              {each[0]}
            </Link>
          </li>
        ),
      )}
    </ul>
  )
}
