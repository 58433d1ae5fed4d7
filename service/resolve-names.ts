// Puts ids in the place of the names in a call's input (`WEB-42`, `ext:erp/4711`, `ada@example.com`, `me`), before its
// handler runs: handlers know ids alone. A name that no object has becomes an id that no object has, so that the
// handler answers as it does for an unknown id; the refusal names the text.
import { Fault, type FieldError } from '#contract/faults/fault.ts'
import { changes, type Operation } from '#contract/operation.ts'
import { parseName, segmentOfReference, type ObjectName, type ReferenceKind } from '#contract/references.ts'
import { ownIdsNamed } from './collection/read-rows.ts'
import { ownersOfAddresses } from './crm-entities/rows.ts'
import { assertHolds } from './execution/authorize.ts'
import type { Call } from './execution/call.ts'
import { missingReference } from './faults/shared-faults.ts'
import { membersNamed, noOwner, ownerOfKey } from './members/rows.ts'
import { projectsByKey, tasksByIdentifier } from './tasks/rows.ts'
import { stepsOf } from './text/json.ts'
import { namesIn, referencesIn, repeatedIn, type NamedObject, type ReplaceReferences } from './validation/references.ts'
import { addressed, assertNone } from './validation/validate-operation.ts'

type AnyHandler<I> = (input: I, call: Call) => Promise<unknown>

/** The handler itself for an operation that takes no names. A call with ids alone costs no statement more. */
export function resolvingNames<I>(operation: Operation, handler: AnyHandler<I>): AnyHandler<I> {
  const replace = referencesIn(operation.input)
  if (replace === null) return handler
  return async (input, call) => {
    const names = namesIn(input, replace)
    if (names.length === 0) return await handler(input, call)
    const { ids, unknown } = await idsOf(operation, names, call)
    assertNone(operation, unknown.flatMap(standsForNoOne))
    // Text has taken the place of text: the type is the same.
    const resolved = replace(input, ({ kind, name }) => ids.get(keyOf({ kind, name })) ?? name) as I
    if (changes(operation)) assertNoneRepeated(operation, resolved, replace)
    const output = await handler(resolved, call).catch((thrown: unknown) => {
      throw namingTexts(thrown, unknown)
    })
    assertKnown(operation, unknown)
    return output
  }
}

/** All handlers, each for the operation of its name. */
export const resolvingNamesInAll = <H extends Readonly<Record<string, unknown>>>(
  handlers: H,
  operationNamed: (name: string) => Operation,
): H =>
  // Each is replaced by one that takes and returns the same.
  Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [
      name,
      resolvingNames(operationNamed(name), handler as AnyHandler<unknown>),
    ]),
  ) as H

type Resolved = { readonly ids: ReadonlyMap<string, string>; readonly unknown: readonly NamedObject[] }

async function idsOf(operation: Operation, names: readonly NamedObject[], call: Call): Promise<Resolved> {
  const found = new Map<string, readonly string[]>()
  const parsed = names.flatMap(({ kind, name }) => {
    const of = parseName(name)
    return of === null ? [] : [{ kind, name, of }]
  })
  for (const asked of Map.groupBy(parsed, ({ kind, of }) => `${kind} ${of.form}`).values()) {
    const { kind } = asked[0]!
    const once = [...new Map(asked.map((each) => [each.name, each])).values()]
    const rows = await lookUp(kind, once, call)
    for (const [name, of] of Map.groupBy(rows, (row) => row.name))
      found.set(
        keyOf({ kind, name }),
        of.map(({ id }) => id),
      )
  }
  assertNone(operation, names.flatMap(ambiguous(found)))
  const unknown = names.filter((named) => !found.has(keyOf(named)))
  return {
    ids: new Map([
      ...[...found].map(([key, [id = '']]): [string, string] => [key, id]),
      ...unknown.map((named, at): [string, string] => [keyOf(named), idOfNone(at)]),
    ]),
    unknown,
  }
}

const keyOf = ({ kind, name }: Pick<NamedObject, 'kind' | 'name'>): string => `${kind} ${name}`

/** Ids are drawn by time: none begins so. Each is another one, for a list of them holds no id twice. */
const idOfNone = (at: number): string => `00000000-0000-0000-0000-${String(at).padStart(12, '0')}`

/** Which of several is meant only the caller can say. */
const ambiguous =
  (found: ReadonlyMap<string, readonly string[]>) =>
  (named: NamedObject): FieldError[] => {
    const candidates = found.get(keyOf(named)) ?? []
    if (candidates.length < 2) return []
    const detail = `\`${named.name}\` names several: send the id of one, ${candidates.join(' or ')}.`
    return [{ pointer: named.pointer, code: 'not_unique', detail }]
  }

const noKey = '`me` is the key that calls, and this is not called with one.'

/** An error for `me` where it stands for no one. Other names may be those of an object that is gone. */
function standsForNoOne({ kind, name, pointer }: NamedObject): FieldError[] {
  if (parseName(name)?.form !== 'called') return []
  const detail = kind === 'member' ? noOwner : kind === 'key' ? noKey : null
  return detail === null ? [] : [{ pointer, code: 'wrong_format', detail }]
}

function assertNoneRepeated(operation: Operation, resolved: unknown, replace: ReplaceReferences): void {
  const detail = 'Names the same object twice.'
  assertNone(
    operation,
    repeatedIn(resolved, replace).map((pointer) => ({ pointer, code: 'not_unique', detail })),
  )
}

/** Not every handler looks at what its body names: an id that nothing has must not be kept. */
function assertKnown(operation: Operation, unknown: readonly NamedObject[]): void {
  const named = unknown.find(({ pointer }) => !addressed(operation).includes(stepsOf(pointer)[0] ?? ''))
  if (named !== undefined) throw namingTexts(missingReference(named.pointer.slice(1)), unknown)
}

/** What the handler says of an id that nothing has, with the text that stands in its place. */
function namingTexts(thrown: unknown, unknown: readonly NamedObject[]): unknown {
  if (!(thrown instanceof Fault) || thrown.code !== 'reference_not_found') return thrown
  const { members } = thrown
  const errors = (members.errors ?? []).map((error): FieldError => {
    const named = unknown.find(({ pointer }) => pointer === error.pointer)
    return named === undefined ? error : { ...error, detail: `No ${nounOf[named.kind]} is called \`${named.name}\`.` }
  })
  return new Fault(thrown.code, thrown.message, { ...members, errors }, thrown)
}

const nounOf: Readonly<Record<ReferenceKind, string>> = {
  task: 'task',
  project: 'project',
  member: 'member',
  key: 'key',
  company: 'company',
  contact: 'contact',
  'crm-entity': 'CRM entity',
  document: 'document',
  comment: 'comment',
}

type AskedName = { readonly kind: ReferenceKind; readonly name: string; readonly of: ObjectName }
type FoundName = { readonly name: string; readonly id: string }

/** All of one kind and one form. Deleted objects are found too; several of one name only up to a handful. */
async function lookUp(kind: ReferenceKind, asked: readonly AskedName[], call: Call): Promise<readonly FoundName[]> {
  const { db, workspaceId } = call
  const names = asked.map(({ name }) => name)
  const texts = asked.map(({ of }) => ('text' in of ? of.text : ''))
  const segment = segmentOfReference[kind]
  switch (asked[0]?.of.form) {
    case 'own-id': {
      const ownIds = asked.flatMap(({ name, of }) => (of.form === 'own-id' ? [{ name, ...of }] : []))
      return segment === undefined ? [] : await ownIdsNamed(db, tableOf[segment], workspaceId, ownIds)
    }
    case 'email':
    case 'domain': {
      // What belongs to a person or a company is told to no key that may not read it.
      if (kind === 'member') return await membersNamed(names, call)
      assertHolds(['crm-entities:read'], call.principal.scopes, 'To name a CRM entity by domain or email')
      return await ownersOfAddresses(db, asked[0].of.form, workspaceId, names, texts)
    }
    case 'called':
      return (await lookUpCalled[kind]?.(names, call)) ?? []
    default:
      return []
  }
}

const tableOf = {
  projects: 'project',
  tasks: 'task',
  'crm-entities': 'crm_entity',
  documents: 'document',
  comments: 'comment',
} as const

type LookUpCalled = (names: readonly string[], call: Call) => Promise<readonly FoundName[]>

const lookUpCalled: Readonly<Partial<Record<ReferenceKind, LookUpCalled>>> = {
  task: (names, { db, workspaceId }) => tasksByIdentifier(db, workspaceId, names),
  project: (names, { db, workspaceId }) => projectsByKey(db, workspaceId, names),
  // `me` is the only name that a member has.
  async member(names, call) {
    const ownerId = await ownerOfKey(call)
    return ownerId === null ? [] : names.map((name) => ({ name, id: ownerId }))
  },
  // And of a key: the one that calls.
  key: (names, { principal }) =>
    Promise.resolve(principal.kind === 'api_key' ? names.map((name) => ({ name, id: principal.id })) : []),
}
