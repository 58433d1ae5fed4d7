// Objects and members by what people call them, for the arguments of prompts: a key, a name, an email address, an id.
import { Fault, type FieldCode } from '#contract/faults/fault.ts'
import { getMe } from '#contract/me.ts'
import { getMember, listMembers } from '#contract/members.ts'
import { parseName } from '#contract/references.ts'
import type { CollectionSegment } from '#contract/scopes.ts'
import { invalidParameter } from '../../faults/shared-faults.ts'
import { foldCase } from '../../text/characters.ts'
import { callOperation, type Exchange } from '../tools/runner.ts'
import { listObjects, type ObjectFields } from './objects.ts'

/** Names that lead to one object, which the operations themselves take in the place of its id. */
const isExact = (text: string): boolean => ['id', 'own-id', 'domain'].includes(parseName(text)?.form ?? '')
const candidatesMax = 10

/** `argument` is what refusals name; `filter` narrows what is looked through. */
type Wanted = { readonly argument: string; readonly text: string }
type WantedObject = Wanted & { readonly segment: CollectionSegment; readonly filter?: object }

export async function objectNamed(
  { segment, argument, text, filter = {} }: WantedObject,
  exchange: Exchange,
): Promise<ObjectFields> {
  const asked = isExact(text) ? { ids: [text] } : { q: searchable(argument, text), limit: candidatesMax }
  const { data } = await listObjects(segment, { ...filter, ...asked }, exchange)
  return onlyOne(
    data,
    { argument, text },
    ({ key, name }) => [key, name],
    ({ id, key, name }) => (typeof key === 'string' ? key : `${String(name)} (${id})`),
  )
}

type Person = { readonly id: string; readonly name: string; readonly email?: string }

export async function memberNamed({ argument, text }: Wanted, exchange: Exchange): Promise<Person> {
  if (text === 'me') return await owner(argument, exchange)
  if (isExact(text)) return (await callOperation(getMember, { id: text }, exchange)).body
  const { body } = await callOperation(listMembers, { q: searchable(argument, text), limit: candidatesMax }, exchange)
  // Without `includeDeleted` there are members alone.
  return onlyOne(
    body.data as Person[],
    { argument, text },
    ({ name, email }) => [name, email],
    ({ email, id }) => email ?? id,
  )
}

async function owner(argument: string, exchange: Exchange): Promise<Person> {
  const { ownerId } = (await callOperation(getMe, {}, exchange)).body.apiKey
  if (ownerId === null) throw refused(argument, 'not_found', 'This key has no owner: name a member by email address.')
  return { id: ownerId, name: 'me' }
}

function searchable(argument: string, text: string): string {
  if (text.trim().length < 2) throw refused(argument, 'too_short', 'Needs two characters at least.')
  return text
}

/** The one that is called exactly so, or the only one that was found. */
function onlyOne<T>(
  found: readonly T[],
  { argument, text }: Wanted,
  namesOf: (one: T) => readonly unknown[],
  label: (one: T) => string,
): T {
  const wanted = foldCase(text.trim())
  const isCalled = (one: T): boolean => namesOf(one).some((name) => foldCase(String(name)) === wanted)
  const exact = found.filter(isCalled)
  const [first] = exact.length > 0 ? exact : found
  if (first === undefined) throw refused(argument, 'not_found', 'Nothing that this key may read is called so.')
  if ((exact.length > 0 ? exact : found).length === 1) return first
  throw refused(argument, 'not_unique', `Several are called so: ${found.map(label).join(', ')}.`)
}

const refused = (argument: string, code: FieldCode, detail: string): Fault => invalidParameter(argument, code, detail)
