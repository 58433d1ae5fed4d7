// An item of a batch that is refused only because an earlier one was: it names what that one would have made, or counts
// on what that one would have changed. Items know each other by what they say, by the same id, the same external id or
// the same key; what an object is called otherwise is not looked up. Pure.
import { Fault, type FaultCode } from '#contract/faults/fault.ts'
import { parseName } from '#contract/references.ts'
import { toNfc } from '../text/characters.ts'
import { stepsOf } from '../text/json.ts'

/** As it was sent: of one that was refused the members may be anything. */
type SentItem = Readonly<Record<string, unknown>>
export type RefusedItem = { readonly index: number; readonly item: SentItem }
type IsCause = (earlier: SentItem, index: number) => boolean

/** Returns `depends_on_failed` with the index of the nearest item that is the cause; else the fault itself. */
export function becauseOfEarlier(fault: Fault, item: SentItem, refused: readonly RefusedItem[]): Fault {
  const isCause = causes[fault.code]?.(fault, item, refused)
  const cause =
    isCause === undefined ? undefined : refused.findLast(({ item: earlier, index }) => isCause(earlier, index))
  if (cause === undefined) return fault
  const detail = `${fault.message} This item depends on item ${cause.index}, which failed.`
  const members = { ...fault.members, failedIndex: cause.index, reason: fault.code }
  return new Fault('depends_on_failed', detail, members, fault)
}

/** Once an item has changed the object, what an earlier one would have made of it explains nothing that comes later. */
export function isAbout({ item: earlier }: RefusedItem, item: SentItem, object: unknown): boolean {
  const { id } = (object ?? {}) as { readonly id?: unknown }
  const names = new Set([...namesOf(item), ...namesMadeBy(item), ...(id === undefined ? [] : [idName(id)])])
  return [...namesOf(earlier), ...namesMadeBy(earlier)].some((name) => names.has(name))
}

const causes: Partial<Record<FaultCode, (fault: Fault, item: SentItem, refused: readonly RefusedItem[]) => IsCause>> = {
  not_found: (_fault, item) => wouldHaveMade(namesOf(item), item),
  reference_not_found: (fault, item) => wouldHaveMade(missingIn(fault, item), item),
  // An upsert of a version that is expected, of an object that does not exist.
  precondition_failed: ({ members }, item) =>
    members['currentVersion'] === undefined ? wouldHaveMade(namesOf(item), item) : () => false,
  not_deleted: (_fault, item) => (earlier) => earlier['action'] === 'delete' && isSameObject(earlier, item),
  version_mismatch: ({ members }, item, refused) => {
    // A version that is yet to come: each of the earlier changes would have raised it by one.
    const raises = refused.filter(({ item: earlier }) => isSameObject(earlier, item)).length
    const ahead = Number(item['expectedVersion']) - Number(members['currentVersion'])
    return (earlier) => ahead > 0 && ahead <= raises && isSameObject(earlier, item)
  },
  invalid_transition: ({ members: { from, to } }, item) => {
    const fields = Object.entries(dataOf(item)).flatMap(([name, value]) => (value === to ? [name] : []))
    return (earlier) =>
      isSameObject(earlier, item) && fields.some((name) => ![undefined, from, to].includes(dataOf(earlier)[name]))
  },
  // The object that has the value would have given it up.
  duplicate: ({ members: { existingId, field } }) => {
    const holder = new Set([idName(existingId)])
    return (earlier) =>
      Object.hasOwn(dataOf(earlier), String(field)) && namesOf(earlier).some((each) => holder.has(each))
  },
}

/** Is it the earlier item that would have given an object one of these names? */
function wouldHaveMade(wanted: readonly string[], item: SentItem): IsCause {
  const names = new Set(wanted)
  const projects = new Set([...wanted.flatMap(projectOfIdentifier), ...projectIn(item, wanted)])
  return (earlier, index) =>
    names.has(idName(`#${index}`)) ||
    namesMadeBy(earlier).some((name) => names.has(name)) ||
    (isNew(earlier) && projects.has(idName(dataOf(earlier)['projectId'])))
}

const isNew = ({ action }: SentItem): boolean => action === 'create' || action === 'upsert'

/** What the item calls the object that it works on. */
const namesOf = (item: SentItem): string[] => [
  ...(typeof item['id'] === 'string' ? [referenceName(item['id'])] : []),
  ...ownName(item),
]

function namesMadeBy(item: SentItem): string[] {
  const { action } = item
  const data = dataOf(item)
  const given = [
    ...ownName(data),
    ...(typeof data['key'] === 'string' ? [idName(data['key'])] : []),
    ...textsIn(data['domains']).map((domain) => idName(`domain:${domain}`)),
    ...textsIn(data['emails']).map((email) => idName(`email:${email}`)),
  ]
  if (action === 'update') return given
  if (action === 'restore') return namesOf(item)
  return isNew(item) ? [...ownName(item), ...given] : []
}

/** Ids, keys, identifiers, domains and emails are the same in capitals and in small letters. */
const idName = (id: unknown): string => `id ${String(id).toUpperCase()}`

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

/** What a text stands for that names an object where an id is taken. */
function referenceName(text: string): string {
  const name = parseName(toNfc(text))
  if (name?.form === 'own-id') return ownNameOf(name.source, name.externalId)
  return idName(name?.form === 'email' || name?.form === 'domain' ? `${name.form}:${name.text}` : text)
}

function ownName({ externalSource, externalId }: SentItem): string[] {
  if (typeof externalSource !== 'string' || typeof externalId !== 'string') return []
  return [ownNameOf(toNfc(externalSource), toNfc(externalId))]
}

const ownNameOf = (source: string, externalId: string): string => `own ${JSON.stringify([source, externalId])}`

const isSameObject = (earlier: SentItem, item: SentItem): boolean => {
  const names = new Set(namesOf(item))
  return namesOf(earlier).some((name) => names.has(name))
}

/** What stands where the fault found something missing. */
function missingIn({ members: { errors = [] } }: Fault, item: SentItem): string[] {
  return errors.flatMap(({ pointer = '' }) => {
    const [, field = '', index] = stepsOf(pointer)
    const value = dataOf(item)[field]
    const named: unknown = Array.isArray(value) && index !== undefined ? value[Number(index)] : value
    return typeof named === 'string' ? [referenceName(named)] : []
  })
}

/** A task has its number from its project: an identifier may be that of a task which was to be the project's next. */
const identifier = /^id ([A-Z]{2,10})-[1-9]\d*$/

const projectOfIdentifier = (name: string): string[] => {
  const [, key] = identifier.exec(name) ?? []
  return key === undefined ? [] : [idName(key)]
}

/**
 * The item's own project, which the earlier item may call by its id, where the item misses a task by its identifier.
 */
const projectIn = (item: SentItem, wanted: readonly string[]): string[] =>
  wanted.some((name) => identifier.test(name)) && typeof dataOf(item)['projectId'] === 'string'
    ? [idName(dataOf(item)['projectId'])]
    : []

const dataOf = ({ data }: SentItem): SentItem => (typeof data === 'object' && data !== null ? (data as SentItem) : {})
