// The types of the Python client (types.py): what calls take and give. What `expand` adds to an object is in the types
// of its own that the methods choose by the names given (python.ts).
import type { SchemaNode } from '#contract/json-schema.ts'
import {
  calls,
  collections,
  fieldsOf,
  itemErrorCodes,
  nameOf,
  pascal,
  usedNames,
  type Call,
  type Collection,
  type Field,
} from './model.ts'

export const written = '# Written by `npm run clients` from the contract. Change the contract, and not this file.'

export const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)

const indented = (text: string): string => `    ${text}\n`

/** As a string in the code; `"` and `\` are rare in our descriptions, and then written apart. */
export const docstring = (text: string, indent = '    '): string =>
  `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"', "'")}"""\n`

const scalars: Readonly<Record<string, string>> = {
  ...{ string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' },
  object: 'Dict[str, Any]',
}

/** `where` is what objects without a name are named by, if not by the type itself. */
type About = { readonly description?: string | undefined; readonly base?: string; readonly where?: string }

/**
 * A TypedDict must have a name. Objects without one in the contract get that of the type and field in which they stand.
 */
export function writer() {
  const written = new Map<string, string>()

  function typeOf(schema: SchemaNode, where: string): string {
    const name = nameOf(schema)
    if (name !== null) return name
    const { anyOf, const: value, enum: values, properties, patternProperties, type = '' } = schema
    if (anyOf !== undefined) {
      const types = anyOf.map((each, at) => typeOf(each, at === 0 ? where : `${where}${at + 1}`))
      return unionOf(types)
    }
    if (value !== undefined) return `Literal[${literal(value)}]`
    if (values !== undefined) return `Literal[${values.map(literal).join(', ')}]`
    if (properties !== undefined && Object.keys(properties).length > 0) return objectOf(schema, where)
    if (patternProperties !== undefined) return `Dict[str, ${typeOf(Object.values(patternProperties)[0] ?? {}, where)}]`
    if (type === 'array') return `List[${typeOf(schema.items ?? {}, where)}]`
    return scalars[type] ?? 'Any'
  }

  function objectOf(schema: SchemaNode, name: string): string {
    if (!written.has(name)) {
      written.set(name, '')
      written.set(name, typedDict(name, fieldsOf(schema), { description: schema.description }))
    }
    return name
  }

  function typedDict(name: string, fields: readonly Field[], about: About = {}): string {
    const { description, base = 'TypedDict', where = name } = about
    const types = fields.map((field) => [field, typeOf(field.schema, where + pascal([field.name]))] as const)
    // A word of the language can be no name in a class.
    if (fields.some((field) => reserved.has(field.name))) {
      const entries = types.map(([field, type]) => `${literal(field.name)}: ${literal(needed(field, type))}`)
      return `${name} = TypedDict(${literal(name)}, {${entries.join(', ')}})\n`
    }
    const members = types.map(([field, type]) => member(field, type)).join('')
    const text = description === undefined ? '' : docstring(description)
    return `class ${name}(${base}):\n${text}${members === '' ? indented('pass') : members}`
  }

  return { typeOf, typedDict, objects: () => [...written.values()] }
}

export const reserved = new Set([
  'from',
  'import',
  'class',
  'in',
  'is',
  'not',
  'or',
  'and',
  'if',
  'for',
  'with',
  'as',
  'global',
])

const needed = ({ isRequired }: Field, type: string): string => (isRequired ? type : `NotRequired[${type}]`)

const member = (field: Field, type: string): string =>
  indented(`${field.name}: ${needed(field, type)}`) +
  (field.description === undefined ? '' : docstring(field.description))

const unionOf = (types: readonly string[]): string => {
  const all = [...new Set(types)]
  return all.length === 1 ? (all[0] ?? '') : `Union[${all.join(', ')}]`
}

export function typesFile(): string {
  const { typeOf, typedDict, objects } = writer()
  const classes: string[] = []
  const aliases: string[] = []
  const wholes = new Set(
    collections.flatMap(({ shapes, expansions }) => shapes.map((shape) => wholeName(shape, expansions))),
  )
  for (const [name, schema] of usedNames()) {
    if (wholes.has(name)) continue
    if (schema.properties === undefined) aliases.push(`${name} = ${quoted(inline(schema, name, typeOf))}\n`)
    else classes.push(typedDict(name, fieldsOf(schema), { description: schema.description }))
  }
  for (const call of calls) {
    classes.push(...inputTypes(call, typedDict))
    answerType(call, typeOf)
  }
  for (const collection of collections) classes.push(...shownTypes(collection, typedDict))
  const data = objects()
  const codes = `ErrorCode = Literal[\n${itemErrorCodes.map((code) => `    ${literal(code)},\n`).join('')}]\n`
  return [
    written,
    '"""The types of what calls take and give. They are checked by mypy and pyright, and are plain dictionaries at run time."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union',
    '',
    'if TYPE_CHECKING:',
    '    from typing_extensions import NotRequired',
    '',
    codes,
    ...data,
    ...classes,
    ...aliases,
  ].join('\n')
}

/** An alias is made while the module is loaded: names in it are text, since they may come later. */
const quoted = (type: string): string =>
  type.replaceAll(
    /(?<![\w"])(?!Union\b|Literal\b|List\b|Dict\b|Any\b|None\b|str\b|int\b|float\b|bool\b)[A-Z]\w*(?!["\w])/g,
    '"$&"',
  )

type TypeOf = (schema: SchemaNode, where: string) => string
type TypedDict = ReturnType<typeof writer>['typedDict']

/** Of a schema that has a name, what it stands for. */
function inline({ anyOf, enum: values = [] }: SchemaNode, name: string, typeOf: TypeOf): string {
  if (anyOf === undefined) return `Literal[${values.map(literal).join(', ')}]`
  return unionOf(anyOf.map((each, at) => typeOf(each, `${name}${at + 1}`)))
}

export const callName = ({ group, method }: Call): string => pascal(group) + pascal(method)

/** The collection whose objects the call expands. The answer of a batch is of one type, whatever is expanded. */
export const expandedBy = ({ shows, input, name }: Call): Collection | null =>
  input.some((field) => field.name === 'expand') && !name.endsWith('.batch') ? shows : null

export const withoutExpand = (call: Call): string => `${callName(call)}InputWithoutExpand`

function inputTypes(call: Call, typedDict: TypedDict): string[] {
  const { input } = call
  const name = `${callName(call)}Input`
  if (input.length === 0) return []
  if (expandedBy(call) === null) return [typedDict(name, input)]
  const isExpand = (field: Field): boolean => field.name === 'expand'
  return [
    typedDict(
      withoutExpand(call),
      input.filter((field) => !isExpand(field)),
      { where: name },
    ),
    typedDict(name, input.filter(isExpand), { base: withoutExpand(call) }),
  ]
}

/** Of an answer, or of the items of a page; objects without a name get that of the call. */
export function answerType(call: Call, typeOf: TypeOf, expand: Expand = null): string {
  const { answer, shows, name } = call
  if (answer.kind === 'bytes') return 'bytes'
  if (shows !== null && name.endsWith('.batch')) return `${shows.type}Results`
  if (shows !== null) return `${name.endsWith('.upsert') ? 'Upserted' : ''}${shownName(shows, expand)}`
  return answer.kind === 'page'
    ? typeOf(answer.item, `${callName(call)}Item`)
    : typeOf(answer.schema, `${callName(call)}Answer`)
}

/** What a call expands: nothing, this one, or any of what can be expanded. */
type Expand = null | { readonly one: string } | 'any'

// Python cannot compute a type from the names in a list. So there is one for each: `Task` without expansions,
// `TaskWithProject` with that one, and `ShownTask`, in which each may be there.

const withOne = (type: string, expansion: string): string => `${type}With${pascal([expansion])}`

function shownName({ type }: Collection, expand: Expand): string {
  if (expand === null) return type
  return expand === 'any' ? `Shown${type}` : withOne(type, expand.one)
}

/** The name of the same object without expansions. */
function plainName(shape: SchemaNode, expansions: readonly string[]): string {
  const kept = Object.entries(shape.properties ?? {}).filter(([name]) => !expansions.includes(name))
  const name = nameOf({ ...shape, properties: Object.fromEntries(kept) })
  if (name === null) throw new Error('An object of a collection has no name of its own in the contract.')
  return name
}

const wholeName = (shape: SchemaNode, expansions: readonly string[]): string => `Shown${plainName(shape, expansions)}`

/** `fields` may leave out any field: types of Python cannot follow that, so that all are said to be there. */
function shownTypes(collection: Collection, typedDict: TypedDict): string[] {
  const { type, shapes, expansions } = collection
  const objects = shapes.map((shape) => {
    const added = fieldsOf(shape).filter(({ name }) => expansions.includes(name))
    return { plain: plainName(shape, expansions), whole: wholeName(shape, expansions), added }
  })
  const classes = objects.flatMap(({ plain, whole, added }) =>
    [
      ...[{ name: whole, fields: added }],
      ...added.map((field) => ({ name: withOne(plain, field.name), fields: [{ ...field, isRequired: true }] })),
    ].map(({ name, fields }) => typedDict(name, fields, { base: plain, where: whole })),
  )
  const views: Expand[] = [null, ...expansions.map((one) => ({ one })), 'any']
  const nameIn = (view: Expand, { plain, whole, added }: (typeof objects)[number]): string => {
    if (view === 'any') return whole
    return view !== null && added.some(({ name }) => name === view.one) ? withOne(plain, view.one) : plain
  }
  const members = views.map((view) => ({
    name: shownName(collection, view),
    of: objects.map((each) => nameIn(view, each)),
  }))
  const upserted = [...new Set(members.flatMap(({ of }) => of))]
  const unions =
    shapes.length === 1
      ? []
      : members.flatMap(({ name, of }) => [
          ...(name === type ? [] : [`${name} = ${quoted(unionOf(of))}\n`]),
          `Upserted${name} = ${quoted(unionOf(of.map((each) => `Upserted${each}`)))}\n`,
        ])
  return [
    ...(expansions.length === 0 ? [] : [`${type}Expansion = Literal[${expansions.map(literal).join(', ')}]\n`]),
    ...classes,
    ...upserted.map((name) => `class Upserted${name}(${name}):\n${outcome.map(indented).join('')}`),
    ...unions,
    ...resultTypes(type),
  ]
}

const outcomes = 'Literal["created", "updated", "unchanged", "skipped", "restored"]'
const outcome = [`outcome: ${outcomes}`, 'matchedBy: Union[str, None]']

function resultTypes(type: string): string[] {
  const fields = [
    'index: int',
    'status: int',
    'externalSource: NotRequired[str]',
    'externalId: NotRequired[str]',
    `outcome: NotRequired[${outcomes}]`,
    'matchedBy: NotRequired[Union[str, None]]',
    `data: NotRequired[Union[Shown${type}, None]]`,
    'problem: NotRequired[Problem]',
  ]
  return [
    `class ${type}Result(TypedDict):\n${docstring('What became of one item of a batch.')}${fields.map(indented).join('')}`,
    `class ${type}Results(TypedDict):\n${indented(`results: List[${type}Result]`)}`,
  ]
}
