// One operation, declared once. Gateway route and scope, service route, validator and handler type, MCP tool and the
// test over all operations are read off this value; it holds no handler, so that the gateway never loads the service.
import type { Static, TObject, TSchema } from 'typebox'
import type { Event } from './event.ts'
import type { FaultCode } from './fault-codes.ts'
import { apiBodyBytesMax } from './size-limits.ts'
import type { Scope } from './scope.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Who may call: holders of an API key under `/api/v1`, or the operator and the console under `/settings/api`. */
export type Audience = 'api' | 'settings'

export type Operation<
  N extends string = string,
  I extends TObject = TObject,
  O extends TSchema = TSchema,
  E extends Event = Event,
> = {
  /** `<segment>.<action>`; also the MCP tool's name. */
  readonly name: N
  readonly summary: string
  readonly description: string
  /** Method and path template, `GET /projects/{id}`. Every `{name}` is a property of `input`. */
  readonly http: `${Method} /${string}`
  readonly audiences: readonly Audience[]
  /** `workspace`: acts inside one workspace, which the caller must name. `none`: outside of any. */
  readonly tenancy: 'workspace' | 'none'
  /** Null: any valid key. */
  readonly scope: Scope | null
  /** One flat object. Over HTTP its properties come from path, query (GET, DELETE), body (else) and If-Match. */
  readonly input: I
  /** The input as callers are told of it, where it is checked part by part. */
  readonly told?: TObject
  readonly output: O
  /** Its answer also shows what changes without a new version, such as counts: the version alone is no ETag of it. */
  readonly unversioned?: true
  readonly success: 200 | 201 | 202 | 204
  /** Answers 201 in place of `success` where it made the object. */
  readonly creates?: true
  /** Refusals of its own, beside those that any call can meet. */
  readonly errors: readonly FaultCode[]
  readonly emits: readonly E[]
  /** What it changes is written to the audit log, in the same transaction. */
  readonly audited: boolean
  readonly tool?: { readonly destructive: boolean; readonly idempotent: boolean }
  readonly bodyBytesMax: number
  /** Counts as so many calls as its body has `items`, in place of one. */
  readonly cost?: 'items'
  /** It goes on working as ever until the sunset; every answer says so. */
  readonly deprecation?: Deprecation
}

/** `link`: where it says what to call instead. */
type Deprecation = { readonly since: Date; readonly sunset: Date; readonly link: string }

type Defaulted = 'audiences' | 'tenancy' | 'errors' | 'emits' | 'audited' | 'bodyBytesMax'
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
  errors: [],
  emits: [],
  audited: false,
  bodyBytesMax: apiBodyBytesMax,
  ...declared,
})

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
export const changes = (declared: Operation): boolean => methodOf(declared) !== 'GET'
