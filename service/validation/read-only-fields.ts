// A field that answers show and calls cannot set is refused as `read_only`, not as unknown.
import type { FieldError } from '#contract/faults/fault.ts'
import { methodOf, type Operation } from '#contract/operation.ts'
import { stepsOf } from '../text/json-pointer.ts'
import type { SchemaNode } from '#contract/json-schema.ts'

/** Returns the same errors, those about such fields with the code `read_only`. */
export function markReadOnly(operation: Operation, errors: readonly FieldError[]): readonly FieldError[] {
  if (methodOf(operation) === 'GET' || errors.every(({ code }) => code !== 'unknown')) return errors
  const shown = new Set(namesIn(operation.output))
  return errors.map((error) => {
    const [name = '', ...inner] = stepsOf(error.pointer ?? '')
    const isShown = error.code === 'unknown' && inner.length === 0 && shown.has(name)
    return isShown ? { ...error, code: 'read_only', detail: 'Can be read, and not be written here.' } : error
  })
}

/** The fields of stored objects, which have an id; other answers hold nothing of what was sent. */
function namesIn({ anyOf = [], properties = {} }: SchemaNode): string[] {
  return [...('id' in properties ? Object.keys(properties) : []), ...anyOf.flatMap(namesIn)]
}
