// The generated part of the TypeScript client: the types of what calls take and give (schema.ts), the methods (api.ts),
// and the table by which requests are built (operations.ts).
import type { SchemaNode } from '#contract/json-schema.ts'
import { pageItemsMax } from '#contract/pagination.ts'
import { apiPrefix } from '#contract/route-paths.ts'
import {
  calls,
  camel,
  collections,
  commonCodes,
  errorCodes,
  events,
  fieldsOf,
  itemErrorCodes,
  nameOf,
  pascal,
  retryableCodes,
  usedNames,
  type Call,
  type Collection,
  type Field,
} from './model.ts'

const written = '// Written by `npm run clients` from the contract. Change the contract, and not this file.'

/** By their names in `src`. */
export const typeScriptFiles = (): Record<string, string> => ({
  'schema.ts': schemaFile(),
  'api.ts': apiFile(),
  'operations.ts': operationsFile(),
})

// What calls take is read only, and a field that is left out may be undefined as well. Errors are read only.
type Side = 'input' | 'output' | 'error'

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value)

const unionOf = (members: readonly string[]): string => [...new Set(members)].join(' | ')

function typeOf(schema: SchemaNode, side: Side): string {
  return nameOf(schema) ?? inline(schema, side)
}

function inline(schema: SchemaNode, side: Side): string {
  const { anyOf, const: value, enum: values, properties, patternProperties } = schema
  if (anyOf !== undefined) return unionOfAlternatives(anyOf, side)
  if (value !== undefined) return literal(value)
  if (values !== undefined) return unionOf(values.map(literal))
  if (properties !== undefined && Object.keys(properties).length > 0)
    return `{ ${members(fieldsOf(schema), side, '; ')} }`
  if (patternProperties !== undefined)
    return `Record<string, ${typeOf(Object.values(patternProperties)[0] ?? {}, side)}>`
  if (schema.type === 'array') return arrayOf(typeOf(schema.items ?? {}, side), side)
  return scalars[schema.type ?? ''] ?? 'unknown'
}

const scalars: Readonly<Record<string, string>> = {
  ...{ string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' },
  object: 'Record<string, unknown>',
}

/** Text of a list beside any other text: an editor still offers the list. */
function unionOfAlternatives(anyOf: readonly SchemaNode[], side: Side): string {
  const isListed = anyOf.some((each) => each.enum !== undefined)
  const types = anyOf.map((each) => typeOf(each, side))
  return unionOf(types.map((type) => (isListed && type === 'string' ? '(string & {})' : type)))
}

function arrayOf(item: string, side: Side): string {
  const element = /[|&]/.test(item) && !item.startsWith('{') ? `(${item})` : item
  return `${side === 'output' ? '' : 'readonly '}${element}[]`
}

function member({ name, schema, isRequired }: Field, side: Side): string {
  const type = typeOf(schema, side)
  if (isRequired) return `${name}: ${type}`
  return `${name}?: ${type}${side === 'input' ? ' | undefined' : ''}`
}

const members = (fields: readonly Field[], side: Side, between: string): string =>
  fields.map((field) => member(field, side)).join(between)

const columnsMax = 120

/** In one line where it fits, else in several. */
function doc(text: string | undefined, indent = ''): string {
  if (text === undefined) return ''
  const safe = text.replaceAll('*/', '*\\/')
  if (`${indent}/** ${safe} */`.length <= columnsMax) return `${indent}/** ${safe} */\n`
  const lines = wrapped(safe, columnsMax - `${indent} * `.length)
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}

const documented = (fields: readonly Field[], side: Side): string =>
  fields.map((field) => `${doc(field.description, '  ')}  ${member(field, side)}\n`).join('')

function sideOf(name: string): Side {
  if (name === 'Problem') return 'error'
  return /(?:Create|Patch|Upsert|Import)$/.test(name) ? 'input' : 'output'
}

function namedType([name, schema]: [string, SchemaNode]): string {
  const side = sideOf(name)
  // Of its own accord an object may have more.
  const open = schema.additionalProperties === true ? '  [member: string]: unknown\n' : ''
  if (schema.properties !== undefined)
    return `${doc(schema.description)}export interface ${name} {\n${documented(fieldsOf(schema), side)}${open}}\n`
  return `${doc(schema.description)}export type ${name} = ${inline(schema, side)}\n`
}

function schemaFile(): string {
  const own = errorCodes.length
  const perCall = calls.map(({ name, errors }) => {
    const codes = errors.filter((code) => !commonCodes.includes(code))
    return `  '${name}': ${unionOf(codes.map(literal)) || 'never'}\n`
  })
  return [
    written,
    `import type { BatchItem } from './shown.ts'\n`,
    usedNames().map(namedType).join('\n'),
    collections.map(collectionTypes).join('\n'),
    calls
      .map(inputType)
      .filter((text) => text !== null)
      .join('\n'),
    `/** The data of each type of event: the object after the change. */\nexport interface EventData {\n${events
      .map(({ type, data, summary }) => `${doc(summary, '  ')}  '${type}': ${typeOf(data, 'output')}\n`)
      .join('')}}\n`,
    `/** Codes that any call can be refused with. */\nexport type CommonErrorCode =\n${lines(commonCodes)}\n`,
    `/** Every code of the API: ${own} of calls, and those of items in a batch. */\nexport type ErrorCode =\n${lines(itemErrorCodes)}\n`,
    `/** Further codes of each call, by its name. */\nexport interface OwnErrorCodes {\n${perCall.join('')}}\n`,
  ].join('\n')
}

const lines = (codes: readonly string[]): string => codes.map((code) => `  | ${literal(code)}`).join('\n')

/** What `fields` and `expand` may name, and an object with all that can be expanded. */
function collectionTypes({ type, segment, shapes, expansions }: Collection): string {
  const fields = enumOf(calls.find(({ name }) => name === `${segment}.list`)?.input, 'fields')
  const names = shapes.map((shape) => nameOf(shape))
  const [shape = {}] = shapes
  const expanded = fieldsOf(shape).filter(({ name }) => expansions.includes(name))
  const whole = names.every((name) => name !== null)
    ? `export type ${type}Expanded = ${unionOf(names)}\n`
    : `export interface ${type}Expanded extends ${type} {\n${documented(expanded, 'output')}}\n`
  return [
    `export type ${type}Field = ${unionOf(fields.map(literal))}\n`,
    `export type ${type}Expansion = ${unionOf(expansions.map(literal))}\n`,
    `/** With what \`expand\` can add. */\n${whole}`,
  ].join('\n')
}

function enumOf(fields: readonly Field[] = [], name: string): string[] {
  const items: SchemaNode = fields.find((field) => field.name === name)?.schema.items ?? {}
  return (items.enum ?? []).map(String)
}

const inputName = ({ group, method }: Call): string => `${pascal(group)}${pascal(method)}Input`

/** Null for a call that takes nothing. */
function inputType(call: Call): string | null {
  const { input, shows, name } = call
  if (input.length === 0) return null
  if (shows !== null && name.endsWith('.batch')) return batchInput(call, shows)
  const base = shows === null ? null : writtenBy(call, shows)
  const inBase = base === null ? [] : fieldsOf(base[1]).map((field) => field.name)
  const own = input.filter((field) => !inBase.includes(field.name))
  const body = own.map((field) => `${doc(field.description, '  ')}  ${chosen(field, call)}\n`).join('')
  const head = `export interface ${inputName(call)}${parametersOf(call)}${base === null ? '' : ` extends ${base[0]}`}`
  return `${head} {\n${body}}\n`
}

function batchInput(call: Call, { type }: Collection): string {
  const others = call.input.filter(({ name }) => name !== 'items')
  const own = others.map((field) => `${doc(field.description, '  ')}  ${chosen(field, call)}\n`).join('')
  const item = `export type ${type}BatchItem = BatchItem<${type}Create, ${type}Patch, ${type}Upsert>\n`
  return `${item}\nexport interface ${inputName(call)}${parametersOf(call)} {\n${own}  /** 1 to 100, each with its own result. */\n  items: readonly ${type}BatchItem[]\n}\n`
}

/** The named type that the fields of a create, an update or an upsert are. */
function writtenBy({ name }: Call, { type, segment, written }: Collection): [string, SchemaNode] | null {
  if (name === `${segment}.create`) return [`${type}Create`, written.Create]
  if (name === `${segment}.update`) return [`${type}Patch`, written.Patch]
  return name === `${segment}.upsert` ? [`${type}Upsert`, written.Upsert] : null
}

// The fields, expansions and deleted objects that a caller asks for are parameters of the type, so that the answer's
// type can be that of what was asked for.

const has = ({ input }: Call, field: string): boolean => input.some(({ name }) => name === field)
const showsDeleted = (call: Call): boolean => call.answer.kind === 'page' && has(call, 'includeDeleted')

const parameters = (call: Call): { readonly letter: string; readonly bound: string; readonly none: string }[] => {
  const { shows } = call
  if (shows === null) return []
  return [
    ...(has(call, 'fields') ? [{ letter: 'F', bound: `${shows.type}Field`, none: 'never' }] : []),
    ...(has(call, 'expand') ? [{ letter: 'E', bound: `${shows.type}Expansion`, none: 'never' }] : []),
    ...(showsDeleted(call) ? [{ letter: 'D', bound: 'boolean', none: 'false' }] : []),
  ]
}

const angled = (inside: readonly string[]): string => (inside.length === 0 ? '' : `<${inside.join(', ')}>`)

const parametersOf = (call: Call): string =>
  angled(parameters(call).map(({ letter, bound }) => `${letter} extends ${bound} = ${bound}`))

function chosen(field: Field, call: Call): string {
  const letters = new Set(parameters(call).map(({ letter }) => letter))
  if (field.name === 'fields' && letters.has('F')) return 'fields?: readonly F[] | undefined'
  if (field.name === 'expand' && letters.has('E')) return 'expand?: readonly E[] | undefined'
  if (field.name === 'includeDeleted' && letters.has('D')) return 'includeDeleted?: D | undefined'
  return member(field, 'input')
}

// The methods.

function apiFile(): string {
  const groups = Map.groupBy(calls, ({ group }) => camel(group))
  const interfaces = [...groups].map(([name, ofGroup]) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    return `export interface ${type}Calls {\n${ofGroup.map(method).join('\n')}}\n`
  })
  const all = [...groups.keys()].map(
    (name) => `  readonly ${name}: ${name.charAt(0).toUpperCase()}${name.slice(1)}Calls\n`,
  )
  const outputs = calls.map((call) => `  '${call.name}': ${inMap(call)}\n`)
  const text = [
    ...interfaces,
    `/** Every call, by its collection. */\nexport interface Calls {\n${all.join('')}}\n`,
    `/** Input and answer of every call, by its name. */\nexport interface Operations {\n${outputs.join('')}}\n`,
  ].join('\n')
  const used = (from: readonly string[]): string =>
    from.filter((name) => new RegExp(`\\b${name}\\b`).test(text)).join(', ')
  const types = [
    ...usedNames().map(([name]) => name),
    ...collections.flatMap(({ type }) => [`${type}Expanded`, `${type}Expansion`, `${type}Field`, `${type}BatchItem`]),
    ...calls.map(inputName),
  ]
  return [
    written,
    `import type { ${used(['BatchOptions', 'BatchResults'])} } from './batch.ts'`,
    `import type { ${used(['EventFeed', 'FollowOptions', 'EventPattern'])} } from './feed.ts'`,
    `import type { List, Page } from './pages.ts'`,
    `import type { CallOptions, UploadBody } from './send.ts'`,
    `import type { BatchResult, Shown, Tombstone } from './shown.ts'`,
    `import type { ${used([...new Set(types)])} } from './schema.ts'`,
    '',
    text,
  ].join('\n')
}

function method(call: Call): string {
  const letters = parameters(call)
  const generics = angled(letters.map(({ letter, bound, none }) => `const ${letter} extends ${bound} = ${none}`))
  const own = `${doc(`${call.summary}. ${call.description}`, '  ')}  ${camel(call.method)}${generics}(${argumentsOf(call)}): ${answerOf(call)}\n`
  if (call.name.endsWith('.batch') && call.shows !== null) return own + batchAll(call.shows)
  return call.name === 'events.list' ? own + follow : own
}

const follow = `${doc('Follows the feed: each event once, in order, from a position on. It waits for what comes, and goes on after failures.', '  ')}  follow<const P extends EventPattern = '*'>(options?: FollowOptions<P>): EventFeed<P>
`

const batchAll = (
  collection: Collection,
): string => `${doc('Items of any number, sent a hundred at a time at the pace of the rate limit. The results are in the order of the items.', '  ')}  batchAll<const F extends ${collection.type}Field = never, const E extends ${collection.type}Expansion = never>(items: Iterable<${collection.type}BatchItem> | AsyncIterable<${collection.type}BatchItem>, options?: BatchOptions<F, E>): BatchResults<${shown(collection, ['F', 'E'], true)}>
`

function argumentsOf(call: Call): string {
  const isNeeded = call.input.some(({ isRequired }) => isRequired)
  const letters = parameters(call).map(({ letter }) => letter)
  const input = `${inputName(call)}${angled(letters)}`
  const upload = call.takesBytes ? ['body: UploadBody'] : []
  if (call.input.length === 0) return 'input?: Record<string, never>, options?: CallOptions'
  return [`input${isNeeded ? '' : '?'}: ${input}`, ...upload, 'options?: CallOptions'].join(', ')
}

function shown({ type, hidden }: Collection, letters: readonly string[], isList: boolean): string {
  const of = (letter: string): string => (letters.includes(letter) ? letter : 'never')
  const more = isList && hidden.length > 0 ? [unionOf(hidden.map(literal))] : []
  return `Shown<${[`${type}Expanded`, `${type}Expansion`, of('F'), of('E'), ...more].join(', ')}>`
}

function answerOf(call: Call): string {
  const answer = bare(
    call,
    parameters(call).map(({ letter }) => letter),
  )
  return call.answer.kind === 'page' ? `List<${answer}${andMore(call, answer)}>` : `Promise<${answer}>`
}

/** A page that says more than others. */
function andMore({ answer }: Call, item: string): string {
  const more = answer.kind === 'page' ? answer.more : []
  return more.length === 0 ? '' : `, Page<${item}> & { ${members(more, 'output', '; ')} }`
}

function inMap(call: Call): string {
  const { answer, shows } = call
  const item =
    shows === null
      ? bare(call, [])
      : around(call, `Shown<${shows.type}Expanded, ${shows.type}Expansion, never, ${shows.type}Expansion>`)
  const input = call.input.length === 0 ? 'Record<string, never>' : inputName(call)
  return `{ input: ${input}; answer: ${answer.kind === 'page' ? `Page<${item}>` : item} }`
}

function bare(call: Call, letters: readonly string[]): string {
  const { answer, shows } = call
  if (answer.kind === 'bytes') return 'Response'
  if (shows === null) return typeOf(answer.kind === 'page' ? answer.item : answer.schema, 'output')
  const isList = answer.kind === 'page' || call.name.endsWith('.batch')
  const object = around(call, shown(shows, letters, isList))
  return letters.includes('D')
    ? `${object} | (true extends D ? Tombstone<${literal(objectOf(shows))}> : never)`
    : object
}

function around({ name }: Call, object: string): string {
  if (name.endsWith('.batch')) return `{ results: BatchResult<${object}, Problem>[] }`
  if (!name.endsWith('.upsert')) return object
  return `${object} & { outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'restored'; matchedBy: string | null }`
}

const objectField = (shape: SchemaNode = {}): SchemaNode | undefined => shape.properties?.['object']

const objectOf = ({ shapes }: Collection): string => String(objectField(shapes[0])?.const)

// The table.

function operationsFile(): string {
  const rows = calls.map(({ name, http, answer, takesBytes }) => {
    const marks = [answer.kind === 'json' ? [] : [answer.kind], takesBytes ? ['upload'] : []].flat()
    return `  '${name}': '${[http.replace(` ${apiPrefix}`, ' '), ...marks].join(' ')}',\n`
  })
  const rowsOfCollections = collections.map((collection) => {
    const { segment, batchBytesMax, ownReferences } = collection
    return `  '${segment}': { object: ${literal(objectOf(collection))}, bytesMax: ${batchBytesMax}, references: [${ownReferences.map(literal).join(', ')}] },\n`
  })
  return [
    written,
    `${doc('Method, path, and how a call differs: `page` answers a page, `bytes` a file, `upload` takes bytes.')}export const operations = {\n${rows.join('')}} as const\n`,
    `export type OperationName = keyof typeof operations\n`,
    `export const apiPrefix = ${literal(apiPrefix)}\n`,
    `export const pageItemsMax = ${pageItemsMax}\n`,
    `/** The same call may succeed later. */\nexport const retryableCodes: readonly string[] = [${retryableCodes.map(literal).join(', ')}]\n`,
    `${doc('What an object is called, bytes of the body of a batch, and the fields that may name the object of an earlier item, as `#3`.')}export const collections: Readonly<Record<string, { readonly object: string; readonly bytesMax: number; readonly references: readonly string[] }>> = {\n${rowsOfCollections.join('')}}\n`,
  ].join('\n')
}
