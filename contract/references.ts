// Names of objects, wherever input takes an id: the id itself, or what people call it. The formats are the marks by
// which the service finds such names and replaces them by ids (service/resolve-names.ts), so that they are said here
// alone.
import { Type } from 'typebox'
import { Id, Name, closed } from './shared-fields.ts'

export type ReferenceKind = 'task' | 'project' | 'member' | 'key'

/** Of a filter, the name may have `!` before it; if its field can be empty, `none` and `any` stand for no name. */
export type ReferenceFormat = {
  readonly kind: ReferenceKind
  readonly isNegatable: boolean
  readonly mayBeEmpty: boolean
}

const idLength = 36

/** Former keys and identifiers lead to the same object; capitals do not matter. */
export const TaskRef = Type.String({
  format: 'task-ref',
  maxLength: idLength,
  description: 'Its id, or its identifier such as `WEB-42`.',
})
export const ProjectRef = Type.String({
  format: 'project-ref',
  maxLength: idLength,
  description: 'Its id, or its key such as `WEB`.',
})
export const MemberRef = Type.String({
  format: 'member-ref',
  maxLength: idLength,
  description: 'Its id, or `me`: the key’s owner.',
})

const KeyRef = Type.String({
  format: 'key-ref',
  maxLength: idLength,
  description: 'Its id, or `me`: the key that calls.',
})

/**
 * The fields of an object that name others are declared with these twice: as input takes them, and as they are shown.
 */
export const accepted = { task: TaskRef, project: ProjectRef, member: MemberRef, key: KeyRef }
export const shown = { task: Id, project: Id, member: Id, key: Id }
export type References = typeof accepted

/** One value of a filter. */
export const negatable = (kind: ReferenceKind) => Type.String({ format: `${kind}-ref-or-not`, maxLength: idLength + 1 })
/** The same where the field can be empty. */
export const emptiable = (kind: ReferenceKind) =>
  Type.String({ format: `${kind}-ref-or-none`, maxLength: idLength + 1 })

const form = /^(task|project|member|key)-ref(?:-or-(not|none))?$/

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
