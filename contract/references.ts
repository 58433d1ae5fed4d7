// Names of objects, wherever input takes an id: the id itself, what people call it, or an id that it has elsewhere. The
// formats are the marks by which the service finds such names and replaces them by ids (service/resolve-names.ts), so
// that they are said here alone.
import { Type } from 'typebox'
import type { CollectedSegment } from './scopes.ts'
import { Id, Name, closed, externalIdLengthMax, externalSourceLengthMax } from './shared-fields.ts'

const kindsOfReference = [
  'task',
  'project',
  'member',
  'key',
  'company',
  'contact',
  'crm-entity',
  'document',
  'comment',
] as const
/** `crm-entity`: a company, a contact or a deal. */
export type ReferenceKind = (typeof kindsOfReference)[number]

/** The collection of a kind's objects. */
export const segmentOfReference: Readonly<Partial<Record<ReferenceKind, CollectedSegment>>> = {
  task: 'tasks',
  project: 'projects',
  company: 'crm-entities',
  contact: 'crm-entities',
  'crm-entity': 'crm-entities',
  document: 'documents',
  comment: 'comments',
}

/** Of a filter, the name may have `!` before it; if its field can be empty, `none` and `any` stand for no name. */
export type ReferenceFormat = {
  readonly kind: ReferenceKind
  readonly isNegatable: boolean
  readonly mayBeEmpty: boolean
}

/**
 * What a name says of its object. `called`: it is a key, an identifier or `me`, which only the kind's own format tells
 * from other text.
 */
export type ObjectName =
  | { readonly form: 'id' | 'called' | 'email' | 'domain'; readonly text: string }
  | { readonly form: 'own-id'; readonly source: string; readonly externalId: string }

const ownIdPrefix = 'ext:'
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
/** The source ends at the first slash: one in it, and a percent sign, are written as in a URL. */
const ownId = /^ext:((?:[^/%]|%2[5F])+)\/(.+)$/is

/** Null for text that begins like an own id and is none. Emails and domains are returned in small letters. */
export function parseName(text: string): ObjectName | null {
  if (uuid.test(text)) return { form: 'id', text: text.toLowerCase() }
  if (text.startsWith(ownIdPrefix)) return parseOwnId(text)
  const [, prefix, value = ''] = /^(email|domain):(.*)$/s.exec(text) ?? []
  if (prefix !== undefined) return { form: prefix === 'email' ? 'email' : 'domain', text: value.toLowerCase() }
  return text.includes('@') ? { form: 'email', text: text.toLowerCase() } : { form: 'called', text }
}

function parseOwnId(text: string): ObjectName | null {
  const [, written, externalId = ''] = ownId.exec(text) ?? []
  if (written === undefined) return null
  const source = written.replaceAll(/%2[5F]/gi, (sign) => (sign === '%25' ? '%' : '/'))
  const fits = isUpTo(externalSourceLengthMax, source) && isUpTo(externalIdLengthMax, externalId)
  return fits ? { form: 'own-id', source, externalId } : null
}

const isUpTo = (length: number, text: string): boolean => Array.from(text).length <= length

/** The name by which `parseName` reads the id. */
export const nameOfOwnId = (source: string, externalId: string): string =>
  `${ownIdPrefix}${source.replaceAll(/[%/]/g, (sign) => (sign === '%' ? '%25' : '%2F'))}/${externalId}`

/** The index of the item that `#3` stands for, in a later item of the same batch; null for other text. */
export function earlierItemIn(text: string): number | null {
  const [, index] = /^#(0|[1-9]\d{0,3})$/.exec(text) ?? []
  return index === undefined ? null : Number(index)
}

/** The forms that each kind takes beside ids. */
export const formsOfReference: Readonly<Record<ReferenceKind, readonly ObjectName['form'][]>> = {
  task: ['called', 'own-id'],
  project: ['called', 'own-id'],
  member: ['called', 'email'],
  key: ['called'],
  company: ['own-id', 'domain'],
  contact: ['own-id', 'email'],
  'crm-entity': ['own-id', 'domain', 'email'],
  document: ['own-id'],
  comment: ['own-id'],
}

/** With each character of the source escaped, and a slash. */
export const referenceLengthMax = ownIdPrefix.length + 3 * externalSourceLengthMax + 1 + externalIdLengthMax
const keyLength = 36

const lengthOf = (kind: ReferenceKind): number => (kind === 'key' ? keyLength : referenceLengthMax)

const reference = (kind: ReferenceKind, description: string) =>
  Type.String({ format: `${kind}-ref`, maxLength: lengthOf(kind), description })

/** Former keys and identifiers lead to the same object; capitals do not matter. */
export const TaskRef = reference('task', 'Its id, its identifier such as `WEB-42`, or your own id, `ext:erp/4711`.')
export const ProjectRef = reference('project', 'Its id, its key such as `WEB`, or your own id, `ext:erp/p-7`.')
export const MemberRef = reference('member', 'Its id, its email, or `me`: the key’s owner.')
const CompanyRef = reference(
  'company',
  'Its id, your own id, `ext:erp/co-17`, or one of its domains, `domain:example.com`.',
)
const ContactRef = reference(
  'contact',
  'Its id, your own id, `ext:erp/p-3`, or one of its emails, `email:ada@example.com`.',
)
export const CrmEntityRef = reference(
  'crm-entity',
  'Its id, your own id, `ext:erp/co-17`, a domain of a company, `domain:example.com`, or an email of a contact, `email:ada@example.com`.',
)
export const DocumentRef = reference('document', 'Its id, or your own id, `ext:wiki/42`.')

export const CommentRef = reference('comment', 'Its id, or your own id, `ext:erp/4711`.')

const KeyRef = reference('key', 'Its id, or `me`: the key of the request.')

/**
 * The fields of an object that name others are declared with these twice: as input takes them, and as they are shown.
 */
export const accepted = {
  task: TaskRef,
  project: ProjectRef,
  member: MemberRef,
  key: KeyRef,
  company: CompanyRef,
  contact: ContactRef,
  crmEntity: CrmEntityRef,
}
export const shown = { task: Id, project: Id, member: Id, key: Id, company: Id, contact: Id, crmEntity: Id }
export type References = typeof accepted

/** One value of a filter. */
export const negatable = (kind: ReferenceKind) =>
  Type.String({ format: `${kind}-ref-or-not`, maxLength: lengthOf(kind) + 1 })
/** The same where the field can be empty. */
export const emptiable = (kind: ReferenceKind) =>
  Type.String({ format: `${kind}-ref-or-none`, maxLength: lengthOf(kind) + 1 })

const form = new RegExp(`^(${kindsOfReference.join('|')})-ref(?:-or-(not|none))?$`)

/** Null for the format of anything else. */
export function referenceFormat(format: string): ReferenceFormat | null {
  const [, kind, orNot] = form.exec(format) ?? []
  if (kind === undefined) return null
  // The expression matches no other kinds.
  return { kind: kind as ReferenceKind, isNegatable: orNot !== undefined, mayBeEmpty: orNot === 'none' }
}

// What `expand` adds beside an id: a few fields of the other object, enough to display it.

const Word = Type.String({ maxLength: 20 })

export const MemberReference = closed({ id: Id, object: Type.Literal('member'), name: Name, email: Type.String() })
export const ProjectReference = closed({
  id: Id,
  object: Type.Literal('project'),
  key: Type.String({ maxLength: 10 }),
  name: Name,
  status: Word,
})
export const TaskReference = closed({
  id: Id,
  object: Type.Literal('task'),
  identifier: Type.String({ maxLength: 21 }),
  title: Name,
  status: Word,
})
export const CrmEntityReference = closed({
  id: Id,
  object: Type.Literal('crm_entity'),
  kind: Word,
  name: Type.String(),
})
const FileReference = closed({
  id: Id,
  object: Type.Literal('file'),
  name: Type.String({ maxLength: 255 }),
  type: Type.String({ maxLength: 127 }),
  bytes: Type.Integer({ minimum: 0 }),
  status: Word,
})

/** Files that one object may name. */
const fileIdsMax = 20
export const FileIds = Type.Array(Id, {
  maxItems: fileIdsMax,
  uniqueItems: true,
  description: 'Its files, whose bytes have been uploaded.',
})
export const filesExpansion = Type.Array(FileReference, { maxItems: fileIdsMax })
