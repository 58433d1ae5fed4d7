// What an answer shows of an object: the fields that were asked for, and the related objects that were expanded.

type Always = 'id' | 'object' | 'version'

type Kept<K, Expansion extends string, F extends string, E extends string, Hidden extends string> = K extends Expansion
  ? Extract<K, E>
  : [F] extends [never]
    ? Exclude<K, Hidden>
    : Extract<K, F | Always | 'outcome' | 'matchedBy'>

type Picked<Full, Expansion extends string, F extends string, E extends string, Hidden extends string> = {
  [K in keyof Full as Kept<K, Expansion, F, E, Hidden>]: Full[K]
}

/**
 * `Full` is an object with all that can be expanded, and `Expansion` names that. `F` and `E` are what `fields` and
 * `expand` of the call named, `Hidden` what is shown only if `fields` names it. Where a list of fields is known while
 * the program runs, and not before, each of them may be absent.
 */
export type Shown<
  Full,
  Expansion extends string,
  F extends string,
  E extends string,
  Hidden extends string = never,
> = Full extends unknown
  ? [Exclude<keyof Full, Expansion | Always>] extends [F]
    ? Pick<Full, Extract<keyof Full, Always>> & Partial<Picked<Full, Expansion, F, E, Hidden>>
    : Picked<Full, Expansion, F, E, Hidden>
  : never

/** A deleted object in a list with `includeDeleted`. */
export type Tombstone<O extends string> = {
  id: string
  object: O
  version: number
  externalIds: { source: string; id: string }[]
  deletedAt: string
}

type Target =
  | { readonly id: string; readonly externalSource?: undefined; readonly externalId?: undefined }
  | { readonly id?: undefined; readonly externalSource: string; readonly externalId: string }
type OwnId = { readonly externalSource: string; readonly externalId: string }
type Versioned = { readonly expectedVersion?: number | undefined }

/** One change of a batch. Update, delete and restore name the object by its id or by your own. */
export type BatchItem<Create, Patch, Upsert> =
  | { readonly action: 'create'; readonly data: Create }
  | ({ readonly action: 'update'; readonly data: Patch } & Target & Versioned)
  | ({ readonly action: 'upsert'; readonly data: Upsert } & OwnId & Versioned)
  | ({ readonly action: 'delete' } & Target & Versioned)
  | ({ readonly action: 'restore' } & Target)

/** What became of one item of a batch: the object, or why it was refused. */
export type BatchResult<T, P = unknown> = {
  index: number
  status: number
  externalSource?: string
  externalId?: string
  outcome?: 'created' | 'updated' | 'unchanged' | 'skipped' | 'restored'
  matchedBy?: string | null
  data?: T | null
  problem?: P
}
