// Completions: values for what is typed into a template of resources or an argument of a prompt, as far as the key may
// read them.
import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server'
import { readDocumentContent } from '#contract/documents.ts'
import { Fault } from '#contract/faults/fault.ts'
import { listMembers } from '#contract/members.ts'
import { covers, type CollectionSegment } from '#contract/scopes.ts'
import { invalidParameter } from '../../faults/shared-faults.ts'
import { foldCase } from '../../text/characters.ts'
import { shortened } from '../../text/json.ts'
import { callOperation, type Exchange } from '../tools/runner.ts'
import { fileTemplate, listedFiles, mayReadFiles } from './files.ts'
import { listObjects, readableSegments, titleIn, nameInUri, type ObjectFields } from './objects.ts'
import type { PromptArgument } from './prompt.ts'
import { promptNamed } from './prompts.ts'
import { templateOf } from './resources.ts'

const valuesMax = 100
const lookedThroughMax = 200
const lengthMax = 200

type Filter = Readonly<Record<string, unknown>>
type Completions = { readonly values: readonly string[]; readonly hasMore: boolean }
const nothing: Completions = { values: [], hasMore: false }

/** Throws `invalid_parameter` for a template, prompt or argument that this key is not shown. */
export async function complete(params: CompleteRequestParams, exchange: Exchange): Promise<CompleteResult> {
  const { value } = params.argument
  const { values, hasMore } = value.length > lengthMax ? nothing : await valuesFor(params, exchange)
  const all = [...new Set(values)]
  const isMore = hasMore || all.length > valuesMax
  const total = hasMore ? {} : { total: all.length }
  return { completion: { values: all.slice(0, valuesMax), ...total, hasMore: isMore } }
}

async function valuesFor({ ref, argument, context }: CompleteRequestParams, exchange: Exchange): Promise<Completions> {
  if (ref.type === 'ref/prompt') {
    const declared = promptNamed(ref.name, exchange).arguments.find(({ name }) => name === argument.name)
    return declared === undefined ? unknownArgument(argument.name) : ofArgument(declared, argument.value, exchange)
  }
  if (ref.uri === fileTemplate && mayReadFiles(exchange))
    return argument.name === 'id' ? files(argument.value, exchange) : unknownArgument(argument.name)
  const segment = readableSegments(exchange).find((each) => isTemplate(each, ref.uri))
  if (segment === undefined) throw invalidParameter('ref', 'unknown', `There is no template ${shortened(ref.uri)}.`)
  if (argument.name === 'id') return named(segment, argument.value, {}, nameInUri, exchange)
  if (segment !== 'documents') return unknownArgument(argument.name)
  if (argument.name === 'section') return sections(context?.arguments?.['id'], argument.value, exchange)
  return argument.name === 'lines' ? nothing : unknownArgument(argument.name)
}

/** A client may leave out what is optional in it. */
const isTemplate = (segment: CollectionSegment, uri: string): boolean =>
  uri === templateOf(segment) || uri === `workspace://${segment}/{id}`

function unknownArgument(name: string): never {
  throw invalidParameter('argument', 'unknown', `There is no argument ${shortened(name)}.`)
}

function ofArgument({ completes }: PromptArgument, typed: string, exchange: Exchange): Promise<Completions> {
  switch (completes) {
    case 'projects':
      return named('projects', typed, {}, nameInUri, exchange)
    case 'companies':
      return named('crm-entities', typed, { kind: ['company'] }, ({ name }) => String(name), exchange)
    case 'members':
      return members(typed, exchange)
    default:
      return Promise.resolve(nothing)
  }
}

/** Those whose name in the URI or title begins like it, of those changed last, then those that a search finds. */
async function named(
  segment: CollectionSegment,
  typed: string,
  filter: Filter,
  valueOf: (object: ObjectFields) => string,
  exchange: Exchange,
): Promise<Completions> {
  const recent = await listed(segment, { ...filter, limit: lookedThroughMax }, exchange)
  if (typed === '') return { values: recent.data.map(valueOf), hasMore: recent.hasMore }
  const begins = recent.data.filter((each) => [nameInUri(each), titleIn(each)].some((text) => beginsWith(text, typed)))
  const [, key] = /^([A-Z]{2,10})-\d*$/i.exec(typed) ?? []
  const inProject =
    segment === 'tasks' && key !== undefined
      ? await listed('tasks', { projectId: [key], limit: lookedThroughMax }, exchange)
      : none
  const numbered = inProject.data.filter((each) => beginsWith(nameInUri(each), typed))
  const found =
    typed.trim().length < 2 ? none : await listed(segment, { ...filter, q: typed, limit: valuesMax }, exchange)
  return {
    values: [...begins, ...numbered, ...found.data].map(valueOf),
    hasMore: found.hasMore || (inProject.hasMore && numbered.length > 0),
  }
}

const beginsWith = (text: string, typed: string): boolean => foldCase(text).startsWith(foldCase(typed.trim()))

type ListedObjects = { readonly data: readonly ObjectFields[]; readonly hasMore: boolean }
const none: ListedObjects = { data: [], hasMore: false }

/** Nothing where what was typed cannot be asked for. */
async function listed(segment: CollectionSegment, input: Filter, exchange: Exchange): Promise<ListedObjects> {
  try {
    const { data, page } = await listObjects(segment, input, exchange)
    return { data, hasMore: page.nextCursor !== null }
  } catch (thrown) {
    return orNone(thrown, none)
  }
}

const ofWhatWasTyped = new Set(['invalid_parameter', 'reference_not_found', 'validation_failed', 'not_found'])

function orNone<T>(thrown: unknown, otherwise: T): T {
  if (thrown instanceof Fault && ofWhatWasTyped.has(thrown.code)) return otherwise
  throw thrown
}

/** Of the newest, those whose id or name begins like it. */
async function files(typed: string, exchange: Exchange): Promise<Completions> {
  const { files: newest, nextCursor } = await listedFiles({ limit: lookedThroughMax }, exchange)
  const fitting = newest.filter(({ id, name }) => [id, name].some((text) => beginsWith(text, typed)))
  return { values: fitting.map(({ id }) => id), hasMore: nextCursor !== null }
}

/** By their email addresses, which are unique. */
async function members(typed: string, exchange: Exchange): Promise<Completions> {
  const self = beginsWith('me', typed) ? ['me'] : []
  if (!covers(exchange.caller.principal.scopes, 'members:read')) return { values: self, hasMore: false }
  const { body } = await callOperation(listMembers, { sort: 'name', limit: lookedThroughMax }, exchange)
  const fitting = body.data.flatMap((each) => ('email' in each && fits(each, typed) ? [each.email] : []))
  return { values: [...self, ...fitting], hasMore: body.page.hasMore }
}

const fits = ({ name, email }: { readonly name: string; readonly email: string }, typed: string): boolean =>
  [email, ...name.split(' '), name].some((text) => beginsWith(text, typed))

/** By heading, or by number where several have the same heading. */
async function sections(id: string | undefined, typed: string, exchange: Exchange): Promise<Completions> {
  if (id === undefined) return nothing
  try {
    const { body } = await callOperation(readDocumentContent, { id, maxBytes: 100 }, exchange)
    const { outline, headingCount } = body
    const counts = Map.groupBy(outline, ({ title }) => foldCase(title))
    const values = outline
      .filter(({ section, title }) => beginsWith(section, typed) || beginsWith(title, typed))
      .map(({ section, title }) => (title === '' || counts.get(foldCase(title))?.length !== 1 ? section : title))
    return { values, hasMore: headingCount > outline.length }
  } catch (thrown) {
    return orNone(thrown, nothing)
  }
}
