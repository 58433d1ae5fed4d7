// The parts of the contract that the console needs at run time, made at build time. A bundle with the contract itself
// would carry every description and TypeBox.
//
// `virtual:routes` has method and path of each operation that the console may call, by name.
// `virtual:input/<operation>` has what the operation takes, as the JSON Schema that forms are checked by.
// `virtual:streams` has the path of each stream and what its messages are called. `virtual:event-kinds` has each kind
// of event with a sentence and an example of what a webhook gets. `virtual:event-patterns` has what lists can be
// filtered by. `virtual:audited-actions` has the actions that the audit log can be filtered by, and `virtual:days` has
// the periods that pages name. Their types are in console/app/contract-modules.d.ts.
import type { Plugin } from 'vite'
import { eventCatalogue, operations, streams } from '#contract/api.ts'
import { auditedActions } from '#contract/audited-actions.ts'
import type { Event } from '#contract/event.ts'
import { invitationDays } from '#contract/invitations.ts'
import { exampleEvent } from '#contract/openapi/recorded-examples.ts'
import { methodOf, type Operation } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { readScopeOf } from '#contract/scopes.ts'

const routes = 'virtual:routes'
const actions = 'virtual:audited-actions'
const input = 'virtual:input/'
const streamsModule = 'virtual:streams'
const eventKinds = 'virtual:event-kinds'
const patterns = 'virtual:event-patterns'
const days = 'virtual:days'

const modules: Readonly<Record<string, () => string>> = {
  [routes]: () => exported('routes', routesByName()),
  [actions]: () => exported('auditedActions', auditedActions),
  [streamsModule]: () => exported('streams', streamsByName()),
  [eventKinds]: () => exported('eventKinds', eventCatalogue.map(kindOf)),
  [days]: () => exported('days', { invitationDays }),
  [patterns]: () => exported('eventPatterns', eventPatterns()),
}

export const contractModules = (): Plugin => ({
  name: 'contract-modules',
  resolveId: (id) => (id in modules || id.startsWith(input) ? `\0${id}` : null),
  load(id) {
    const made = id.startsWith('\0') ? modules[id.slice(1)] : undefined
    if (made !== undefined) return made()
    if (id.startsWith(`\0${input}`))
      return exported('input', checksOf(settingsOperation(id.slice(input.length + 1)).input))
    return null
  },
})

const exported = (name: string, value: unknown): string => `export const ${name} = ${JSON.stringify(value)}`

const ofConsole = operations.filter(({ audiences }) => audiences.includes('settings'))

/** `GET /settings/api/workspaces/{workspaceId}/api-keys` by `api-keys.list`. */
const routesByName = (): Record<string, string> =>
  Object.fromEntries(ofConsole.map((each) => [each.name, `${methodOf(each)} ${pathFor(each, 'settings')}`]))

const streamsByName = (): Record<string, object> =>
  Object.fromEntries(streams.map(({ asked, message }) => [asked.name, { path: pathFor(asked, 'settings'), message }]))

const kindOf = (event: Event): object => ({
  type: event.type,
  summary: event.summary,
  scope: readScopeOf(event.type),
  example: exampleEvent(event),
})

/** All kinds of a resource, then each of them. */
function eventPatterns(): string[] {
  const bySegment = Map.groupBy(eventCatalogue, ({ type }) => type.slice(0, type.indexOf('.')))
  return [...bySegment].flatMap(([segment, events]) => [`${segment}.*`, ...events.map(({ type }) => type)])
}

function settingsOperation(name: string): Operation {
  const found = ofConsole.find((each) => each.name === name)
  if (found === undefined) throw new Error(`The console has no operation ${name}`)
  return found
}

/** A schema without its texts for people: a form has its own. */
function checksOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(checksOf)
  if (typeof schema !== 'object' || schema === null) return schema
  const kept = Object.entries(schema).filter(([key, value]) => !(key === 'description' && typeof value === 'string'))
  return Object.fromEntries(kept.map(([key, value]) => [key, checksOf(value)]))
}
