// A list is answered in pages. The cursor is opaque: it holds the last row's sort values and a hash of the filter,
// authenticated by the service.
import { Type, type TProperties, type TSchema } from 'typebox'
import { Id, Version, closed, nullable, optional } from './shared-fields.ts'

export const pageItemsMax = 200

export const pageItemsDefault = 50

/**
 * Enough for a sort value of 255 characters of four bytes each in JSON, with others beside it, id, query hash and
 * signature, in base64.
 */
const cursorLengthMax = 2_000

export const pageInput = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: pageItemsMax, default: pageItemsDefault, description: 'Items per page.' }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: cursorLengthMax, description: '`page.nextCursor` of the previous page.' }),
  ),
}

export const pageOf = <T extends TSchema>(item: T) =>
  closed({
    data: Type.Array(item, { maxItems: pageItemsMax }),
    page: closed({
      limit: Type.Integer({ minimum: 1, maximum: pageItemsMax }),
      nextCursor: nullable(Type.String({ maxLength: cursorLengthMax })),
      hasMore: Type.Boolean(),
    }),
  })

/** An object of which some fields are shown. */
export const sparse = <F extends TProperties>(fields: F) =>
  closed({ ...optional(fields), id: Id, object: Type.String({ maxLength: 40 }), version: Version })

/** A page whose items may have some fields only. A deleted one has id, object, version and `deletedAt`. */
export const sparsePageOf = <F extends TProperties>(fields: F) =>
  closed({
    data: Type.Array(sparse(fields), { maxItems: pageItemsMax }),
    page: closed({
      limit: Type.Integer({ minimum: 1, maximum: pageItemsMax }),
      nextCursor: nullable(Type.String({ maxLength: cursorLengthMax })),
      hasMore: Type.Boolean(),
      total: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
  })
