// What an answer lacks, or has otherwise, of one that was recorded. It may have more.
type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `isLeftOut`: whether a field of this path, such as `data.0.name`, is not compared. */
export function differences(
  before: unknown,
  now: unknown,
  isLeftOut: (path: string) => boolean = () => false,
  path = '',
): string[] {
  if (isLeftOut(path)) return []
  const at = (name: string): string => (path === '' ? name : `${path}.${name}`)
  if (Array.isArray(before) && Array.isArray(now) && before.length === now.length)
    return before.flatMap((each, n) => differences(each, now[n], isLeftOut, at(String(n))))
  if (isFields(before) && isFields(now))
    return Object.entries(before).flatMap(([name, value]) => differences(value, now[name], isLeftOut, at(name)))
  return Object.is(before, now) ? [] : [`${path}: ${JSON.stringify(before)} is now ${JSON.stringify(now)}`]
}
