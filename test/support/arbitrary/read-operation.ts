// The read operation for the object that a call creates or deletes, found by the paths of the contract.
import { operations } from '#contract/api.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames } from '#contract/route-paths.ts'

type Fields = Readonly<Record<string, unknown>>
type Read = { readonly operation: Operation; readonly input: Fields }

// DELETE of a key or a custom field is no deletion: they are revoked, or archived.
export const isDelete = ({ name }: Operation): boolean => /\.(?:delete|remove)(?:-|$)/.test(name)

/** For an object created at its own path (PUT), or in a collection (POST) with this id. */
export function readOfMade(made: Operation, input: Fields, id: unknown): Read | null {
  if (methodOf(made) !== 'POST') return readAt(made, input)
  const path = pathOf(made)
  const operation = reads.find((each) => pathOf(each).startsWith(path) && isOneName(pathOf(each).slice(path.length)))
  if (operation === undefined) return null
  const last = parameterNames(pathOf(operation)).at(-1) ?? ''
  return { operation, input: { ...parametersOf(operation, input), [last]: id } }
}

export function readAt(changed: Operation, input: Fields): Read | null {
  const operation = reads.find((each) => pathOf(each) === pathOf(changed))
  return operation === undefined ? null : { operation, input: parametersOf(operation, input) }
}

const reads = operations.filter((each) => methodOf(each) === 'GET')

const isOneName = (path: string): boolean => /^\/\{\w+\}$/.test(path)

const parametersOf = (operation: Operation, input: Fields): Fields =>
  Object.fromEntries(parameterNames(pathOf(operation)).map((name) => [name, input[name]]))
