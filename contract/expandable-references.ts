// What `expand` adds beside an id: a few fields of the other object, enough to display it.
import { Type } from 'typebox'
import { Id, Name, closed } from './shared-fields.ts'

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
