// What the command palette finds: pages, keys, webhooks and members by their names, deliveries and requests by their
// ids. What a member's role may not read is not asked for.
import { linkOptions, type LinkProps } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { IconName } from '../ui/icon.tsx'
import { navigation } from './navigation.ts'
import { useWholeList } from './whole-list.ts'
import { useAnswer, useWorkspace, type Workspace } from './workspace.ts'
import { foundMax, idIn, matching } from './matching.ts'
import { texts } from './texts.tsx'

/** `link`: where it leads. */
export type Found = {
  readonly id: string
  readonly name: string
  readonly detail: string
  readonly icon: IconName
  readonly link: Pick<LinkProps, 'to' | 'params' | 'search'>
}
type FoundGroup = { readonly title: string; readonly found: readonly Found[] }
export type Finding = {
  readonly groups: readonly FoundGroup[]
  readonly isSearching: boolean
  /** What could not be searched. */
  readonly failed: readonly string[]
}

const typingMs = 150
/** The list of members takes no shorter text. */
const memberTextMin = 2

export function useFound(text: string): Finding {
  const workspace = useWorkspace()
  const asked = useSettled(text.trim())
  const keys = useKeys(workspace)
  const webhooks = useWebhooks(workspace)
  const members = useMembers(workspace, asked)
  const byId = useById(workspace, idIn(asked))
  const places = placesOf(workspace)
  if (text.trim() === '') return { groups: [{ title: texts.pages, found: places }], isSearching: false, failed: [] }
  const groups = [
    { title: texts.pages, found: matching(places, text) },
    { title: texts.apiKeys, found: matching(keys.found, text) },
    { title: texts.webhooks, found: matching(webhooks.found, text) },
    { title: texts.members, found: members.found },
    { title: texts.byId, found: byId.found },
    { title: texts.apiLog, found: workspace.may('requests:read') ? [inApiLog(workspace.id, text.trim())] : [] },
  ]
  const sources = [keys, webhooks, members, byId]
  return {
    groups: groups.filter(({ found }) => found.length > 0),
    isSearching: asked !== text.trim() || sources.some(({ isSearching }) => isSearching),
    failed: sources.flatMap(({ failed }) => failed ?? []),
  }
}

/** The text once the typing has stopped. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

type Source = { readonly found: readonly Found[]; readonly isSearching: boolean; readonly failed?: string }

function placesOf({ id: workspaceId, may }: Workspace): Found[] {
  const pages = navigation.flatMap(({ title, entries }) =>
    entries
      .filter(({ scope }) => may(scope))
      .map(({ to, label, icon }) => ({
        id: to,
        name: label,
        detail: title,
        icon,
        link: { to, params: { workspaceId } },
      })),
  )
  const forms = [
    { to: '/w/$workspaceId/keys/new', name: texts.createKey, icon: 'plus', scope: 'api-keys:write' },
    { to: '/w/$workspaceId/webhooks/new', name: texts.createWebhook, icon: 'plus', scope: 'webhooks:write' },
  ] as const
  const account = {
    id: '/account',
    name: texts.account,
    detail: texts.you,
    icon: 'members',
    link: { to: '/account' },
  } as const
  return [
    ...pages,
    ...forms
      .filter(({ scope }) => may(scope))
      .map(({ to, name, icon }) => ({ id: to, name, detail: texts.new, icon, link: { to, params: { workspaceId } } })),
    account,
  ]
}

function useKeys({ id: workspaceId, may }: Workspace): Source {
  const enabled = may('api-keys:read')
  const state = useWholeList('api-keys.list', { limit: 200 }, { enabled })
  const rows = state.kind === 'rows' ? state.rows : []
  return {
    found: rows.map(({ id, name, prefix }) => ({
      ...{ id, name, detail: prefix },
      icon: 'key',
      link: linkOptions({ to: '/w/$workspaceId/keys/$id', params: { workspaceId, id } }),
    })),
    ...stateOf(enabled, state.kind, texts.apiKeys),
  }
}

function useWebhooks({ id: workspaceId, may }: Workspace): Source {
  const enabled = may('webhooks:read')
  const state = useWholeList('webhooks.list', {}, { enabled })
  const rows = state.kind === 'rows' ? state.rows : []
  return {
    found: rows.map(({ id, name, url }) => ({
      ...{ id, name, detail: url },
      icon: 'webhook',
      link: linkOptions({ to: '/w/$workspaceId/webhooks/$id', params: { workspaceId, id } }),
    })),
    ...stateOf(enabled, state.kind, texts.webhooks),
  }
}

/** A list that is not asked for stays at its beginning. */
const stateOf = (enabled: boolean, kind: string, what: string) => ({
  isSearching: enabled && kind === 'loading',
  ...(kind === 'failed' && { failed: what }),
})

function useMembers({ id: workspaceId, may }: Workspace, text: string): Source {
  const isAsked = may('members:read') && text.length >= memberTextMin && idIn(text) === null
  const { data, isFetching, isError } = useAnswer(
    'members.list',
    { q: text, sort: 'name', limit: foundMax },
    { enabled: isAsked },
  )
  const rows = isAsked ? (data?.data ?? []) : []
  return {
    found: rows.flatMap((member) =>
      'name' in member
        ? [
            {
              ...{ id: member.id, name: member.name, detail: member.email, icon: 'members' as const },
              link: linkOptions({
                to: '/w/$workspaceId/members',
                params: { workspaceId },
                search: { q: member.email },
              }),
            },
          ]
        : [],
    ),
    isSearching: isAsked && isFetching,
    ...(isAsked && isError && { failed: texts.members }),
  }
}

/** An id may be that of a delivery, of a request, or of an object that calls were about. */
function useById({ id: workspaceId, may }: Workspace, id: string | null): Source {
  const wanted = id ?? ''
  const deliveries = id !== null && may('deliveries:read')
  const requests = id !== null && may('requests:read')
  const delivery = useAnswer('deliveries.get', { id: wanted }, { enabled: deliveries })
  const request = useAnswer('requests.get', { id: wanted }, { enabled: requests })
  return {
    found: [
      ...(deliveries && delivery.data !== undefined
        ? [
            {
              ...{ id: texts.delivery(wanted), name: texts.deliveryOf(delivery.data.eventType), detail: wanted },
              icon: 'send' as const,
              link: linkOptions({ to: '/w/$workspaceId/deliveries/$id', params: { workspaceId, id: wanted } }),
            },
          ]
        : []),
      ...(requests && request.data !== undefined
        ? [
            {
              ...{ id: texts.request(wanted), name: `${request.data.method} ${request.data.path}`, detail: wanted },
              icon: 'requests' as const,
              link: linkOptions({ to: '/w/$workspaceId/requests/$id', params: { workspaceId, id: wanted } }),
            },
          ]
        : []),
      ...(requests
        ? [
            {
              ...{ id: texts.object(wanted), name: texts.requestsAboutThisObject, detail: wanted },
              icon: 'requests' as const,
              link: linkOptions({
                to: '/w/$workspaceId/requests',
                params: { workspaceId },
                search: { object: wanted },
              }),
            },
          ]
        : []),
    ],
    isSearching: (deliveries && delivery.isFetching) || (requests && request.isFetching),
  }
}

const inApiLog = (workspaceId: string, text: string): Found => ({
  ...{ id: texts.apiLogInLowerCase, name: texts.searchTheApiLogFor(text), detail: texts.requestIdPathErrorCode },
  icon: 'search',
  link: linkOptions({ to: '/w/$workspaceId/requests', params: { workspaceId }, search: { q: text } }),
})
