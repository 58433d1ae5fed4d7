// Puts ids in the place of the names in a call's input, before its handler runs: handlers know ids alone. A name that no
// object has becomes an id that no object has, so that the handler answers as it does for an unknown id.
import type { FieldError } from '#contract/faults/fault.ts'
import { changes, type Operation } from '#contract/operation.ts'
import type { Call } from '../execution/handler.ts'
import { missingReference } from '../faults/database-fault.ts'
import { noOwner } from '../members/owner-of-key.ts'
import { stepsOf } from '../text/json-pointer.ts'
import { addressed, assertNone } from '../validation/validate-operation.ts'
import { lookUp } from './look-up.ts'
import { namesIn, referencesIn, repeatedIn, type NamedObject, type ReplaceReferences } from './named-objects.ts'

type AnyHandler<I> = (input: I, call: Call) => Promise<unknown>

/** The handler itself for an operation that takes no names. A call with ids alone costs no statement more. */
export function resolvingNames<I>(operation: Operation, handler: AnyHandler<I>): AnyHandler<I> {
  const replace = referencesIn(operation.input)
  if (replace === null) return handler
  return async (input, call) => {
    const names = namesIn(input, replace)
    if (names.length === 0) return await handler(input, call)
    const { ids, unknown } = await idsOf(names, call)
    assertNone(operation, unknown.flatMap(standsForNobody))
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

/** What `me` should have stood for. Other names may be those of an object that is gone. */
function standsForNobody({ kind, pointer }: NamedObject): FieldError[] {
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
