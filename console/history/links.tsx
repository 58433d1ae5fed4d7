// Links from what has happened to what it happened to, to who did it, and to the request by which it was done.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Actor } from '#contract/shared-fields.ts'
import { useWorkspace } from '../app/workspace.ts'
import { texts } from './texts.ts'

/** To all events and audit entries about the object. */
export function ObjectHistoryLink({
  id,
  onLeave,
  children = texts.allActivityOfThisObject,
}: {
  readonly id: string
  /** It may lead to the page that is shown: what stands over that closes. */
  readonly onLeave?: () => void
  readonly children?: ReactNode
}): ReactNode {
  const { id: workspaceId } = useWorkspace()
  return (
    <Link to="/w/$workspaceId/objects/$id" params={{ workspaceId, id }} onClick={onLeave}>
      {children}
    </Link>
  )
}

/** A key has a page; a person has none of their own. */
export function ActorName({
  actor: { type, id, name },
}: {
  readonly actor: Pick<Actor, 'type' | 'id' | 'name'>
}): ReactNode {
  const { id: workspaceId, may } = useWorkspace()
  if (type !== 'api_key' || !may('api-keys:read')) return name
  return (
    <Link to="/w/$workspaceId/keys/$id" params={{ workspaceId, id }}>
      {name}
    </Link>
  )
}

/** The API log has the requests of keys alone, and is not for everyone who sees events. */
export function RequestLink({ requestId }: { readonly requestId: string }): ReactNode {
  const { id: workspaceId, may } = useWorkspace()
  if (!may('requests:read')) return null
  return (
    <Link to="/w/$workspaceId/requests" params={{ workspaceId }} search={{ q: requestId }}>
      {texts.viewInApiLog}
    </Link>
  )
}

const doneBy = {
  key: { events: texts.eventsOfThisKey, audit: texts.auditEntriesOfThisKey, requests: texts.requestsOfThisKey },
  member: {
    events: texts.eventsByThisMember,
    audit: texts.auditEntriesByThisMember,
    requests: texts.requestsWithKeysOfThis,
  },
} as const

/** What an actor has done in this workspace, in each of the three logs that the reader may see. */
export function DoneBy({ id, kind }: { readonly id: string; readonly kind: keyof typeof doneBy }): ReactNode {
  const { id: workspaceId, may } = useWorkspace()
  const params = { workspaceId }
  const { events, audit, requests } = doneBy[kind]
  return (
    <>
      {may('events:read') && (
        <Link to="/w/$workspaceId/events" params={params} search={{ actor: id }}>
          {events}
        </Link>
      )}
      {may('audit-entries:read') && (
        <Link to="/w/$workspaceId/audit" params={params} search={{ actor: id }}>
          {audit}
        </Link>
      )}
      {may('requests:read') && (
        <Link to="/w/$workspaceId/requests" params={params} search={kind === 'key' ? { key: id } : { member: id }}>
          {requests}
        </Link>
      )}
    </>
  )
}

/** Tools and sessions are named as targets as well, and have no history. */
export const hasHistory = ({ type }: { readonly type: string }): boolean => !['tool', 'session'].includes(type)
