// The generated part of the Python client: the types of what calls take and give (types.py), the methods (calls.py),
// and the table by which requests are built (operations.py).
import type { SchemaNode } from '#contract/json-schema.ts'
import { apiPrefix } from '#contract/route-paths.ts'
import {
  calls,
  collections,
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

const written = '# Written by `npm run clients` from the contract. Change the contract, and not this file.'

/** By their names in `src/workspace_client`. */
export const pythonFiles = (): Record<string, string> => ({
  'types.py': typesFile(),
  'calls.py': callsFile(),
  'operations.py': operationsFile(),
})

const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)

const indented = (text: string): string => `    ${text}\n`

/** As a string in the code; `"` and `\` are rare in our descriptions, and then written apart. */
const docstring = (text: string, indent = '    '): string =>
  `${indent}"""${text.replaceAll('\\', '\\\\').replaceAll('"', "'")}"""\n`

const scalars: Readonly<Record<string, string>> = {
  ...{ string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' },
  object: 'Dict[str, Any]',
}

/**
 * A TypedDict must have a name. Objects without one in the contract get that of the type and field in which they stand.
 */
function writer() {
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
      written.set(name, typedDict(name, fieldsOf(schema), schema.description))
    }
    return name
  }

  function typedDict(name: string, fields: readonly Field[], description?: string, base = 'TypedDict'): string {
    const types = fields.map((field) => [field, typeOf(field.schema, name + pascal([field.name]))] as const)
    // A word of the language can be no name in a class.
    if (fields.some((field) => reserved.has(field.name))) {
      const entries = types.map(([field, type]) => `${literal(field.name)}: ${literal(needed(field, type))}`)
      return `${name} = TypedDict(${literal(name)}, {${entries.join(', ')}})\n`
    }
    const members = types.map(([field, type]) => member(field, type)).join('')
    const about = description === undefined ? '' : docstring(description)
    return `class ${name}(${base}):\n${about}${members === '' ? indented('pass') : members}`
  }

  return { typeOf, typedDict, objects: () => [...written.values()] }
}

const reserved = new Set([
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

function typesFile(): string {
  const { typeOf, typedDict, objects } = writer()
  const classes: string[] = []
  const aliases: string[] = []
  for (const [name, schema] of usedNames()) {
    if (schema.properties === undefined) aliases.push(`${name} = ${quoted(inline(schema, name, typeOf))}\n`)
    else classes.push(typedDict(name, fieldsOf(schema), schema.description))
  }
  for (const call of calls) {
    if (call.input.length > 0) classes.push(typedDict(`${callName(call)}Input`, call.input))
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

/** Of a schema that has a name, what it stands for. */
function inline({ anyOf, enum: values = [] }: SchemaNode, name: string, typeOf: TypeOf): string {
  if (anyOf === undefined) return `Literal[${values.map(literal).join(', ')}]`
  return unionOf(anyOf.map((each, at) => typeOf(each, `${name}${at + 1}`)))
}

const callName = ({ group, method }: Call): string => pascal(group) + pascal(method)

/** Of an answer, or of the items of a page; objects without a name get that of the call. */
function answerType(call: Call, typeOf: TypeOf): string {
  const { answer, shows, name } = call
  if (answer.kind === 'bytes') return 'bytes'
  if (shows !== null && name.endsWith('.batch')) return `${shows.type}Results`
  if (shows !== null) return `${name.endsWith('.upsert') ? 'Upserted' : 'Shown'}${shows.type}`
  return answer.kind === 'page'
    ? typeOf(answer.item, `${callName(call)}Item`)
    : typeOf(answer.schema, `${callName(call)}Answer`)
}

/**
 * What calls show of the objects of a collection. `fields` may leave out any of them, and `expand` add some: types of
 * Python cannot follow that, so that all fields of the object are said to be there, and the expansions may be.
 */
function shownTypes(
  { type, shapes }: Collection,
  typedDict: (name: string, fields: readonly Field[], description?: string, base?: string) => string,
): string[] {
  const named = shapes.map((shape) => ({ name: nameOf(shape), shape }))
  const isNamed = named.every(({ name }) => name !== null)
  const names = named.map(({ name }) => name ?? `Shown${type}`)
  return [
    ...(isNamed
      ? [
          `Shown${type} = ${quoted(unionOf(names))}\n`,
          `Upserted${type} = ${quoted(unionOf(names.map((name) => `Upserted${name}`)))}\n`,
        ]
      : shapes.map((shape) => typedDict(`Shown${type}`, fieldsOf(shape)))),
    ...names.map((name) => `class Upserted${isNamed ? name : type}(${name}):\n${outcome.map(indented).join('')}`),
    `class ${type}Result(TypedDict):\n${docstring('What became of one item of a batch.')}${[
      'index: int',
      'status: int',
      'externalSource: NotRequired[str]',
      'externalId: NotRequired[str]',
      `outcome: NotRequired[${outcomes}]`,
      'matchedBy: NotRequired[Union[str, None]]',
      `data: NotRequired[Union[Shown${type}, None]]`,
      'problem: NotRequired[Problem]',
    ]
      .map(indented)
      .join('')}`,
    `class ${type}Results(TypedDict):\n${indented(`results: List[${type}Result]`)}`,
  ]
}

const outcomes = 'Literal["created", "updated", "unchanged", "skipped", "restored"]'
const outcome = [`outcome: ${outcomes}`, 'matchedBy: Union[str, None]']

// The methods.

const snake = (words: readonly string[]): string => {
  const name = words.join('_')
  return reserved.has(name) ? `${name}_` : name
}

function callsFile(): string {
  const groups = Map.groupBy(calls, ({ group }) => snake(group))
  const classes = [...groups].map(([name, ofGroup]) => {
    const type = pascal(name.split('_'))
    const hasBatch = ofGroup.some(({ name }) => name.endsWith('.batch'))
    const batch = hasBatch ? [batchAll(ofGroup[0]!)] : []
    const feed = name === 'events' ? [follow] : []
    return `class ${type}Calls:\n    def __init__(self, sender: Sender) -> None:\n        self._sender = sender\n\n${[...ofGroup.map(method), ...batch, ...feed].join('\n')}`
  })
  const members = [...groups.keys()].map((name) => `        self.${name} = ${pascal(name.split('_'))}Calls(sender)\n`)
  return [
    written,
    '"""A method for every call of the API, by its collection."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, Optional, Sequence, Union, cast',
    '',
    'from .batch import batch_all',
    'from .feed import EventFeed',
    'from .pages import Pages',
    'from .send import Sender',
    '',
    'if TYPE_CHECKING:',
    '    from typing_extensions import Unpack',
    '',
    '    from . import types as t',
    '',
    '',
    classes.join('\n\n'),
    '',
    `class Calls:\n    """Every call, by its collection."""\n\n    def __init__(self, sender: Sender) -> None:\n${members.join('')}`,
  ].join('\n')
}

function method(call: Call): string {
  const { name, input, answer, takesBytes } = call
  const about = docstring(`${call.summary}. ${call.description}`, '        ')
  const given = input.length === 0 ? '' : `, **input: Unpack[t.${callName(call)}Input]`
  const upload = takesBytes ? ', body: bytes' : ''
  const values = input.length === 0 ? '{}' : 'dict(input)'
  const head = (type: string) => `    def ${snake(call.method)}(self${upload}${given}) -> ${type}:\n${about}`
  if (answer.kind === 'page') {
    return `${head(`Pages[${answerOf(call)}]`)}        return Pages(lambda more: self._sender.send(${literal(name)}, {**${values}, **more}))\n`
  }
  const type = answerOf(call)
  const sent = `self._sender.send(${literal(name)}, ${values}${takesBytes ? ', body' : ''})`
  return type === 'None'
    ? `${head(type)}        ${sent}\n`
    : `${head(type)}        return cast(${literal(type)}, ${sent})\n`
}

/** In the module of the types, which is read by checkers alone. */
function answerOf(call: Call): string {
  const type = answerType(call, writer().typeOf)
  return ['bytes', 'None'].includes(type)
    ? type
    : type.replaceAll(/(?<![\w".])[A-Z]\w*/g, (name) => (builtIn.has(name) ? name : `t.${name}`))
}

const builtIn = new Set(['Any', 'Dict', 'List', 'Literal', 'None', 'Union'])

const batchAll = ({ name }: Call): string => {
  const { segment, type } = collections.find((each) => name.startsWith(`${each.segment}.`))!
  return `    def batch_all(
        self,
        items: Iterable[Dict[str, Any]],
        fields: Optional[Sequence[str]] = None,
        expand: Optional[Sequence[str]] = None,
    ) -> Iterator[t.${type}Result]:
        """Items of any number, sent a hundred at a time at the pace of the rate limit. The results are in the order of the items."""
        return cast("Iterator[t.${type}Result]", batch_all(self._sender, ${literal(segment)}, items, fields, expand))
`
}

const follow = `    def follow(
        self,
        after: Optional[int] = None,
        occurred_after: Optional[str] = None,
        event_types: Optional[Sequence[str]] = None,
        resource_id: Optional[str] = None,
        until_caught_up: bool = False,
    ) -> EventFeed:
        """Follows the feed: each event once, in order, from a position on. It waits for what comes, and goes on after failures."""
        return EventFeed(self._sender, after, occurred_after, event_types, resource_id, until_caught_up)
`

// The table.

function operationsFile(): string {
  const rows = calls.map(({ name, http, answer, takesBytes }) => {
    const marks = [answer.kind === 'json' ? [] : [answer.kind], takesBytes ? ['upload'] : []].flat()
    return `    ${literal(name)}: ${literal([http.replace(` ${apiPrefix}`, ' '), ...marks].join(' '))},\n`
  })
  const ofCollections = collections.map(({ segment, batchBytesMax, ownReferences, shapes }) => {
    const object = ((shapes[0]?.properties ?? {})['object'] as SchemaNode).const
    return `    ${literal(segment)}: Collection(${literal(object)}, ${batchBytesMax}, (${ownReferences.map((each) => `${literal(each)}, `).join('')})),\n`
  })
  return [
    written,
    '"""Method, path, and how a call differs: `page` answers a page, `bytes` a file, `upload` takes bytes."""',
    '',
    'from typing import Dict, NamedTuple, Tuple',
    '',
    '',
    'class Collection(NamedTuple):',
    '    object: str',
    '    # Of the body of a batch.',
    '    bytes_max: int',
    '    # Fields that may name the object of an earlier item, as `#3`.',
    '    references: Tuple[str, ...]',
    '',
    '',
    `API_PREFIX = ${literal(apiPrefix)}`,
    '# The same call may succeed later.',
    `RETRYABLE_CODES = frozenset([${retryableCodes.map(literal).join(', ')}])`,
    '',
    `COLLECTIONS: Dict[str, Collection] = {\n${ofCollections.join('')}}`,
    '',
    `OPERATIONS: Dict[str, str] = {\n${rows.join('')}}\n`,
  ].join('\n')
}
