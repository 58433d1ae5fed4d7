// How large and how many: bounds of bodies, lists and numbers of objects. Bytes are bytes on the wire.

export const apiBodyBytesMax = 1024 * 1024
/** The content of one document, in UTF-8. */
export const contentBytesMax = 1024 * 1024
/** Permitted content fits however its JSON is written, with `\u0041` for each `A`, and the other fields with it. */
export const documentBodyBytesMax = 6 * contentBytesMax + 128 * 1024
/** Documents on a page that shows their content. */
export const contentPageItemsMax = 20
/** Edits of a document in one call, and the length of the text that one of them looks for and puts in its place. */
export const documentEditsMax = 50
export const editFindLengthMax = 20_000
export const editReplaceLengthMax = 200_000
/** Headings in the outline of a document. */
export const outlineHeadingsMax = 200
export const searchHitsMax = 50
export const searchHitsDefault = 20
export const mcpBodyBytesMax = 512 * 1024
export const mcpBatchCallsMax = 50
export const mcpBatchConcurrency = 4
/** What the calls of an MCP batch act on, together. Each counts for the rate limit, and a bucket of tokens holds no more. */
export const mcpBatchObjectsMax = 100
export const pageItemsMax = 200
export const pageItemsDefault = 50
export const batchItemsMax = 100
/** Items of any list, or properties of any object, in a body of any operation. */
export const listItemsMax = 1_000
export const feedWaitSecondsMax = 20
export const webhookUrlLengthMax = 2_048
/** Custom fields of one kind of object that are not archived. */
export const customFieldsPerTargetMax = 100
/** The same with archived ones. */
export const customFieldsWithArchivedPerTargetMax = 1_000
/** Length of one segment of a path. So large that the schema, and not the router, refuses what is too long. */
export const pathSegmentLengthMax = 8_192

/** How long existing keys may break a tightened key policy: 90 days. */
export const policyGraceHoursMax = 2_160
export const policyPreviewKeysMax = 100

/** The groups that a count shows. */
export const countedGroupsMax = 1_000

/** Of each kind that is listed before a member is removed. */
export const memberAccessItemsMax = 100
