// Checks the values of a form against the schema of its operation before the call, with messages for people. The API
// reports what a schema cannot express. Pure.
import { requiredIn, type SchemaNode } from '#contract/json-schema.ts'
import type { Problem } from '#clients/typescript/src/schema.ts'
import { texts } from './texts.tsx'

export type Mistakes = Readonly<Record<string, string>>
export type FormValues = Readonly<Record<string, unknown>>

/** By the name of the field. Only fields of the schema are looked at. */
export function mistakesIn(schema: SchemaNode, values: FormValues): Mistakes {
  const required = requiredIn(schema)
  const found = Object.entries(schema.properties ?? {}).flatMap(([name, node]) => {
    const mistake = mistakeIn(node, values[name], required.includes(name))
    return mistake === null ? [] : [[name, mistake]]
  })
  return Object.fromEntries(found) as Mistakes
}

function mistakeIn(node: SchemaNode, value: unknown, isRequired: boolean): string | null {
  if (value === undefined || value === '') return isRequired ? texts.thisFieldIsRequired : null
  if (value === null) return null
  if (typeof value === 'string') return mistakeInText(node, value)
  if (typeof value === 'number') return mistakeInNumber(node, value)
  if (Array.isArray(value)) return mistakeInList(node, value)
  return null
}

function mistakeInText({ minLength = 0, maxLength = Infinity, pattern, format, anyOf = [] }: SchemaNode, text: string) {
  const [alternative] = anyOf
  if (alternative !== undefined) return mistakeIn(alternative, text, false)
  if (text.length < minLength) return texts.enterAtLeastCharacters(minLength)
  if (text.length > maxLength) return texts.enterAtMostCharactersCurrently(maxLength, text.length)
  if (format === 'email' && !/^[^\s@]+@[^\s@]+$/.test(text)) return texts.enterAValidEmailAddress
  if ((format === 'line' || format === 'identity-name') && text.trim() === '') return texts.thisFieldIsRequired
  return pattern === undefined || new RegExp(pattern, 'u').test(text) ? null : texts.thisValueHasTheWrong
}

function mistakeInNumber({ minimum = -Infinity, maximum = Infinity, type }: SchemaNode, value: number): string | null {
  if (Number.isNaN(value) || (type === 'integer' && !Number.isInteger(value))) return texts.enterAWholeNumber
  if (value < minimum) return texts.enterOrMore(minimum)
  return value > maximum ? texts.enterOrLess(maximum) : null
}

function mistakeInList({ minItems = 0, maxItems = Infinity }: SchemaNode, value: readonly unknown[]): string | null {
  if (value.length < minItems) return minItems === 1 ? texts.chooseAtLeastOne : texts.chooseAtLeast(minItems)
  return value.length > maxItems ? texts.chooseAtMostCurrently(maxItems, value.length) : null
}

/** Returns the API’s errors by field: the first part of each pointer, or the field whose value another object has. */
export function mistakesOf({ errors = [], code, field: taken }: Problem): Mistakes {
  const found = errors.flatMap(({ pointer, detail }) => {
    const field = pointer?.split('/')[1]
    return field === undefined ? [] : [[field, detail]]
  })
  return {
    ...(code === 'duplicate' && typeof taken === 'string' && { [taken]: texts.thisValueIsAlreadyIn }),
    ...Object.fromEntries(found),
  }
}
