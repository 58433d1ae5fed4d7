// The arguments that tools have alike.
import { Type, type TSchema } from 'typebox'
import { collectionSegments } from '../scopes.ts'

export const maxTokensDefault = 6_000
/** Some clients cut answers at 25,000 tokens; a single long text may need more. */
const maxTokensMax = 100_000

export const answerArguments = {
  detail: Type.Optional(words(['concise', 'full'])),
  maxTokens: Type.Optional(
    Type.Integer({
      minimum: 500,
      maximum: maxTokensMax,
      description: `Longest answer, default ${maxTokensDefault}`,
    }),
  ),
}

export const idempotencyKey = {
  idempotencyKey: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'A repeated call with it acts once' }),
  ),
}

export const expectedVersion = {
  expectedVersion: Type.Optional(Type.Integer({ minimum: 1, description: 'Refuse if the version differs' })),
}

export const dryRun = { dryRun: Type.Optional(Type.Boolean({ description: 'Check only, change nothing' })) }

/** Arguments of an update that are no fields of the object: null clears nothing there. */
export const controls: ReadonlySet<string> = new Set([
  ...Object.keys({ ...idempotencyKey, ...expectedVersion, ...dryRun }),
  ...['edits', 'section'],
])

export const textList = (description: string): TSchema => Type.Optional(Type.Array(Type.String(), { description }))

/** Of a tool whose scope is by type. */
export const typeArgument = () => words(collectionSegments)

/** An enumeration with its type, which some clients ask for. */
export function words<W extends string>(values: readonly W[]) {
  return Type.Unsafe<W>({ type: 'string', enum: [...values] })
}
