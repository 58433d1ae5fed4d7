// The generated part of the Python client: the types of what calls take and give (types.py), the methods (calls.py),
// and the table by which requests are built (operations.py).
import type { SchemaNode } from '#contract/json-schema.ts'
import { apiPrefix } from '#contract/route-paths.ts'
import { calls, collections, pascal, retryableCodes, type Call } from './model.ts'
import {
  answerType,
  callName,
  docstring,
  expandedBy,
  literal,
  reserved,
  typesFile,
  withoutExpand,
  writer,
  written,
} from './python-types.ts'

/** By their names in `src/workspace_client`. */
export const pythonFiles = (): Record<string, string> => ({
  'types.py': typesFile(),
  'calls.py': callsFile(),
  'operations.py': operationsFile(),
})

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
    'from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Literal, Optional, Sequence, Union, cast, overload',
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
  const upload = takesBytes ? ', body: bytes' : ''
  const values = input.length === 0 ? '{}' : 'dict(input)'
  const isChosen = expandedBy(call) !== null
  const type = isChosen ? 'Any' : answerOf(call)
  const given = input.length === 0 ? '' : `, **input: ${isChosen ? 'Any' : `Unpack[t.${callName(call)}Input]`}`
  const sent = `self._sender.send(${literal(name)}, ${values}${takesBytes ? ', body' : ''})`
  const head = `${overloads(call)}    def ${snake(call.method)}(self${upload}${given}) -> ${inPages(call, type)}:\n${about}`
  if (answer.kind === 'page') {
    const pages = isChosen ? 'Pages[Any]' : 'Pages'
    return `${head}        return ${pages}(lambda more: self._sender.send(${literal(name)}, {**${values}, **more}))\n`
  }
  if (type === 'None') return `${head}        ${sent}\n`
  return `${head}        return ${type === 'Any' ? sent : `cast(${literal(type)}, ${sent})`}\n`
}

const inPages = ({ answer }: Call, type: string): string => (answer.kind === 'page' ? `Pages[${type}]` : type)

/** One for each name that `expand` can have, one without it, and one for several names. */
function overloads(call: Call): string {
  const expansions = expandedBy(call)?.expansions ?? []
  const overload = (expand: string, type: string): string =>
    `    @overload\n    def ${snake(call.method)}(self, ${expand}**input: Unpack[t.${withoutExpand(call)}]) -> ${inPages(call, type)}: ...\n\n`
  const taking = (names: string): string => `*, expand: List[${names}], `
  if (expansions.length === 0) return ''
  return [
    overload('', answerOf(call)),
    ...expansions.map((one) => overload(taking(`Literal[${literal(one)}]`), answerOf(call, { one }))),
    // Where there is one name, several are that name.
    ...(expansions.length === 1
      ? []
      : [overload(taking(`t.${expandedBy(call)!.type}Expansion`), answerOf(call, 'any'))]),
  ].join('')
}

/** In the module of the types, which is read by checkers alone. */
function answerOf(call: Call, expand?: Parameters<typeof answerType>[2]): string {
  const type = answerType(call, writer().typeOf, expand)
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
