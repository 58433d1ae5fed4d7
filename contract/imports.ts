// What an import tells of an object that comes from another system: when and by whom it was made there. It is one
// field of each create, update and upsert, `imported`, so that the further scope is needed only where it is sent.
import { Type, type Static, type TProperties } from 'typebox'
import type { Scope } from './scopes.ts'
import { Actor, Name, closed, nullable, resourceFields } from './shared-fields.ts'

const importScope: Scope = 'imports:write'

/** The scopes that these fields need beside that of their operation. */
export const fieldScopes = { imported: importScope } as const

const timeOf = (description: string) => Type.String({ format: 'date-time', description })
const email = { format: 'email', maxLength: 254 }

const history = {
  createdAt: Type.Optional(timeOf('When it was made there: becomes its `createdAt`.')),
  updatedAt: Type.Optional(
    nullable(
      timeOf(
        'When it was changed there last. It is shown in `imported` alone: the object’s own `updatedAt` is the time of the import, so that copies miss nothing.',
      ),
    ),
  ),
  createdBy: Type.Optional(
    nullable(
      Type.Object(
        { name: Name, email: Type.Optional(nullable(Type.String({ ...email, description: 'Stored in lower case.' }))) },
        {
          additionalProperties: false,
          description:
            'Who made it there. `createdBy` then has the type `imported` and this name, even if a member has the same address. Null: the importing key or person made it.',
        },
      ),
    ),
  ),
}

/** The field of an object that says when it ended. */
type EndField = 'completedAt' | 'closedAt'

const endOf = (field: EndField) => ({
  [field]: Type.Optional(timeOf(`When it ended there: becomes its \`${field}\`. Only for what has ended.`)),
})

const numbered = {
  number: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'Its number there. Only as long as the project has numbered no task by itself.',
    }),
  ),
}

const partsOf = (parts: TProperties) =>
  Type.Unsafe<ImportedInput>(
    Type.Object(parts, {
      additionalProperties: false,
      minProperties: 1,
      description: `The history of an object that comes from another system. Needs the scope \`${importScope}\`.`,
    }),
  )

/** The field `imported` of a create, an update and an upsert, by what has the history. */
export const AnyImport = partsOf(history)
export const ProjectImport = partsOf({ ...history, ...endOf('completedAt') })
export const TaskImport = partsOf({ ...history, ...endOf('completedAt'), ...numbered })
export const CrmEntityImport = partsOf({ ...history, ...endOf('closedAt') })

/** As it is sent, whatever the collection. */
export type ImportedInput = {
  readonly createdAt?: string
  readonly updatedAt?: string | null
  readonly createdBy?: { readonly name: string; readonly email?: string | null } | null
  readonly number?: number
} & { readonly [F in EndField]?: string }

export type Imported = {
  readonly importedAt: string
  readonly importedBy: Actor
  readonly updatedAt: string | null
  readonly createdBy: { readonly name: string; readonly email: string | null } | null
}

/** What no other field of the object shows. */
const ShownImport = Type.Unsafe<Imported>(
  Type.Object(
    {
      importedAt: timeOf('When it was first imported with a history.'),
      importedBy: Actor,
      updatedAt: nullable(timeOf('When it was changed there last, as the import said.')),
      createdBy: nullable(
        Type.Object(
          { name: Name, email: nullable(Type.String(email)) },
          { additionalProperties: false, description: 'Who made it there.' },
        ),
      ),
    },
    {
      additionalProperties: false,
      description:
        'Of an object that was imported with its history: by whom and when that was, and when and by whom it was changed last and made in the system that it comes from. Null for all others.',
    },
  ),
)

export const Author = closed({
  ...Actor.properties,
  type: Type.Enum([...Actor.properties.type.enum, 'imported'], {
    description: '`imported`: a person of the system that it comes from; `id` is that of the importing key.',
  }),
})
export type Author = Static<typeof Author>

/** The fields of every object that can come from another system. */
export const contentFields = <O extends string>(object: O) => ({
  ...resourceFields(object),
  createdBy: Author,
  imported: nullable(ShownImport),
})
