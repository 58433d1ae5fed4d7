// The words of a command line, as an operation's input. Values are read as what the schema says they are.
import type { Operation } from '#contract/operation.ts'

export type Parsed = { readonly input: Record<string, unknown>; readonly workspaceId: string | undefined }

type JsonSchema = { readonly type?: string; readonly items?: object; readonly anyOf?: readonly JsonSchema[] }

/** `--name value` for each field; `--workspace id` names the workspace. Throws with a sentence for the person who typed. */
export function inputOf(operation: Operation, words: readonly string[]): Parsed {
  const input: Record<string, unknown> = {}
  let workspaceId: string | undefined
  for (let at = 0; at < words.length; at += 2) {
    const name = /^--(\w+)$/.exec(words[at] ?? '')?.[1]
    const value = words[at + 1]
    if (name === undefined || value === undefined)
      throw new Error(`Expected --name value, not "${words.slice(at).join(' ')}".`)
    if (name === 'workspace') workspaceId = value
    else input[name] = valueOf(operation, name, value)
  }
  return { input, workspaceId }
}

function valueOf({ name: operation, input }: Operation, name: string, text: string): unknown {
  const schema: JsonSchema | undefined = input.properties[name]
  if (schema === undefined)
    throw new Error(`${operation} has no field ${name}; it has ${Object.keys(input.properties).join(', ')}.`)
  return read(schema, text)
}

function read(schema: JsonSchema, text: string): unknown {
  const [first, ...others] = schema.anyOf ?? []
  if (first !== undefined) return text === 'null' && others.length > 0 ? null : read(first, text)
  switch (schema.type) {
    case 'integer':
      return Number(text)
    case 'boolean':
      return text === 'true'
    case 'array':
      return text.split(',').map((item) => read((schema.items ?? {}) as JsonSchema, item))
    case 'object':
      return JSON.parse(text)
    default:
      return text
  }
}
