// Objects as text for models: rows below one line of names, or one value a line. Fields without a value are left out.

type Fields = Readonly<Record<string, unknown>>

/** One row an object, below the names of the fields that at least one of them has. */
export function rows(objects: readonly Fields[]): string {
  const names = [...new Set(objects.flatMap((each) => Object.keys(each).filter((name) => !isEmpty(each[name]))))]
  return [names.join(' | '), ...objects.map((each) => names.map((name) => cell(each[name])).join(' | '))].join('\n')
}

/** One line a field. */
export const lines = (object: Fields): string =>
  Object.entries(object)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join('\n')

/** Null, an empty list, an empty object. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

const cell = (value: unknown): string => valueText(value).replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')

function valueText(value: unknown): string {
  if (isEmpty(value)) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(valueText).join(', ')
  return typeof value === 'object' ? inline(value as Fields) : JSON.stringify(value)
}

const inline = (object: Fields): string =>
  `{${Object.entries(object)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => `${name}: ${valueText(value)}`)
    .join('; ')}}`
