// Puts ids in the place of the names in a call's input (`WEB-42`, `WEB`, `me`), before its handler runs: handlers know
// ids alone. A name that no object has becomes an id that no object has, so that the handler answers as it does for an
// unknown id.
import type { FieldError } from '#contract/faults/fault.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { changes, type Operation } from '#contract/operation.ts'
import { referenceFormat, type ReferenceKind } from '#contract/references.ts'
import { isEmptiness } from '#contract/text-values.ts'
import type { Call } from './execution/call.ts'
import { missingReference } from './faults/shared-faults.ts'
import { noOwner, ownerOfKey } from './members/rows.ts'
import { projectIdsByKey, taskIdsByIdentifier } from './tasks/rows.ts'
import { stepsOf, pointerTo } from './text/json.ts'
import { textRewriter } from './validation/normalize-input.ts'
import { addressed, assertNone } from './validation/validate-operation.ts'

type AnyHandler<I> = (input: I, call: Call) => Promise<unknown>

/** The handler itself for an operation that takes no names. A call with ids alone costs no statement more. */
export function resolvingNames<I>(operation: Operation, handler: AnyHandler<I>): AnyHandler<I> {
  const replace = referencesIn(operation.input)
  if (replace === null) return handler
  return async (input, call) => {
    const names = namesIn(input, replace)
    if (names.length === 0) return await handler(input, call)
    const { ids, unknown } = await idsOf(names, call)
    assertNone(operation, unknown.flatMap(standsForNoOne))
    // Text has taken the place of text: the type is the same.
    const resolved = replace(input, ({ kind, name }) => ids.get(keyOf({ kind, name })) ?? name) as I
    if (changes(operation)) assertNoneRepeated(operation, resolved, replace)
    const output = await handler(resolved, call)
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

async function idsOf(names: readonly NamedObject[], call: Call): Promise<Resolved> {
  const ids = new Map<string, string>()
  for (const [kind, ofKind] of Map.groupBy(names, (named) => named.kind)) {
    const found = await lookUp[kind]([...new Set(ofKind.map(({ name }) => name))], call)
    for (const [name, id] of found) ids.set(keyOf({ kind, name }), id)
  }
  const unknown = names.filter((named) => !ids.has(keyOf(named)))
  for (const [at, named] of unknown.entries()) ids.set(keyOf(named), idOfNone(at))
  return { ids, unknown }
}

const keyOf = ({ kind, name }: Pick<NamedObject, 'kind' | 'name'>): string => `${kind} ${name}`

/** Ids are drawn by time: none begins so. Each is another one, for a list of them holds no id twice. */
const idOfNone = (at: number): string => `00000000-0000-0000-0000-${String(at).padStart(12, '0')}`

const noKey = '`me` is the key that calls, and this is not called with one.'

/** An error for `me` where it stands for no one. Other names may be those of an object that is gone. */
function standsForNoOne({ kind, pointer }: NamedObject): FieldError[] {
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
  if (named !== undefined) throw missingReference(named.pointer.slice(1))
}

/** The text that the input has at `pointer`, an id or a name, without the `!` of a filter. */
export type NamedObject = { readonly kind: ReferenceKind; readonly name: string; readonly pointer: string }

/** Returns the input with what `idOf` returns in the place of each reference. */
export type ReplaceReferences = (input: unknown, idOf: (named: NamedObject) => string) => unknown

/** Null where the schema takes no references. */
export function referencesIn(schema: SchemaNode): ReplaceReferences | null {
  const rewriter = textRewriter(schema, (format) => referenceFormat(format) !== null)
  if (rewriter === null) return null
  return (input, idOf) =>
    rewriter(input, (text, format, path) => {
      const found = referenceFormat(format)
      if (found === null) return text
      const sign = found.isNegatable && text.startsWith('!') ? '!' : ''
      if (found.mayBeEmpty && isEmptiness(text.slice(sign.length))) return text
      return sign + idOf({ kind: found.kind, name: text.slice(sign.length), pointer: pointerTo(path) })
    })
}

/** The references that are no ids, in the order of the input. */
export function namesIn(input: unknown, replace: ReplaceReferences): NamedObject[] {
  const names: NamedObject[] = []
  replace(input, (named) => {
    if (!isId(named.name)) names.push(named)
    return named.name
  })
  return names
}

/** A UUID has 36 characters; keys, identifiers and `me` are shorter. */
const isId = (name: string): boolean => name.length === 36

/** Returns the places where a list names an object for the second time, once all of its names are ids. */
export function repeatedIn(input: unknown, replace: ReplaceReferences): string[] {
  const seen = new Set<string>()
  const repeated: string[] = []
  replace(input, ({ name, pointer }) => {
    const inList = `${pointer.replace(/\/\d+$/, '')} ${name}`
    if (seen.has(inList)) repeated.push(pointer)
    seen.add(inList)
    return name
  })
  return repeated
}

/** Deleted objects are found too. The ids by name; a name that nothing has is missing. */
type LookUp = (names: readonly string[], call: Call) => Promise<ReadonlyMap<string, string>>

const lookUp: Readonly<Record<ReferenceKind, LookUp>> = {
  task: (names, { db, workspaceId }) => taskIdsByIdentifier(db, workspaceId, names),
  project: (names, { db, workspaceId }) => projectIdsByKey(db, workspaceId, names),
  // `me` is the only name that a member has.
  async member(names, call) {
    const ownerId = await ownerOfKey(call)
    return new Map(ownerId === null ? [] : names.map((name) => [name, ownerId]))
  },
  // And of a key: the one that calls.
  async key(names, { principal }) {
    return new Map(principal.kind === 'api_key' ? names.map((name) => [name, principal.id]) : [])
  },
}
