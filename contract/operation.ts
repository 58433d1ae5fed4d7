// How an operation is declared. The gateway's route and scope check, the service's route, validation and handler type,
// the input of MCP tools and the tests of every operation are derived from it. It has no handler, so that the gateway
// can use it.
import type { Static, TObject, TSchema } from 'typebox'
import type { Event } from './event.ts'
import type { FaultCode } from './faults/fault.ts'
import type { Scope } from './scopes.ts'

// The first word of an operation's name, with what it is about: the API's description groups operations by it. Each
// resource declares its own beside its operations.
export type Tag = { readonly tag: string; readonly about: string }

export const tag = (name: string, about: string): Tag => ({ tag: name, about })

/** The tag of an operation or of an event, by its full name. */
export const tagOf = (operationName: string): string => operationName.split('.')[0] ?? operationName

/** How long the answer to a request with an Idempotency-Key is kept. */
export const idempotencyKeptHours = 24

/** Bytes of the body of a call, on the wire. */
export const apiBodyBytesMax = 1024 * 1024

/** Items of any list, or properties of any object, in a body of any operation. */
export const listItemsMax = 1_000

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Who may call: holders of an API key under `/api/v1`, or the operator and people who are signed in under
 * `/settings/api`.
 */
export type Audience = 'api' | 'settings'

/**
 * Whom the settings take a call from. `operator`: the operator alone. `member`: also members of the workspace, as their
 * role says. `account`: people who are signed in, and not the operator. `anyone`: visitors as well.
 */
export type Admission = 'operator' | 'member' | 'account' | 'anyone'

export type Operation<
  N extends string = string,
  I extends TObject = TObject,
  O extends TSchema = TSchema,
  E extends Event = Event,
> = {
  /** `<segment>.<action>`, such as `tasks.update`. */
  readonly name: N
  readonly summary: string
  readonly description: string
  /** Method and path template, `GET /projects/{id}`. Every `{name}` is a property of `input`. */
  readonly http: `${Method} /${string}`
  readonly audiences: readonly Audience[]
  /** `workspace`: acts inside one workspace, which the caller must name. `none`: outside of any. */
  readonly tenancy: 'workspace' | 'none'
  /** Under settings. For what acts in a workspace it is `member` unless declared otherwise, else `operator`. */
  readonly admits: Admission
  /** Fields of the input that the operator alone may give. */
  readonly ofOperator: readonly string[]
  /**
   * Dangerous: people who are signed in must have given the password a short while ago (`sessions.confirm`), always, or
   * when one of these fields is given. Not for a dry run. What gives access, makes a secret, sends data to where they
   * did not go, or decides who may what; each field of each operation is judged
   * (test/contract/confirmed-operations.test.ts).
   */
  readonly confirmed?: true | readonly string[]
  /** The scope that a key, or a member's role, needs. Null: any valid key may call. */
  readonly scope: Scope | null
  /** Fields of the input that need a further scope where they are given. */
  readonly fieldScopes: Readonly<Record<string, Scope>>
  /** One flat object. Over HTTP its properties come from path, query (GET, DELETE), body (else) and If-Match. */
  readonly input: I
  /** The input in the API's description, if it says more than `input`. */
  readonly documentedInput?: TObject
  readonly output: O
  /**
   * The answer has values that change without a new version, such as counts, so that its ETag is more than the version.
   */
  readonly unversioned?: true
  /** The answer where `fields` names some fields: of another media type, since it is no whole object. */
  readonly partial?: TSchema
  /** HTTP status of success. */
  readonly success: 200 | 201 | 202 | 204
  /** Answers 201 instead of `success` when it has created the object. */
  readonly creates?: true
  /** Fault codes of this operation, beside those of every call. */
  readonly errors: readonly FaultCode[]
  /** Events that it can record. */
  readonly emits: readonly E[]
  /** Its changes are written to the audit log, in the same transaction. */
  readonly audited: boolean
  /**
   * Its handler makes its own transactions: what it does between them, such as hashing a password, holds no connection.
   */
  readonly ownTransactions?: true
  readonly bodyBytesMax: number
  /** Its body is bytes as they are, and no JSON. */
  readonly takesBytes?: true
  /** Empty text in a field that takes null is read as null. Not where null would permit more. */
  readonly emptyTextIsNull?: true
  /** For rate limits each of the body's `items` counts as one call. */
  readonly cost?: 'items'
  /** Every answer says so in headers (RFC 9745, RFC 8594). It works unchanged until the sunset. */
  readonly deprecation?: Deprecation
}

/** `link`: a page that says what to call instead. */
type Deprecation = { readonly since: Date; readonly sunset: Date; readonly link: string }

type Defaulted =
  | ('audiences' | 'tenancy' | 'admits' | 'ofOperator' | 'fieldScopes')
  | ('errors' | 'emits' | 'audited' | 'bodyBytesMax')
type Declaration<N extends string, I extends TObject, O extends TSchema, E extends Event> = Omit<
  Operation<N, I, O, E>,
  Defaulted
> &
  Partial<Pick<Operation<N, I, O, E>, Defaulted>>

export const operation = <N extends string, I extends TObject, O extends TSchema, E extends Event = never>(
  declared: Declaration<N, I, O, E>,
): Operation<N, I, O, E> => ({
  audiences: ['api'],
  tenancy: 'workspace',
  admits: declared.tenancy === 'none' ? 'operator' : 'member',
  ofOperator: [],
  fieldScopes: {},
  errors: [],
  emits: [],
  audited: false,
  bodyBytesMax: apiBodyBytesMax,
  ...declared,
})

/** Does the answer to this input have some fields only? */
export const isPartial = ({ partial }: Operation, { fields }: Readonly<Record<string, unknown>>): boolean =>
  partial !== undefined && fields !== undefined

/** A media type of its own: who expects a whole object does not take a part for one. */
export const partialType = 'application/vnd.workspace.partial+json'

type ByName<T extends Readonly<Record<string, { readonly name: string }>>> = {
  readonly [K in keyof T as T[K]['name']]: T[K]
}

/** The same operations under their full names: `{ update }` as `{ 'tasks.update': update }`. */
export const byName = <T extends Readonly<Record<string, { readonly name: string }>>>(declared: T): ByName<T> =>
  // The key of each entry is the name of its value, which is what ByName says.
  Object.fromEntries(Object.values(declared).map((each) => [each.name, each])) as ByName<T>

export type Input<P extends Operation> = Static<P['input']>
export type Output<P extends Operation> = Static<P['output']>
export type Emitted<P extends Operation> = P['emits'][number]

export const methodOf = (declared: Operation): Method => declared.http.split(' ')[0] as Method
export const pathOf = (declared: Operation): string => declared.http.slice(declared.http.indexOf('/'))
/** Can it be called with the operator's token? */
export const isOfOperator = ({ audiences, admits }: Operation): boolean =>
  audiences.includes('settings') && (admits === 'operator' || admits === 'member')
/** True unless the operation only reads. */
export const changes = (declared: Operation): boolean => methodOf(declared) !== 'GET'
/** An answer is kept in the transaction of the change: what makes transactions of its own cannot keep one. */
export const takesIdempotencyKey = (declared: Operation): boolean =>
  changes(declared) && declared.ownTransactions !== true
