// Column names for the statements that we write ourselves: the field `createdAt` is the column `created_at`.
export const columnOf = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const asColumns = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([field, value]) => [columnOf(field), value]))
